/// Unneeded elements in the order in which they were last needed, the least recently used first: the order in which
/// they are dropped when there are too many.
///
/// An element that is needed again leaves a dead entry in the list, which is cleaned when half of it is dead: so each
/// call costs O(1) on average.
struct LRUOrder<Element: Hashable & Sendable>: Sendable {
    /// The number of each element in the list.
    private var numbers: [Element: Int] = [:]
    /// The least recently used first; entries whose number is outdated do not count.
    private var list: [(element: Element, number: Int)] = []
    private var start = 0
    private var lastNumber = 0

    /// How many there are.
    var count: Int { numbers.count }

    /// Moves an element to the end, or adds it there.
    mutating func append(_ element: Element) {
        lastNumber += 1
        numbers[element] = lastNumber
        list.append((element, lastNumber))
        clean()
    }

    /// Removes an element that is needed again.
    mutating func remove(_ element: Element) { numbers[element] = nil }

    /// Takes out the least recently used element.
    mutating func popFirst() -> Element? {
        while start < list.count {
            let (element, number) = list[start]
            start += 1
            guard numbers[element] == number else { continue }
            numbers[element] = nil
            clean()
            return element
        }
        return nil
    }

    private mutating func clean() {
        guard list.count > 64, list.count > 2 * numbers.count else { return }
        list = list[start...].filter { numbers[$0.element] == $0.number }
        start = 0
    }
}
