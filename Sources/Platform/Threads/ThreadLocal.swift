#if canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#else
public import Darwin
#endif

/// One pointer for each thread, nil at first: a read costs a nanosecond, where a task-local costs more than a lock.
public struct ThreadLocal: Sendable {
    @usableFromInline let key: pthread_key_t

    /// Takes one of the process's places for such pointers, which is never given back; nil where none is left.
    public init?() {
        var key = pthread_key_t()
        guard pthread_key_create(&key, nil) == 0 else { return nil }
        self.key = key
    }

    /// The present thread's pointer.
    @inlinable @inline(__always)
    public var pointer: UnsafeMutableRawPointer? { pthread_getspecific(key) }

    /// Sets the present thread's pointer.
    @inlinable @inline(__always)
    public func set(_ pointer: UnsafeRawPointer?) { pthread_setspecific(key, pointer) }
}
