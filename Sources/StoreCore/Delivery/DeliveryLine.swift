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

        /// Whether its line is written, where that is waited for.
        var mayBeDelivered: Bool { recorded?.mayBeDelivered ?? true }
    }

    /// A commit that is to be delivered now.
    struct Turn: Sendable {
        let item: Item
        let previous: VersionNode
        /// To whom; who subscribes from now on goes on from this version.
        let sinks: SinkList
        /// Whether observers are told.
        let isObserved: Bool
    }

    /// So many versions may wait before commits slow down.
    static let limit = 1_024

    /// Resumes who waits for everything to be delivered.
    typealias Waiter = CheckedContinuation<Void, Never>

    private(set) var sinks = SinkList()
    /// The last version that left the line; nil while nobody listens.
    private(set) var delivered: VersionNode?
    /// Whether the state was ever read under observation, which then is told of commits for good.
    var isObserved = false
    private var items = Handover<Item>()
    private var waiters: [Waiter] = []
    /// Whether nobody listened any more when somebody was in the middle of a delivery.
    private var isStopDue = false

    /// Whether more wait than may.
    var isCrowded: Bool { items.count > DeliveryLine.limit }

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
        isStopDue = sinks.isEmpty && !isObserved && !items.isIdle
        guard sinks.isEmpty, !isObserved, items.isIdle else { return nil }
        return delivered.take()
    }

    mutating func add(_ sink: Sink) { sinks.append(sink) }

    mutating func remove(_ sink: Sink) { sinks.remove(sink) }

    mutating func enqueue(_ item: Item) { items.append(item) }

    /// Makes the caller the one who delivers, unless there is one.
    mutating func begin() -> Bool { items.begin() }

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
        guard let item = items.take(if: \.mayBeDelivered) else {
            if items.isIdle {
                if !waiters.isEmpty { swap(&waiters, &ending.waiters) }
                ending.isStopDue = isStopDue
            }
            return nil
        }
        ending.hasRoom = items.count == DeliveryLine.limit
        let previous = delivered ?? item.node
        delivered = item.node
        return Turn(item: item, previous: previous, sinks: sinks, isObserved: isObserved)
    }

    /// Ends the caller's turn in the middle, for another thread to go on.
    ///
    /// - Returns: false where there is nothing to go on with.
    mutating func handOn() -> Bool { items.handOn(if: \.mayBeDelivered) }

    /// Adds one who waits for everything to be delivered, unless it is.
    ///
    /// - Returns: whether it has to wait.
    mutating func wait(_ waiter: Waiter) -> Bool {
        if items.isIdle { return false }
        waiters.append(waiter)
        return true
    }
}
