internal import Synchronization

/// One subscriber: hands each change to its closure once, in order, never two at a time, in its context.
///
/// What it subscribed to is known to its closure alone: see ``VersionNode``.
final class Subscriber: Sendable {
    /// A change, and the commit that what the subscriber does is caused by.
    struct Delivered: Versioned {
        /// A `Changes` of what the subscriber subscribed to.
        fileprivate var changes: any AnyObject & Sendable
        fileprivate let node: VersionNode
        /// What the changes have as their previous.
        fileprivate var previous: VersionNode?
        fileprivate let commit: CommitReference?

        var version: Int { node.version }

        init<State>(changes: Changes<State>, commit: CommitReference?) {
            self.init(changes: changes, node: changes.node, previous: changes.previousNode, commit: commit)
        }

        /// For who knows the versions, and need not ask the changes.
        init(
            changes: any AnyObject & Sendable, node: VersionNode, previous: VersionNode?, commit: CommitReference?
        ) {
            self.changes = changes
            self.node = node
            self.previous = previous
            self.commit = commit
        }
    }

    fileprivate struct Gate: Sendable {
        var isCancelled = false
        /// What waits to be received.
        var backlog: DrainQueue<Delivered>
        /// What the subscriber sees as the previous of what comes next: the version that came to it last.
        var seen: VersionNode
    }

    private static let births = Synchronization.Atomic(0)

    /// Its place in the order of all subscribers.
    let birth = Subscriber.births.add(1, ordering: .relaxed).newValue
    private let receive: @Sendable (any AnyObject & Sendable) -> Void
    /// Makes changes follow another version than they do.
    private let relink: @Sendable (any AnyObject & Sendable, VersionNode) -> any AnyObject & Sendable
    private let startsAfter: Int
    private let context: DeliveryContext
    private let outstanding: OutstandingDeliveries?
    /// Called when the store has gone, after which nothing can come.
    let onEnd: (@Sendable () -> Void)?
    private let gate: Mutex<Gate>

    /// - Parameters:
    ///   - node: the version that the subscriber has seen, or does not want to see.
    ///   - isStarting: whether ``start(with:)`` is going to be called; what comes before it waits for it.
    ///   - context: where the closure runs.
    ///   - outstanding: counts what waits in the backlog.
    ///   - onEnd: called when the store has gone.
    init<State>(
        after node: StateNode<State>, isStarting: Bool, on context: DeliveryContext = .inline,
        outstanding: OutstandingDeliveries? = nil, onEnd: (@Sendable () -> Void)? = nil,
        _ receive: @escaping @Sendable (Changes<State>) -> Void
    ) {
        self.onEnd = onEnd
        // Only changes of this type are ever delivered to it.
        self.receive = { changes in receive(unsafeDowncast(changes, to: Changes<State>.self)) }
        relink = { changes, seen in
            unsafeDowncast(changes, to: Changes<State>.self)
                .following(unsafeDowncast(seen, to: StateNode<State>.self))
        }
        self.context = context
        self.outstanding = outstanding
        startsAfter = node.version
        gate = Mutex(Gate(backlog: DrainQueue(isTaken: isStarting), seen: node))
    }

    /// Makes the first delivery: inline on this thread, which then delivers what it committed itself meanwhile.
    func start<State>(with initial: Changes<State>) {
        guard let schedule = context.schedule else {
            return Delivery.delivering { thread in
                gate.withLock { $0.backlog.takeOver(through: startsAfter, by: thread) }
                receive(initial)
                receiveTurn()
            }
        }
        let isOpen = gate.withLock { gate in
            if gate.isCancelled { return false }
            gate.backlog.prepend(Delivered(changes: initial, commit: nil))
            outstanding?.add()
            return true
        }
        if isOpen { schedule { self.receiveBacklog() } }
    }

