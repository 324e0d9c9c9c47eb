internal import Synchronization

/// One subscriber: passes each change to its closure once, in order, never two at a time, in its context.
///
/// Only its closure knows the type of what it subscribed to: see ``VersionNode``.
final class Subscriber: @unchecked Sendable {
    // Unchecked: constants, what has a lock of its own, and what is touched by the thread that delivers only.

    /// A change, and the commit that is the cause of what the subscriber commits.
    struct Delivered: Versioned {
        /// A `Changes` of what the subscriber subscribed to.
        fileprivate var changes: any AnyObject & Sendable
        let node: VersionNode
        private(set) var previous: VersionNode?
        fileprivate let commit: CommitReference?

        var version: Int { node.version }

        init<State>(changes: Changes<State>, commit: CommitReference?) {
            self.init(changes: changes, node: changes.node, previous: changes.previousNode, commit: commit)
        }

        /// Made from known versions, which need not be read from the changes.
        init(
            changes: any AnyObject & Sendable, node: VersionNode, previous: VersionNode?, commit: CommitReference?
        ) {
            self.changes = changes
            self.node = node
            self.previous = previous
            self.commit = commit
        }

        fileprivate mutating func follow(_ seen: VersionNode?, _ relink: Relink) {
            changes = relink(changes, seen)
            previous = seen
        }
    }

    /// Makes changes with another previous version; nil for none.
    typealias Relink = @Sendable (any AnyObject & Sendable, VersionNode?) -> any AnyObject & Sendable

    /// What a subscriber has yet to receive, and by which thread: a pure state machine, used under its lock.
    struct Gate: Sendable {
        var isCancelled = false
        var backlog: DrainQueue<Delivered>
    }

    private static let births = Synchronization.Atomic(0)

    /// Its place in the order of all subscribers.
    let birth = Subscriber.births.add(1, ordering: .relaxed).newValue
    private let receive: @Sendable (any AnyObject & Sendable) -> Void
    private let relink: Relink
    private let startsAfter: Int
    /// Whether it is given every version, and compares a part of it itself.
    private let comparesItself: Bool
    /// How many changes may wait; beyond that the oldest is left out.
    private let limit: Int
    private let context: DeliveryContext
    private let outstanding: OutstandingDeliveries?
    let onEnd: (@Sendable () -> Void)?
    /// The object that the subscription lives as long as; nil while it is not limited so.
    private let owner = Mutex<SubscriptionOwner?>(nil)
    /// Whether there is one: each delivery asks.
    private let hasOwner = Synchronization.Atomic(false)
    private let gate: Mutex<Gate>
    /// Whether changes are received by the thread that delivers them, without a look at the gate: once the first delivery is
    /// over, of a closure that may run on any thread.
    private let isOpen: Synchronization.Atomic<Bool>
    /// The version that was given last, which is the previous one of what comes next.
    @safe @exclusivity(unchecked) private var seen: VersionNode

    /// - Parameters:
    ///   - node: the version that the subscriber has seen, or does not want to see.
    ///   - isStarting: whether ``start(with:)`` will be called; what comes before then waits for it.
    ///   - buffering: what happens to changes that come faster than they are received; nil for what the context does.
    init<State>(
        after node: StateNode<State>, isStarting: Bool, comparesItself: Bool = false,
        on context: DeliveryContext = .inline,
        buffering: ChangesBuffering? = nil, outstanding: OutstandingDeliveries? = nil,
        onEnd: (@Sendable () -> Void)? = nil,
        _ receive: @escaping @Sendable (Changes<State>) -> Void
    ) {
        self.onEnd = onEnd
        // Only changes of this type are ever delivered to this subscriber.
        self.receive = { changes in unsafe receive(unsafeDowncast(changes, to: Changes<State>.self)) }
        relink = { changes, seen in
            unsafe unsafeDowncast(changes, to: Changes<State>.self)
                .following(seen.map { $0.node(of: State.self) })
        }
        limit = buffering?.limit ?? context.limit
        self.context = context
        self.outstanding = outstanding
        startsAfter = node.version
        self.comparesItself = comparesItself
        gate = Mutex(Gate(backlog: DrainQueue(isTaken: isStarting)))
        isOpen = Synchronization.Atomic(context.isInline && !isStarting)
        seen = node
    }

