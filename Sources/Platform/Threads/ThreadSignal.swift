#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A lock with a condition to wait for: what `Mutex` does not offer.
@safe
package final class ThreadSignal: @unchecked Sendable {
    // Unchecked and safe: both pointers are set once; what they point to is made for use from many threads, and lives as long.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        unsafe pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
        unsafe pthread_cond_init(condition, nil)
        #else
        // By the clock that is never set, so that no correction of the time of day makes a wait shorter or longer.
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    package func lock() { unsafe pthread_mutex_lock(mutex) }

    package func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// Gives the lock up until another thread wakes this one; may return for no reason.
    package func wait() { unsafe pthread_cond_wait(condition, mutex) }

    /// Like ``wait()``, for so long at most.
    package func wait(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        #if canImport(Darwin)
        var interval = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        unsafe pthread_cond_timedwait_relative_np(condition, mutex, &interval)
        #else
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
        let nanoseconds = deadline.tv_nsec + Int(attoseconds / 1_000_000_000)
        deadline.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        unsafe pthread_cond_timedwait(condition, mutex, &deadline)
        #endif
    }

    package func wakeOne() { unsafe pthread_cond_signal(condition) }

    package func wakeAll() { unsafe pthread_cond_broadcast(condition) }

    package func locked<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }
}

/// A value that several threads share, with a lock, and a way to wait until it has changed.
package final class ThreadCondition<Value>: @unchecked Sendable {
    // Unchecked: the value is only touched under the lock.
    private let signal = ThreadSignal()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Changes the value and wakes every thread that waits.
    package func change(_ body: (inout Value) -> Void) {
        signal.lock()
        body(&value)
        signal.wakeAll()
        signal.unlock()
    }

    /// Asks under the lock until there is an answer; between two tries it waits for a change.
    package func wait<Answer>(for body: (inout Value) -> Answer?) -> Answer {
        signal.lock()
        defer { signal.unlock() }
        while true {
            if let answer = body(&value) {
                // What was taken may be what another one waits for to be gone.
                signal.wakeAll()
                return answer
            }
            signal.wait()
        }
    }
}
