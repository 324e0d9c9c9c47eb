/// Things that are handed on in order, by one thread at a time: a pure state machine, for who holds its lock.
///
/// Whoever finds nobody at it takes a turn, and goes on until nothing is left that may be handed on; what comes meanwhile is
/// put behind. So a thread that brings something while another one is at it need not wait. The versions of a store, the values
/// of a derived one and what a subscriber has yet to receive are all handed on like this.
struct Handover<Element: Sendable>: Sendable {
    /// From so many that were taken on the list is shortened before it is empty, which it may never be.
    private static var shorteningSize: Int { 256 }

    /// Those before `next` are nil: what they held goes away outside the lock, with what its end runs.
    private var elements: [Element?] = []
    private var next = 0
    /// Whether somebody is at it, or is going to be.
    private(set) var isTaken: Bool

    /// - Parameter isTaken: whether the first turn is taken already.
    init(isTaken: Bool = false) { self.isTaken = isTaken }

    /// How many wait.
    var count: Int { elements.count - next }

    /// Whether nothing waits, and nobody is in the middle of it.
    var isIdle: Bool { count == 0 && !isTaken }

    /// The next one.
    var first: Element? { next < elements.count ? elements[next] : nil }

    /// Puts something behind the others.
    mutating func append(_ element: Element) { elements.append(element) }

    /// Puts something in front of the others.
    mutating func prepend(_ element: Element) { elements.insert(element, at: next) }

    /// Makes the caller the one who hands on; false where there is one, or nothing to hand on.
    mutating func begin() -> Bool {
        guard !isTaken, count > 0 else { return false }
        isTaken = true
        return true
    }

    /// The next one, if it may be handed on; nil ends the caller's turn.
    mutating func take(if isReady: (Element) -> Bool = { _ in true }) -> Element? {
        guard let element = first, isReady(element) else {
            isTaken = false
            return nil
        }
        elements[next] = nil
        next += 1
        if next == elements.count {
            elements.removeAll(keepingCapacity: true)
            next = 0
        } else if next >= Self.shorteningSize, next * 2 >= elements.count {
            elements.removeFirst(next)
            next = 0
        }
        return element
    }

    /// Ends the caller's turn in the middle, for another thread to go on; false, and it goes on, where nothing may be.
    mutating func handOn(if isReady: (Element) -> Bool = { _ in true }) -> Bool {
        if let first, isReady(first) { isTaken = false }
        return !isTaken
    }

    /// Whether the caller's turn goes on, which it does while something waits.
    mutating func goesOn() -> Bool {
        isTaken = count > 0
        return isTaken
    }

    /// Takes out all that wait; who is at it finds nothing more.
    mutating func removeAll() -> [Element] {
        defer { (elements, next) = ([], 0) }
        return elements[next...].compactMap(\.self)
    }
}