    /// Makes the first delivery; in its context, it runs on this thread, which then delivers what it committed itself
    /// meanwhile.
    func start<State>(with initial: Changes<State>) {
        guard let schedule = context.schedule, !context.isHere else {
            return Delivery.delivering {
                gate.withLock { $0.backlog.takeOver(through: startsAfter, by: .current) }
                receive(initial)
                receiveTurn()
            }
        }
        let isScheduled = gate.withLock { gate in
            if gate.isCancelled { return false }
            gate.begin(with: Delivered(changes: initial, commit: nil))
            outstanding?.add()
            return true
        }
        if isScheduled { schedule { self.runJob() } }
    }

    /// Whether a version is to be delivered: one that differs from the one that it was given last, so that many small
    /// differences add up.
    func isDue(_ comparison: inout VersionComparison, in delivery: Delivery) -> Bool {
        guard comparison.version.version > startsAfter else { return false }
        return comparesItself || !comparison.isSame(as: seen, in: delivery)
    }

    /// Delivers a change; the caller has made its commit the current cause.
    func deliver(_ delivered: Delivered) {
        guard delivered.node.version > startsAfter else { return }
        if hasOwner.load(ordering: .acquiring), let owner = owner.withLock(\.self), owner.endIfGone() { return }
        // The version seen until now lives on in the changes.
        if seen === delivered.previous, isOpen.load(ordering: .acquiring) {
            seen = delivered.node
            return receive(delivered.changes)
        }
        var delivered = delivered
        // A subscriber that last saw another version, since equal ones are left out, has that as the previous one.
        if seen !== delivered.previous { delivered.follow(seen, relink) }
        seen = delivered.node
        let isHere = context.isHere
        var leftOut: [Delivered]?
        let admission = gate.withLock { gate in
            let admission = gate.admit(delivered, on: .current, isHere: isHere, isInline: context.isInline)
            // Before it can be received, or the count would be too low for a moment.
            switch admission {
            case .refused, .now: break
            case .turn, .later:
                outstanding?.add()
                if gate.backlog.count > limit { leftOut = gate.leaveOutOldest(beyond: limit, relink) }
            }
            return admission
        }
        // Released outside the lock: old states are the app's.
        if let leftOut { outstanding?.remove(leftOut.count) }
        switch admission {
        case .refused: break
        case .later(isFirst: false):
            if context.mayRunHere { Delivery.waitForRoom { gate.withLock(\.backlog.isCrowded) } }
        case .now: receive(delivered.changes)
        case .turn: receiveTurn()
        case .later(isFirst: true): context.schedule? { self.runJob() }
        }
    }

    /// Ends the subscription with an object; the first one counts.
    func end(with object: SubscriptionOwner) {
        owner.withLock { $0 = $0 ?? object }
        hasOwner.store(true, ordering: .releasing)
    }

    func cancel() {
        let dropped = gate.withLock { gate in
            gate.isCancelled = true
            isOpen.store(false, ordering: .relaxed)
            return gate.backlog.removeAll()
        }
        if !dropped.isEmpty { outstanding?.remove(dropped.count) }
    }

    /// Receives what waits, in one job of the context; what comes meanwhile gets another job, so that others can run in
    /// between.
    private func runJob() {
        if context.mayRunHere { return takeOverTurn() }
        for _ in 0..<max(1, gate.withLock(\.backlog.count)) {
            guard case .element(let delivered) = gate.withLock({ $0.backlog.take() }) else { return }
            receive(delivered)
        }
        // If nothing is left the turn ends; else it is kept, and continues in a later job.
        guard gate.withLock({ $0.backlog.continueOrRelease() }) else { return }
        context.schedule? { self.runJob() }
    }

    /// Receives what waits, unless a commit in the context has received it meanwhile.
    private func takeOverTurn() {
        Delivery.delivering {
            if gate.withLock({ $0.takeOver(by: .current, isInline: context.isInline) }) { receiveTurn() }
        }
    }

