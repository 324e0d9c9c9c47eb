/// Elements that are taken out in the order in which they were put in.
///
/// An element that was taken out leaves an empty slot, and the empty slots are removed when they are half of the array: so each
/// call costs O(1) on average, and nothing that was taken out is kept alive.
struct ElementQueue<Element: Sendable>: Sendable {
    /// From this many empty slots on, the array is shortened before it is empty, which it may never be.
    private static var shorteningSize: Int { 256 }

    /// The slots before `start` are empty.
    private var slots: [Element?] = []
    private var start = 0

    var count: Int { slots.count - start }

    var first: Element? {
        get { start < slots.count ? slots[start] : nil }
        set { slots[start] = newValue }
    }

    var last: Element? { count > 0 ? slots[slots.count - 1] : nil }

    mutating func append(_ element: Element) { slots.append(element) }

    mutating func prepend(_ element: Element) { slots.insert(element, at: start) }

    mutating func removeFirst() {
        // Mostly a single one, put in and taken out again.
        if start == 0, slots.count == 1 {
            slots.removeLast()
            return
        }
        slots[start] = nil
        start += 1
        if start == slots.count {
            slots.removeAll(keepingCapacity: true)
            start = 0
        } else if start >= Self.shorteningSize, start * 2 >= slots.count {
            slots.removeFirst(start)
            start = 0
        }
    }

    mutating func popFirst() -> Element? {
        guard let element = first else { return nil }
        removeFirst()
        return element
    }

    mutating func removeAll() -> [Element] {
        defer { (slots, start) = ([], 0) }
        return slots[start...].compactMap(\.self)
    }
}
