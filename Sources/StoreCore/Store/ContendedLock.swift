internal import Platform
public import Synchronization

/// A value under a lock that many threads want often, and hold for a moment.
///
/// `Mutex` inherits priorities on Linux: a thread that went to sleep on it has it handed over. Then whoever gives it back
/// comes last, goes to sleep too, and from there on each turn costs a switch of threads: twenty times the work that is done
/// under the lock. (Blasgen, Gray, Mitoma and Price, "The Convoy Phenomenon", 1979.) So there this is a lock of its own, which
/// goes to whoever comes first; and a thread lets others run before it goes to sleep, in which time whoever is inside is
/// mostly done. On Apple's systems it is a `Mutex`, which hands nothing over, and lends the priority of who waits to who is
/// inside.
///
/// Not for code of the app that may come back for the same lock: that waits for itself.
@usableFromInline
final class ContendedLock<Value: Sendable>: @unchecked Sendable {
    #if canImport(Darwin)
    @usableFromInline let mutex: Mutex<Value>

    @usableFromInline
    init(_ value: Value) { mutex = Mutex(value) }

    /// Runs a closure under the lock.
    @inlinable
    @inline(__always)
    func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try mutex.withLock { value throws(Failure) in try body(&value) }
    }

    /// Runs a closure under the lock, if nobody has it.
    @inlinable
    @inline(__always)
    func withLockIfAvailable<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try mutex.withLockIfAvailable { value throws(Failure) in try body(&value) }
    }
    #else
    // Unchecked: the value is touched by who has the turn only.
    @usableFromInline let lock = AdaptiveLock()
    @exclusivity(unchecked) @usableFromInline var value: Value

    @usableFromInline
    init(_ value: Value) { self.value = value }

    /// Runs a closure under the lock.
    @inlinable
    @inline(__always)
    func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// Runs a closure under the lock, if nobody has it.
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

/// How a thread waits for what another one is about to be done with.
enum Spin {
    /// How often a thread lets others run before it goes to sleep: some ten microseconds, far more than a commit takes.
    static let limit = 64

    static func yield() { SystemThread.yield() }
}

#if !canImport(Darwin)
/// Which thread is inside a ``ContendedLock``.
///
/// A word says whether anybody is, and whether anybody sleeps; the third of the locks in Ulrich Drepper, "Futexes Are Tricky",
/// 2011, asleep on a condition.
@usableFromInline
struct AdaptiveLock: ~Copyable, Sendable {
    /// 0 where nobody is inside, 1 where somebody is, 2 where another one may sleep, too.
    @usableFromInline let word = Synchronization.Atomic<UInt32>(0)
    private let sleepers = ThreadSignal()

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
        sleepers.lock()
        // Whoever takes it here leaves it awaited: another one may sleep, too.
        while word.exchange(2, ordering: .acquiring) != 0 { sleepers.wait() }
        sleepers.unlock()
    }

    @usableFromInline
    func wakeOne() {
        // Under the lock, or a thread between its look at the word and its sleep would not hear it.
        sleepers.lock()
        sleepers.wakeOne()
        sleepers.unlock()
    }
}
#endif