    /// Delivers a change; the caller has made its commit the current cause.
    func deliver(_ delivered: Delivered) {
        guard delivered.node.version > startsAfter else { return }
        var delivered = delivered
        let admission = gate.withLock { gate in
            // Who saw another version before it, since equal ones are left out, has that as the previous one. What was seen
            // until now lives on in the changes.
            if gate.seen !== delivered.previous { delivered.changes = relink(delivered.changes, gate.seen) }
            let admission = gate.admit(delivered, inline: context.schedule == nil)
            // Before anybody can receive it, or the count would be short of it for a moment.
            if case .later = admission { outstanding?.add() }
            return admission
        }
        switch admission {
        case .refused: break
        case .later(isFirst: false):
            if context.schedule == nil { Delivery.waitForRoom { gate.withLock(\.backlog.isCrowded) } }
        case .now: receive(delivered.changes)
        case .later(isFirst: true): context.schedule? { self.receiveBacklog() }
        }
    }

    func cancel() {
        let dropped = gate.withLock { gate in
            gate.isCancelled = true
            return gate.backlog.removeAll()
        }
        if !dropped.isEmpty { outstanding?.remove(dropped.count) }
    }

    /// Receives what waits, in a turn of the context; what comes meanwhile gets one of its own, to let others have theirs.
    private func receiveBacklog() {
        for _ in 0..<max(1, gate.withLock(\.backlog.count)) {
            guard case .element(let delivered) = gate.withLock({ $0.backlog.take() }) else { return }
            receive(delivered)
        }
        // Its turn ends where nothing is left; else it stays the one whose turn it is, and goes on later.
        guard gate.withLock({ $0.backlog.continueOrRelease() }) else { return }
        context.schedule? { self.receiveBacklog() }
    }

    /// Receives inline what the present thread has brought, and hands on what others have.
    private func receiveTurn() {
        while true {
            let (next, hasRoom) = gate.withLock { ($0.backlog.take(), $0.backlog.hasRoomAgain) }
            if hasRoom { Delivery.signalRoom() }
            switch next {
            case .element(let delivered): receive(delivered)
            case .end: return
            case .handedOver:
                return DeliveryContext.other {
                    Delivery.delivering { thread in
                        self.gate.withLock { $0.backlog.takeOver(by: thread) }
                        self.receiveTurn()
                    }
                }
            }
        }
    }

    private func receive(_ delivered: Delivered) {
        CommitReference.$current.withValue(delivered.commit) { receive(delivered.changes) }
        outstanding?.remove()
    }
}

extension Subscriber.Gate {
    /// What becomes of a change that comes.
    enum Admission: Sendable {
        case refused
        case now
        /// It is put behind others; the first has to be scheduled.
        case later(isFirst: Bool)
    }

    mutating func admit(_ delivered: Subscriber.Delivered, inline isInline: Bool) -> Admission {
        if isCancelled { return .refused }
        seen = delivered.node
        if isInline && !backlog.isTaken { return .now }
        // Elsewhere each turn takes all; inline the thread that has the turn sees to what others bring.
        backlog.append(delivered, by: isInline ? Delivery.deliveringThread : nil)
        return .later(isFirst: backlog.begin(through: isInline ? delivered.version : .max, by: nil))
    }
}

/// Subscribers in the order of their subscriptions.
///
/// One that goes leaves a hole, and the holes are closed when they are as many as the others: so its end costs the same
/// however many there are.
struct SubscriberList: Sendable {
    private var subscribers: [(birth: Int, subscriber: Subscriber?)] = []
    /// How many there are.
    private(set) var count = 0

    /// Whether there is none.
    var isEmpty: Bool { count == 0 }

    mutating func append(_ subscriber: Subscriber) {
        subscribers.append((subscriber.birth, subscriber))
        count += 1
    }

    /// - Complexity: O(log *n*) on average.
    mutating func remove(_ subscriber: Subscriber) {
        // They were born in this order.
        var (low, high) = (0, subscribers.count)
        while low < high {
            let middle = (low + high) / 2
            if subscribers[middle].birth < subscriber.birth { low = middle + 1 } else { high = middle }
        }
        guard low < subscribers.count, subscribers[low].subscriber === subscriber else { return }
        subscribers[low].subscriber = nil
        count -= 1
        if count * 2 < subscribers.count { subscribers.removeAll { $0.subscriber == nil } }
    }

    func forEach(_ body: (Subscriber) -> Void) {
        for (_, subscriber) in subscribers { if let subscriber { body(subscriber) } }
    }
}
