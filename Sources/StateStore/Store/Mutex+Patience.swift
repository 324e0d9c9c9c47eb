public import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// How a thread waits for what another one is about to be done with.
///
/// A thread that goes to sleep on a lock has the lock handed over to it where the lock inherits priorities, as on Linux. Then
/// whoever gives it back comes last, goes to sleep too, and from there on each turn costs a switch of threads: twenty times
/// the work that is done under the lock. (Blasgen, Gray, Mitoma and Price, "The Convoy Phenomenon", 1979.) So a thread lets
/// others run for a while first, in which time whoever has the lock is mostly done.
@usableFromInline
enum Patience {
    /// How often a thread lets others run before it goes to sleep: some ten microseconds, far more than a commit takes.
    @usableFromInline static let turns = 64

    @usableFromInline
    static func letOthersRun() { sched_yield() }
}

extension Mutex {
    /// As `withLock`, for a lock that many threads want often, and hold for a moment.
    @inlinable
    @inline(__always)
    func withBusyLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        if let result = try withLockIfAvailable(body) { return result }
        return try withLockAfterOthers(body)
    }

    @inlinable
    @inline(never)
    func withLockAfterOthers<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        for _ in 0..<Patience.turns {
            Patience.letOthersRun()
            if let result = try withLockIfAvailable(body) { return result }
        }
        return try withLock(body)
    }
}
