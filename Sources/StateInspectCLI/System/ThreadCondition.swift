#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A value that several threads share, with a lock, and a way to wait until it has changed: what `Mutex` does not offer.
final class ThreadCondition<Value>: @unchecked Sendable {
    // Unchecked: the value is only touched under the lock, and both pointers are made for use from many threads.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Changes the value and wakes everybody who waits.
    func change(_ body: (inout Value) -> Void) {
        pthread_mutex_lock(mutex)
        body(&value)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Asks under the lock until there is an answer; between two tries it waits for a change.
    func wait<Answer>(for body: (inout Value) -> Answer?) -> Answer {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let answer = body(&value) {
                // What was taken may be what another one waits for to be gone.
                pthread_cond_broadcast(condition)
                return answer
            }
            pthread_cond_wait(condition, mutex)
        }
    }
}
