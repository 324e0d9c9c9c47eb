/// Things that are handed on in order, by one thread at a time: a pure state machine, for the holder of its lock.
///
/// A thread that brought something comes to hand it on. It takes a turn, unless another thread has it, and then goes on with
/// its own work. A turn ends after the last thing that is the thread's own: what comes next belongs to a thread that is about to
/// come, or else to one that has come and gone; for that a thread of the system takes the turn over, until nothing waits.
/// So no thread works for the others, but for what waits before its own. The versions of a store, the values of a derived one and what a subscriber has yet to
/// receive are all handed on like this.
struct DrainQueue<Element: Versioned>: Sendable {
    /// What there is to do for the thread that has the turn.
    enum Next: Sendable {
        case element(Element)
        /// Its turn has ended.
        case end
        /// Its turn has ended in the middle: the line waits for a thread that calls ``takeOver(through:by:)``.
        case handedOver
    }

    private var elements = ElementQueue<Element>()
    /// Whether a thread is at it, or is going to be.
    private(set) var isTaken: Bool
    /// The thread whose turn it is, and the last version that is its own.
    private var holder: DeliveringThread?
    private var through = Int.max
    /// The last version whose thread has come to hand it on.
    private var arrived = Int.min

    /// - Parameter isTaken: whether the first turn is taken already.
    init(isTaken: Bool = false) { self.isTaken = isTaken }

    /// How many wait.
    var count: Int { elements.count }

    /// Whether so many wait that commits are to slow down.
    var isCrowded: Bool { count > DeliveryLine.limit }

    /// Whether what was taken out last made room.
    var hasRoomAgain: Bool { count == DeliveryLine.limit }

    /// Whether nothing waits, and no thread is in the middle of it.
    var isIdle: Bool { count == 0 && !isTaken }

    /// Puts something after the others.
    ///
    /// - Parameter thread: the thread that brings it, if it is delivering: where it has the turn, and nothing of others waits
    ///   in between, the turn goes on through this.
    mutating func append(_ element: Element, by thread: DeliveringThread?) {
        if thread != nil, isTaken, thread == holder, (elements.last?.version ?? 0) <= through {
            through = max(through, element.version)
        }
        elements.append(element)
    }

    /// Puts something in front of the others.
    mutating func prepend(_ element: Element) { elements.prepend(element) }

    /// Takes the turn for a thread that comes to hand on what it brought.
    ///
    /// - Returns: false where another thread has it, which sees to that, or nothing waits.
    mutating func begin(through version: Int, by thread: DeliveringThread?) -> Bool {
        arrived = max(arrived, version)
        guard !isTaken, count > 0 else { return false }
        takeOver(through: version, by: thread)
        return true
    }

    /// Gives the turn, which is taken already, to a thread.
    ///
    /// - Parameter version: the last one that is its own; the highest number for a thread that works for all.
    mutating func takeOver(through version: Int = .max, by thread: DeliveringThread?) {
        (isTaken, holder, through) = (true, thread, version)
    }

    /// The next one, if it may be handed on and the turn reaches it.
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

    /// Whether the turn goes on, which it does while something waits.
    mutating func continueOrRelease() -> Bool {
        isTaken = count > 0
        return isTaken
    }

    /// Takes out all that wait; the thread that is at it finds nothing more.
    mutating func removeAll() -> [Element] { elements.removeAll() }
}

/// What is handed on in the order of its versions.
protocol Versioned: Sendable {
    var version: Int { get }
}
