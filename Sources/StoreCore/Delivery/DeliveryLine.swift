/// What one store has yet to deliver, and to whom: a pure state machine, which ``Delivery`` holds under its lock.
///
/// It knows nothing of the type of the state: see ``VersionNode``.
struct DeliveryLine: Sendable {
    /// A commit that waits for its delivery.
    struct Item: Sendable {
        let node: VersionNode
        /// Nil where the store has no recorder.
        let recorded: PendingCommit?
        /// The thread that made it, where that was delivering.
        let thread: DeliveringThread?
    }

    /// A commit that is to be delivered now.
    struct Turn: Sendable {
        let item: Item
        let previous: VersionNode
        /// To whom; who subscribes from now on goes on from this version.
        let sinks: [Sink]
        /// Whether observers are told.
        let isObserved: Bool
    }

    /// So many versions may wait before commits slow down.
    static let limit = 1_024

    /// From so many delivered commits on the line is shortened before it is empty, which it may never be.
    private static let shorteningSize = 256

    /// Resumes who waits for everything to be delivered.
    typealias Waiter = CheckedContinuation<Void, Never>

    private(set) var sinks: [Sink] = []
    /// The last version that left the line; nil while nobody listens.
    private(set) var delivered: VersionNode?
    /// Whether the state was ever read under observation, which then is told of commits for good.
    var isObserved = false
    /// Those before `next` are nil: what they held goes away outside the lock, with what its end runs.
    private var items: [Item?] = []
    private var next = 0
    private var isDelivering = false
    private var waiters: [Waiter] = []
    /// Whether nobody listened any more when somebody was in the middle of a delivery.
    private var isStopDue = false

    /// Whether more wait than may.
    var isCrowded: Bool { items.count - next > DeliveryLine.limit }

    /// Whether nothing is left to deliver, and nobody in the middle of it.
    private var isIdle: Bool { next == items.count && !isDelivering }

    /// Begins to listen from a version on, if nobody does yet.
    mutating func listen(from node: @autoclosure () -> VersionNode) -> VersionNode {
        if let delivered { return delivered }
        let node = node()
        delivered = node
        return node
    }

    /// Stops to listen where nothing waits and nobody is in the middle of it.
    ///
    /// - Returns: the last version, which is to go away outside of all locks; nil where it did not stop.
    mutating func stopListening() -> VersionNode? {
        isStopDue = sinks.isEmpty && !isObserved && !isIdle
        guard sinks.isEmpty, !isObserved, isIdle else { return nil }
        return delivered.take()
    }

    mutating func add(_ sink: Sink) { sinks.append(sink) }

    mutating func remove(_ sink: Sink) {
        if let place = sinks.firstIndex(where: { $0 === sink }) { sinks.remove(at: place) }
    }

    mutating func enqueue(_ item: Item) { items.append(item) }

    /// Makes the caller the one who delivers, unless there is one.
    mutating func begin() -> Bool {
        guard !isDelivering, next < items.count else { return false }
        isDelivering = true
        return true
    }

    /// What there is to do for who ends a turn.
    struct Ending: Sendable {
        /// Those who waited for the end of all deliveries.
        var waiters: [Waiter] = []
        /// Whether nobody listens any more.
        var isStopDue = false
        /// Whether commits may go on that waited for room.
        var hasRoom = false
    }

    /// The next commit whose line is written, with the version before it; nil ends the caller's turn.
    ///
    /// A commit whose line is not written is left to the thread that made it, which comes here once it is.
    mutating func take(_ ending: inout Ending) -> Turn? {
        guard isReady, let item = items[next].take() else {
            isDelivering = false
            if isIdle {
                if !waiters.isEmpty { swap(&waiters, &ending.waiters) }
                ending.isStopDue = isStopDue
            }
            return nil
        }
        ending.hasRoom = items.count - next == DeliveryLine.limit + 1
        next += 1
        if next == items.count {
            items.removeAll(keepingCapacity: true)
            next = 0
        } else if next >= DeliveryLine.shorteningSize, next * 2 >= items.count {
            items.removeFirst(next)
            next = 0
        }
        let previous = delivered ?? item.node
        delivered = item.node
        return Turn(item: item, previous: previous, sinks: sinks, isObserved: isObserved)
    }

    /// Whether there is a commit whose line is written.
    private var isReady: Bool { next < items.count && items[next]?.recorded?.isSettled ?? true }

    /// Ends the caller's turn in the middle, for another thread to go on.
    ///
    /// - Returns: false where there is nothing to go on with.
    mutating func handOn() -> Bool {
        if isReady { isDelivering = false }
        return !isDelivering
    }

    /// Adds one who waits for everything to be delivered, unless it is.
    ///
    /// - Returns: whether it has to wait.
    mutating func wait(_ waiter: Waiter) -> Bool {
        if isIdle { return false }
        waiters.append(waiter)
        return true
    }
}
