/// Which keys are held by code that reads them, and the others in the order in which they are forgotten.
///
/// An observer holds its key, a derived value those of its inputs, a view those that it has read, until it is notified.
struct KeptKeys<Key: Hashable & Sendable>: Sendable {
    private var holds: [Key: Int] = [:]
    private var idle = LRUOrder<Key>()
    /// What a view held until just now, which was notified and has not read it again, or is gone; known keys and unknown ones.
    ///
    /// Kept apart, so that any number of other keys between the notification and the next read displaces none.
    private var justRead = LRUOrder<Key>()

    func isHeld(_ key: Key) -> Bool { holds[key] != nil }

    mutating func hold(_ key: Key) {
        holds[key, default: 0] += 1
        use(key)
    }

    /// - Returns: whether it is not held any more.
    mutating func release(_ key: Key) -> Bool {
        let left = (holds[key] ?? 1) - 1
        holds[key] = left > 0 ? left : nil
        return left == 0
    }

    mutating func releaseRead(_ key: Key) { if release(key) { justRead.append(key) } }

    /// Takes a key that is needed now out of the order.
    mutating func use(_ key: Key) {
        idle.remove(key)
        justRead.remove(key)
    }

    /// Puts a known key at the end of the order, unless it is held.
    mutating func retire(_ key: Key) { if !isHeld(key), !justRead.contains(key) { idle.append(key) } }

    mutating func removeUnheld() { (idle, justRead) = (LRUOrder(), LRUOrder()) }

    /// Takes out a key beyond the limit that a view held once, to be retired if it is known.
    mutating func popJustRead(beyond limit: Int) -> Key? { justRead.count > limit ? justRead.popFirst() : nil }

    /// Takes out a key beyond the limit, the one that was needed least recently.
    mutating func popIdle(beyond limit: Int) -> Key? { idle.count > limit ? idle.popFirst() : nil }
}

/// Unneeded elements in the order in which they were last needed, the least recently used first: the order in which
/// they are dropped when there are too many.
///
/// An element that is needed again leaves a dead entry in the list, which is cleaned when half of it is dead: so each
/// call costs O(1) on average.
private struct LRUOrder<Element: Hashable & Sendable>: Sendable {
    private var numbers: [Element: Int] = [:]
    /// The least recently used first; entries whose number is outdated do not count.
    private var list: [(element: Element, number: Int)] = []
    private var start = 0
    private var lastNumber = 0

    var count: Int { numbers.count }

    /// Moves an element to the end, or adds it there.
    mutating func append(_ element: Element) {
        lastNumber += 1
        numbers[element] = lastNumber
        list.append((element, lastNumber))
        clean()
    }

    func contains(_ element: Element) -> Bool { numbers[element] != nil }

    mutating func remove(_ element: Element) { numbers[element] = nil }

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
