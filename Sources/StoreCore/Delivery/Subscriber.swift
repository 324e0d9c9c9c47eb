internal import Synchronization

/// One subscriber: passes each change to its closure once, in order, never two at a time, in its context.
///
/// Only its closure knows the type of what it subscribed to: see ``StateVersion``.
final class Subscriber: @unchecked Sendable {
    // Unchecked: constants, what has a lock of its own, and what is touched by the thread that delivers only.

    /// What a subscriber has yet to receive, and by which thread: a pure state machine, used under its lock.
    struct Gate: Sendable {
        var isCancelled = false
        var backlog: DrainQueue<StateVersion>
    }

    private static let births = Synchronization.Atomic(0)

    /// Its place in the order of all subscribers.
    let birth = Subscriber.births.add(1, ordering: .relaxed).newValue
    private let receive: @Sendable (StateVersion) -> Void
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
    /// The version that was given last, where that is not the one directly before what comes next.
    @safe @exclusivity(unchecked) private var seen: StateVersion?

    /// - Parameters:
    ///   - node: the version that the subscriber has seen, or does not want to see.
    ///   - isStarting: whether ``start(with:)`` will be called; what comes before then waits for it.
    ///   - buffering: what happens to changes that come faster than they are received; nil for what the context does.
    init<State>(
        after node: Changes<State>, isStarting: Bool, comparesItself: Bool = false,
        on context: DeliveryContext = .inline,
        buffering: ChangesBuffering? = nil, outstanding: OutstandingDeliveries? = nil,
        onEnd: (@Sendable () -> Void)? = nil,
        _ receive: @escaping @Sendable (Changes<State>) -> Void
    ) {
        self.onEnd = onEnd
        // Only changes of this type are ever delivered to this subscriber.
        self.receive = { version in receive(version.of(State.self)) }
        limit = buffering?.limit ?? context.limit
        self.context = context
        self.outstanding = outstanding
        startsAfter = node.version
        self.comparesItself = comparesItself
        gate = Mutex(Gate(backlog: DrainQueue(isTaken: isStarting)))
        isOpen = Synchronization.Atomic(context.isInline && !isStarting)
    }

    /// Makes the first delivery; in its context, it runs on this thread, which then delivers what it committed itself
    /// meanwhile.
    ///
    /// - Parameter node: the version that it starts with, which may have been delivered to others.
    func start<State>(with node: Changes<State>) {
        let initial = node.copy()
        guard let schedule = context.schedule, !context.isHere else {
            return Delivery.delivering {
                gate.withLock { $0.backlog.takeOver(through: startsAfter, by: .current) }
                receive(initial)
                receiveTurn()
            }
        }
        let isScheduled = gate.withLock { gate in
            if gate.isCancelled { return false }
            gate.begin(with: initial)
            outstanding?.add()
            return true
        }
        if isScheduled { schedule { self.runJob() } }
    }

    /// Whether a version is to be delivered: one that differs from the one that it was given last.
    ///
    /// So many small differences add up. Asked once of each version.
    func isDue(_ comparison: inout VersionComparison, in delivery: Delivery) -> Bool {
        guard comparison.version.version > startsAfter else { return false }
        if comparesItself { return true }
        if let seen { return !comparison.isSame(as: seen, in: delivery) }
        guard comparison.isSameAsBefore(in: delivery) else { return true }
        seen = comparison.version.before
        return false
    }

    /// Delivers a change; the caller has made its commit the current cause.
    func deliver(_ delivered: StateVersion) {
        guard delivered.version > startsAfter else { return }
        if hasOwner.load(ordering: .acquiring), let owner = owner.withLock(\.self), owner.endIfGone() { return }
        var delivered = delivered
        // A subscriber that last saw another version, since equal ones are left out, has that as the previous one.
        if let last = seen {
            delivered = delivered.following(last)
            seen = nil
        }
        if isOpen.load(ordering: .acquiring) { return receive(delivered) }
        let isHere = context.isHere
        var leftOut: [StateVersion]?
        let admission = gate.withLock { gate in
            let admission = gate.admit(delivered, on: .current, isHere: isHere, isInline: context.isInline)
            // Before it can be received, or the count would be too low for a moment.
            switch admission {
            case .refused, .now: break
            case .turn, .later:
                outstanding?.add()
                if gate.backlog.count > limit { leftOut = gate.leaveOutOldest(beyond: limit) }
            }
            return admission
        }
        // Released outside the lock: old states are the app's.
        if let leftOut { outstanding?.remove(leftOut.count) }
        switch admission {
        case .refused: break
        case .later(isFirst: false):
            if context.mayRunHere { Delivery.waitForRoom { gate.withLock(\.backlog.isCrowded) } }
        case .now: receive(delivered)
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
            receiveWaiting(delivered)
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
            case .element(let delivered): receiveWaiting(delivered)
            case .end: return
            case .handedOver:
                return (context.schedule ?? DeliveryContext.other) { self.takeOverTurn() }
            }
        }
    }

    private func receiveWaiting(_ delivered: StateVersion) {
        CommitReference.$current.withValue(delivered.commit) { receive(delivered) }
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
        _ delivered: StateVersion, on thread: @autoclosure () -> DeliveringThread, isHere: Bool, isInline: Bool
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
    mutating func leaveOutOldest(beyond limit: Int) -> [StateVersion] {
        var leftOut: [StateVersion] = []
        // The first that waits follows what the subscriber saw last; nothing, if that is the first delivery.
        let seen = backlog.first?.before
        while backlog.count > limit, let oldest = backlog.first {
            leftOut.append(oldest)
            backlog.removeFirst()
        }
        backlog.first = backlog.first?.following(seen)
        return leftOut
    }

    /// Puts the first delivery before what came meanwhile, for a job of the context.
    mutating func begin(with initial: StateVersion) {
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