    /// Receives on this thread what it has brought, and what came before that; hands over what others have brought since.
    private func receiveTurn() {
        while true {
            let (next, hasRoom) = gate.withLock { gate in
                let next = gate.backlog.take()
                // After the closure ran for the last time here, and before the delivering thread finds it closed.
                if case .end = next, context.isInline, !gate.isCancelled { isOpen.store(true, ordering: .releasing) }
                return (next, gate.backlog.hasRoomAgain)
            }
            if hasRoom { Delivery.signalRoom() }
            switch next {
            case .element(let delivered): receive(delivered)
            case .end: return
            case .handedOver:
                return (context.schedule ?? DeliveryContext.other) { self.takeOverTurn() }
            }
        }
    }

    private func receive(_ delivered: Delivered) {
        CommitReference.$current.withValue(delivered.commit) { receive(delivered.changes) }
        outstanding?.remove()
    }
}

extension Subscriber.Gate {
    enum Admission: Sendable {
        case refused
        case now
        /// The change waits in the backlog, and this thread has the turn.
        case turn
        /// The change waits in the backlog; for the first one a job has to be scheduled.
        case later(isFirst: Bool)
    }

    mutating func admit(
        _ delivered: Subscriber.Delivered, on thread: @autoclosure () -> DeliveringThread, isHere: Bool, isInline: Bool
    ) -> Admission {
        if isCancelled { return .refused }
        if isHere && !backlog.isTaken { return .now }
        let thread = isHere ? thread() : nil
        backlog.append(delivered, by: thread)
        // The job that was scheduled for what waits runs on this very thread later, and finds nothing then.
        if !isInline, let thread, backlog.isAwaited {
            backlog.takeOver(through: delivered.version, by: thread)
            return .turn
        }
        // In another context each job takes all; inline, the thread with the turn takes what others bring.
        return .later(isFirst: backlog.begin(through: isInline ? delivered.version : .max, by: nil))
    }

    /// Leaves out the oldest changes beyond a limit; the one after them then follows what the subscriber saw before.
    ///
    /// - Returns: those left out, to be released outside the lock.
    mutating func leaveOutOldest(beyond limit: Int, _ relink: Subscriber.Relink) -> [Subscriber.Delivered] {
        var leftOut: [Subscriber.Delivered] = []
        // The first that waits follows what the subscriber saw last; nothing, if that is the first delivery.
        let seen = backlog.first?.previous
        while backlog.count > limit, let oldest = backlog.first {
            leftOut.append(oldest)
            backlog.removeFirst()
        }
        guard var next = backlog.first else { return leftOut }
        next.follow(seen, relink)
        backlog.first = next
        return leftOut
    }

    /// Puts the first delivery before what came meanwhile, for a job of the context.
    mutating func begin(with initial: Subscriber.Delivered) {
        backlog.prepend(initial)
        backlog.handOver()
    }

    /// - Returns: false if a commit in the context has received everything meanwhile.
    mutating func takeOver(by thread: DeliveringThread, isInline: Bool) -> Bool {
        guard backlog.isAwaited else { return false }
        // What comes meanwhile gets another job, so that others can run in between.
        backlog.takeOver(through: isInline ? .max : backlog.lastVersion ?? .max, by: thread)
        return true
    }
}

/// Subscribers in the order of their subscriptions.
///
/// One that is removed leaves a hole, and the holes are closed when they are half of the list: so a removal costs the
/// same however many subscribers there are.
struct SubscriberList: Sendable {
    private var subscribers: [(birth: Int, subscriber: Subscriber?)] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ subscriber: Subscriber) {
        subscribers.append((subscriber.birth, subscriber))
        count += 1
    }

    /// - Complexity: O(log *n*) on average.
    mutating func remove(_ subscriber: Subscriber) {
        // Numbers ascend in the list.
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

    func forEach(_ body: (Subscriber) -> Void) { forEach(from: 0) { _, subscriber in body(subscriber) } }

    func firstPlace(where isWanted: (Subscriber) -> Bool) -> Int? {
        subscribers.firstIndex { $0.subscriber.map(isWanted) ?? false }
    }

    func forEach(from start: Int, _ body: (_ place: Int, Subscriber) -> Void) {
        for place in start..<subscribers.count {
            if let subscriber = subscribers[place].subscriber { body(place, subscriber) }
        }
    }
}
