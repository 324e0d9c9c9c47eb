internal import Platform
public import Synchronization

/// A value under a lock that many threads take often and hold briefly.
///
/// `Mutex` inherits priorities on Linux: its futex hands the lock to the sleeping waiter, so the releasing thread
/// queues after that one, and every acquisition costs a context switch, twenty times the work done under the lock
/// (Blasgen, Gray, Mitoma and Price, "The Convoy Phenomenon", 1979). So on Linux this is a lock of its own: any thread
/// may take it once it is free, and a waiting thread yields some times before it sleeps, which is mostly long enough.
/// On Apple's systems it is a `Mutex`, which passes nothing to waiters and raises the priority of the thread that holds
/// it.
///
/// Not for code of the app that may take the same lock again: it would wait for itself.
@usableFromInline
final class ContendedLock<Value: Sendable>: @unchecked Sendable {
    #if canImport(Darwin)
    @usableFromInline let mutex: Mutex<Value>

    @usableFromInline
    init(_ value: Value) { mutex = Mutex(value) }

    @inlinable
    @inline(__always)
    func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try mutex.withLock { value throws(Failure) in try body(&value) }
    }

    @inlinable
    @inline(__always)
    func withLockIfAvailable<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try mutex.withLockIfAvailable { value throws(Failure) in try body(&value) }
    }
    #else
    // Unchecked: only the holder of the lock touches the value.
    @usableFromInline let lock = AdaptiveLock()
    @safe @exclusivity(unchecked) @usableFromInline var value: Value

    @usableFromInline
    init(_ value: Value) { self.value = value }

    @inlinable
    @inline(__always)
    func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    @inlinable
    @inline(__always)
    func withLockIfAvailable<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard lock.tryLock() else { return nil }
        defer { lock.unlock() }
        return try body(&value)
    }
    #endif
}

/// How a thread waits for another one that is about to finish.
enum Spin {
    /// How often a thread yields before it sleeps: some ten microseconds, far more than a commit takes.
    static let limit = 64

    static func yield() { SystemThread.yield() }
}

#if !canImport(Darwin)
/// A lock that yields before it sleeps.
///
/// One word says whether the lock is held and whether a thread sleeps on it: the third of the locks in Ulrich Drepper,
/// "Futexes Are Tricky", 2011, asleep on a condition variable.
@usableFromInline
struct AdaptiveLock: ~Copyable, Sendable {
    /// 0 if free, 1 if held, 2 if held and a thread may sleep.
    @usableFromInline let word = Synchronization.Atomic<UInt32>(0)
    /// Made by the first thread that sleeps: most locks never have one.
    private let lazySleepers = AtomicLazyReference<ThreadSignal>()

    private var sleepers: ThreadSignal { lazySleepers.load() ?? lazySleepers.storeIfNil(ThreadSignal()) }

    @usableFromInline
    init() {}

    @inlinable
    @inline(__always)
    func tryLock() -> Bool {
        word.load(ordering: .relaxed) == 0
            && word.compareExchange(expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed)
                .exchanged
    }

    @inlinable
    @inline(__always)
    func lock() { if !tryLock() { lockSlowly() } }

    @inlinable
    @inline(__always)
    func unlock() { if word.exchange(0, ordering: .releasing) == 2 { wakeOne() } }

    @usableFromInline
    func lockSlowly() {
        for _ in 0..<Spin.limit {
            Spin.yield()
            if tryLock() { return }
        }
        let sleepers = sleepers
        sleepers.lock()
        // Taken here, the word stays 2: another thread may sleep, too.
        while word.exchange(2, ordering: .acquiring) != 0 { sleepers.wait() }
        sleepers.unlock()
    }

    @usableFromInline
    func wakeOne() {
        let sleepers = sleepers
        // Under the lock, or a thread between its look at the word and its sleep would miss the signal.
        sleepers.lock()
        sleepers.wakeOne()
        sleepers.unlock()
    }
}
#endif
