/// Elements that are taken out in order, by one thread at a time: a pure state machine, used under a lock.
///
/// A thread that put an element in comes to drain the queue. It takes a turn, unless another thread has it, and then
/// continues with its own work. A turn ends after the last element of the thread's own. The next element belongs to a
/// thread that has yet to come, or to one that came while the turn was taken; in the second case a thread of the system
/// takes the turn over, until the queue is empty. So no thread works for others, except for what waits before its own
/// elements. The versions of a store, the values of a derived value and the backlog of a subscriber are all drained
/// like this.
struct DrainQueue<Element: Versioned>: Sendable {
    enum Next: Sendable {
        case element(Element)
        case end
        /// Its turn has ended, and the queue waits for a thread that calls ``takeOver(through:by:)``.
        case handedOver
    }

    private var elements = ElementQueue<Element>()
    /// Whether a thread has the turn, or is about to take it over.
    private(set) var isTaken: Bool
    /// The thread with the turn, and the last version of its own.
    private var holder: DeliveringThread?
    private(set) var through = Int.max
    /// The last version whose thread has come to drain the queue.
    private var arrived = Int.min

    /// - Parameter isTaken: whether the first turn is already taken, by a thread that will name itself later.
    init(isTaken: Bool = false) {
        self.isTaken = isTaken
        if isTaken { holder = .unnamed }
    }

    var count: Int { elements.count }

    /// Whether so many elements wait that commits have to slow down.
    var isCrowded: Bool { count > DeliveryLine.limit }

    /// Whether the element taken out last made room.
    var hasRoomAgain: Bool { count == DeliveryLine.limit }

    var isIdle: Bool { count == 0 && !isTaken }

    /// Whether the turn is kept for a thread that has yet to take it over.
    var isAwaited: Bool { isTaken && holder == nil }

    var first: Element? {
        get { elements.first }
        set { elements.first = newValue }
    }

    var lastVersion: Int? { elements.last?.version }

    /// - Parameter thread: the thread that brings it. If it has the turn, and no elements of others wait in between, the turn
    ///   is extended to this one.
    mutating func append(_ element: Element, by thread: DeliveringThread?) {
        if thread != nil, isTaken, thread == holder, (elements.last?.version ?? 0) <= through {
            through = max(through, element.version)
        }
        elements.append(element)
    }

    mutating func prepend(_ element: Element) { elements.prepend(element) }

    /// Takes the turn for a thread that has put an element in.
    ///
    /// - Returns: false if another thread has it, which drains that element too, or nothing waits.
    mutating func begin(through version: Int, by thread: DeliveringThread?) -> Bool {
        arrived = max(arrived, version)
        guard !isTaken, count > 0 else { return false }
        takeOver(through: version, by: thread)
        return true
    }

    /// Takes the turn for a thread whose element need not wait, as nothing does.
    mutating func beginIfIdle(through version: Int, by thread: DeliveringThread) -> Bool {
        if isTaken || count > 0 { return false }
        arrived = max(arrived, version)
        takeOver(through: version, by: thread)
        return true
    }

    /// Gives the turn, which is already taken, to a thread.
    ///
    /// - Parameter version: the last version of its own; the highest number for a thread that drains all.
    mutating func takeOver(through version: Int = .max, by thread: DeliveringThread?) {
        (isTaken, holder, through) = (true, thread, version)
    }

    mutating func handOver() { (isTaken, holder) = (true, nil) }

    /// The next element, if it is ready and the turn reaches it.
    mutating func take(if isReady: (Element) -> Bool = { _ in true }) -> Next {
        guard let element = elements.first, isReady(element) else {
            isTaken = false
            return .end
        }
        if element.version > through {
            isTaken = element.version <= arrived
            holder = nil
            return isTaken ? .handedOver : .end
        }
        elements.removeFirst()
        return .element(element)
    }

    mutating func continueOrRelease() -> Bool {
        isTaken = count > 0
        return isTaken
    }

    mutating func removeFirst() { elements.removeFirst() }

    /// Takes out all elements; the thread with the turn finds nothing more.
    mutating func removeAll() -> [Element] { elements.removeAll() }
}

protocol Versioned: Sendable {
    var version: Int { get }
}
