/// The undelivered versions of one store, and its subscribers: a pure state machine, which ``Delivery`` holds under its
/// lock.
///
/// It does not know the type of the state: see ``StateVersion``.
struct DeliveryLine: Sendable {
    /// A commit that waits for its delivery.
    struct Item: Versioned {
        let node: StateVersion
        /// Nil where it is not recorded.
        let recorded: PendingCommit?
        /// What records it: the store may have another recorder, or none, by the time of its delivery.
        let recorder: Recorder?

        init(node: StateVersion, recorded: PendingCommit?) {
            self.node = node
            self.recorded = recorded
            recorder = recorded?.recorder
        }

        var version: Int { node.version }

        /// Whether it may be delivered: if its line is written, or that is not waited for.
        var mayBeDelivered: Bool { recorded?.mayBeDelivered ?? true }
    }

    /// A commit that is to be delivered now.
    struct Turn: Sendable {
        let item: Item
        let previous: StateVersion
        /// The subscribers of this version; one that subscribes later continues from it.
        let subscribers: SubscriberList
        let isObserved: Bool
    }

    /// This many versions, or values of a derived value, may wait before commits slow down.
    static let limit = 1_024

    private(set) var subscribers = SubscriberList()
    /// The last version that left the line; nil without listeners.
    private(set) var delivered: StateVersion?
    /// Whether the state was ever read under observation; from then on observers are notified of commits.
    var isObserved = false
    private var items = DrainQueue<Item>()
    /// Resolved when everything is delivered; nil while nothing waits for that.
    private var idle: Promise<Void>?
    /// Whether the last listener left during a delivery.
    private var isStopDue = false
    private var hasEnded = false

    var isCrowded: Bool { items.isCrowded }

    /// Starts listening from a version on, unless it listens already.
    mutating func listen(from node: @autoclosure () -> StateVersion) -> StateVersion {
        if let delivered { return delivered }
        let node = node()
        delivered = node
        return node
    }

    /// Stops listening if there are no listeners, nothing waits and no delivery is running.
    ///
    /// - Returns: the last version, to be released outside of all locks; nil if it did not stop.
    mutating func stopListening() -> StateVersion? {
        isStopDue = subscribers.isEmpty && !isObserved && !items.isIdle
        guard subscribers.isEmpty, !isObserved, items.isIdle else { return nil }
        return delivered.take()
    }

    /// - Returns: whether everything is delivered; else the last turn says when.
    mutating func end() -> Bool {
        hasEnded = true
        return items.isIdle
    }

    /// Frees the version that was delivered last from the one before it.
    ///
    /// - Returns: what is not needed any more, to be released outside of all locks.
    mutating func cutDelivered() -> StateVersion? { StateVersion.cut(&delivered) }

    mutating func removeListeners() -> (SubscriberList, StateVersion?) {
        defer { (subscribers, delivered) = (SubscriberList(), nil) }
        return (subscribers, delivered)
    }

    mutating func add(_ subscriber: Subscriber) { subscribers.append(subscriber) }

    mutating func remove(_ subscriber: Subscriber) { subscribers.remove(subscriber) }

    /// Takes in a version that the caller has just committed.
    ///
    /// - Returns: its turn, where it may be delivered at once: the caller then has the line's turn, and delivers it. Else the
    ///   version waits.
    mutating func admit(_ item: Item, by thread: DeliveringThread) -> Turn? {
        guard item.mayBeDelivered, items.beginIfIdle(through: item.version, by: thread) else {
            items.append(item, by: thread)
            return nil
        }
        return turn(of: item)
    }

    /// Takes the turn for a thread that has committed a version, unless another one has it.
    mutating func begin(through version: Int, by thread: DeliveringThread) -> Bool {
        items.begin(through: version, by: thread)
    }

    /// Gives the turn that a commit handed over to a thread that makes no commit.
    mutating func takeOver(by thread: DeliveringThread) { items.takeOver(by: thread) }

    /// What is left to do at the end of a turn.
    struct Ending: Sendable {
        /// Whether a thread that makes no commit has to take the turn over.
        var isHandedOver = false
        /// To be resolved, since everything is delivered.
        var idle: Promise<Void>?
        var isStopDue = false
        var isOver = false
        var hasRoom = false
    }

    /// The next commit of the caller's turn, with the version before it; nil ends the turn.
    ///
    /// A commit whose line is not written is left to the thread that made it, which comes here once it is.
    mutating func take(_ ending: inout Ending) -> Turn? {
        let item: Item
        switch items.take(if: \.mayBeDelivered) {
        case .element(let next): item = next
        case .handedOver:
            ending.isHandedOver = true
            return nil
        case .end:
            if items.isIdle {
                ending.idle = idle.take()
                ending.isStopDue = isStopDue
                ending.isOver = hasEnded
            }
            return nil
        }
        ending.hasRoom = items.hasRoomAgain
        return turn(of: item)
    }

    private mutating func turn(of item: Item) -> Turn {
        let previous = delivered ?? item.node
        delivered = item.node
        return Turn(item: item, previous: previous, subscribers: subscribers, isObserved: isObserved)
    }

    mutating func idlePromise() -> Promise<Void>? {
        if items.isIdle { return nil }
        let promise = idle ?? Promise()
        idle = promise
        return promise
    }
}
