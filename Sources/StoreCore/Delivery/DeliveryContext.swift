#if canImport(Dispatch)
public import Dispatch
#endif

/// Where a subscriber's closure runs.
///
///     store.subscribe(on: .queue(saving)) { changes in save(changes.current) }
///
/// In any context, the closure is called with each version once, in order, never twice at a time, and its commits have
/// the delivered commit as their cause. Inline is the cheapest, and the only one that is done when the commit returns;
/// elsewhere the commit does not wait for the subscriber, and versions wait in memory until it receives them.
public struct DeliveryContext: Sendable {
    /// Runs a closure in the context, at some time; nil runs it inline.
    let schedule: (@Sendable (_ job: @escaping @Sendable () -> Void) -> Void)?

    /// On the thread that commits, or on the one that is already delivering, before it continues.
    public static let inline = DeliveryContext(schedule: nil)

    /// On the main actor, in a later turn of it, even if the commit is made there.
    public static let mainActor = DeliveryContext { job in Task { @MainActor in job() } }

    /// A closure of the main actor as one that ``mainActor`` may call, which is on the main actor then.
    package static func onMainActor<Value: Sendable>(
        _ receive: @escaping @MainActor (Value) -> Void
    ) -> @Sendable (Value) -> Void {
        { value in MainActor.assumeIsolated { receive(value) } }
    }

    #if canImport(Dispatch)
    /// On a dispatch queue, serial or concurrent.
    public static func queue(_ queue: DispatchQueue) -> DeliveryContext {
        DeliveryContext { job in queue.async(execute: job) }
    }
    #endif

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
