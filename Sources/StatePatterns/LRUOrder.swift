/// What nobody needs any more, in the order in which it was last needed: what goes first where there is too much of it.
///
/// Something that is needed again leaves a dead entry in the list, which is cleaned when half of it is dead: so each call costs
/// O(1) on average.
struct LRUOrder<Element: Hashable & Sendable>: Sendable {
    /// Each with the number under which it stands in the list.
    private var numbers: [Element: Int] = [:]
    /// The longest idle first; entries whose number is another one by now do not count.
    private var list: [(element: Element, number: Int)] = []
    private var start = 0
    private var lastNumber = 0

    /// How many there are.
    var count: Int { numbers.count }

    /// Puts something behind all others, also where it was among them.
    mutating func append(_ element: Element) {
        lastNumber += 1
        numbers[element] = lastNumber
        list.append((element, lastNumber))
        clean()
    }

    /// Takes something out that is needed again.
    mutating func remove(_ element: Element) { numbers[element] = nil }

    /// Takes out what was idle for the longest time.
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
