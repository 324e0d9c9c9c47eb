#if canImport(Dispatch)
public import Dispatch
#endif
internal import Platform

/// Where a subscriber's closure runs.
///
///     store.subscribe(on: .queue(saving)) { changes in save(changes.current) }
///
/// In any context, the closure is called with each version once, in order, never twice at a time, and its commits have
/// the delivered commit as their cause. Inline is the cheapest. Inline, and at once on the main actor, the subscriber is
/// done when the commit returns, and receives every version. Elsewhere the commit does not wait for it. Versions wait in
/// memory until it receives them, unless it asks for another ``ChangesBuffering`` the newest 1,024: a subscriber that is
/// slower misses some in the middle, and never the last one.
public struct DeliveryContext: Sendable {
    /// Runs a closure in the context, at some time; nil runs it inline.
    let schedule: (@Sendable (_ job: @escaping @Sendable () -> Void) -> Void)?
    /// Whether the current thread is in the context; nil if closures always run in a job of their own.
    private let isCurrent: (@Sendable () -> Bool)?
    private let actor: (any Actor)?
    /// How many versions may wait for a subscriber that asks for no buffering of its own.
    let limit: Int

    /// - Parameter limit: nil for the newest 1,024, or for all where a closure may run on a thread that delivers: commits wait
    ///   for room then (``Delivery/waitForRoom(_:)``).
    private init(
        schedule: (@Sendable (_ job: @escaping @Sendable () -> Void) -> Void)?,
        isCurrent: (@Sendable () -> Bool)? = nil, actor: (any Actor)? = nil, limit: Int? = nil
    ) {
        if let schedule {
            self.schedule = { job in schedule { DeliveryContext.runApart(job) } }
        } else {
            self.schedule = nil
        }
        self.isCurrent = isCurrent
        self.actor = actor
        self.limit = limit ?? (schedule == nil || isCurrent != nil ? .max : DeliveryLine.limit)
    }

    /// Runs a job outside of the undo group and the dispatch that scheduled it, which a task inherits.
    private static func runApart(_ job: () -> Void) {
        UndoGroup.$current.withValue([:]) { DispatchOrigin.$current.withValue(nil, operation: job) }
    }

    /// Whether a closure may run on any thread.
    var isInline: Bool { schedule == nil }
    /// Whether a closure may run on a thread that delivers.
    var mayRunHere: Bool { schedule == nil || isCurrent != nil }
    var isHere: Bool { schedule == nil || isCurrent?() ?? false }

    /// On the thread that commits, or on the one that is already delivering, before it continues.
    public static let inline = DeliveryContext(schedule: nil)

    /// On the main actor, in a later turn of it, even if the commit is made there.
    public static let mainActor = DeliveryContext(
        schedule: { job in Task { @MainActor in job() } }, actor: MainActor.shared)

    /// On the main actor: before the commit returns if that is made there, as is the first delivery of a subscription
    /// that is made there; else in a later turn.
    ///
    /// What other threads have committed before comes first, in the same turn. Where another thread is delivering, a
    /// commit on the main actor is received in a later turn, too: it does not wait for that thread.
    public static let mainActorAtOnce = DeliveryContext(
        schedule: mainActor.schedule, isCurrent: { MainQueue.isCurrent }, actor: MainActor.shared)

    /// On an actor, in a later turn of it.
    public static func actor(_ actor: some Actor) -> DeliveryContext {
        DeliveryContext(schedule: { job in Task { await actor.run(job) } }, actor: actor)
    }

    /// Where a closure of an actor runs, or one of none.
    package static func running(_ isolation: (any Actor)?) -> DeliveryContext {
        guard let isolation else { return inline }
        return isolation === MainActor.shared ? mainActorAtOnce : actor(isolation)
    }

    /// The context, which has to be one of the closure's actor, if that has one.
    package func allowing(_ isolation: (any Actor)?) -> DeliveryContext {
        requirement(
            isolation == nil || isolation === actor,
            "a subscriber's closure belongs to an actor, and 'on:' names a context that is not the actor's")
        return self
    }

    /// A closure of an actor as one that a context of the actor calls, which is on the actor then.
    package static func unisolated<Value>(
        _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
    ) -> @Sendable (Value) -> Void {
        // Both are called alike: the isolation is data beside what the closure has captured, which only callers look at.
        unsafe unsafeBitCast(receive, to: (@Sendable (Value) -> Void).self)
    }

    #if canImport(Dispatch)
    /// On a dispatch queue, serial or concurrent.
    public static func queue(_ queue: DispatchQueue) -> DeliveryContext {
        DeliveryContext(schedule: { job in queue.async(execute: job) })
    }
    #endif

    /// In another context, but once in an interval at most, with the newest version that there is then.
    ///
    ///     store.subscribe(\.document, on: .throttled(.seconds(1))) { document in save(document) }
    ///
    /// The first version is received at once, what comes in the interval after it at the end of that: the last one always is.
    /// Make one for each subscription.
    ///
    /// - Parameters:
    ///   - context: where the closure runs; inline, on a thread of the system's, since nothing commits there.
    ///   - clock: measures the interval.
    public static func throttled<WaitClock: Clock<Duration>>(
        _ interval: Duration, on context: DeliveryContext = .inline, clock: WaitClock = ContinuousClock()
    ) -> DeliveryContext {
        let next = Locked<WaitClock.Instant?>(nil)
        return DeliveryContext(
            schedule: { job in
                let now = clock.now
                let start = next.modify { next in
                    let start = next.map { max($0, now) } ?? now
                    next = start.advanced(by: interval)
                    return start
                }
                Task {
                    if start > now { try? await clock.sleep(until: start, tolerance: nil) }
                    if let schedule = context.schedule { schedule(job) } else { job() }
                }
            }, actor: context.actor, limit: 1)
    }

    /// Runs a closure on a thread of the system, so that it does not hold up a commit.
    static func other(_ job: @escaping @Sendable () -> Void) {
        #if canImport(Dispatch)
        // A serial queue gets a thread even while the app keeps all those of the global queues busy, perhaps with
        // commits that wait for room.
        DispatchQueue(label: "StateStore.delivery").async(execute: job)
        #else
        Task.detached { job() }
        #endif
    }

    /// Wherever the caller's closure runs the jobs that it is given.
    ///
    /// - Parameter schedule: must run each job once, at any time and on any thread. A job receives all versions that
    ///   have come until then, so there are fewer jobs than versions.
    public static func scheduled(
        by schedule: @escaping @Sendable (_ job: @escaping @Sendable () -> Void) -> Void
    ) -> DeliveryContext {
        DeliveryContext(schedule: schedule)
    }
}

extension Actor {
    fileprivate func run(_ job: @Sendable () -> Void) { job() }
}

private enum MainQueue {
    #if canImport(Dispatch)
    // The queue and not the thread: after `dispatchMain()` other threads serve it.
    private static let mark: DispatchSpecificKey<Bool> = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }
    #else
    /// Not known: then everything is received in a later turn.
    static var isCurrent: Bool { false }
    #endif
}
