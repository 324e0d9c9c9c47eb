#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

/// A mutex of the system's threads with the calls of `Synchronization.Mutex`, for the thread sanitizer.
///
/// On Linux `Synchronization.Mutex` is a futex, whose waiting half is in a library that the sanitizer does not see: a lock
/// that was waited for orders nothing in its eyes, and whatever it guards is reported as a race. The sanitizer knows each
/// call of `pthread_mutex_t`. With `STATE_INSPECT_PTHREAD_MUTEX` in the environment of the build, the plugin beside this file
/// compiles it into every module, where its name is found before the imported one.
@usableFromInline
struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Unchecked: the value is touched under the mutex only. On the heap, since neither may be moved.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    @usableFromInline
    init(_ initialValue: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        value = .allocate(capacity: 1)
        value.initialize(to: initialValue)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @usableFromInline
    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let status = pthread_mutex_lock(mutex)
        precondition(status == 0, "a lock that this thread already holds")
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    @usableFromInline
    borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
