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

    /// The present thread's identity, which no other one has at the time: a number other than 0.
    @inlinable @inline(__always)
    public static var threadIdentity: UInt {
        #if canImport(Glibc)
        UInt(pthread_self())
        #else
        unsafe UInt(bitPattern: pthread_self())
        #endif
    }

    /// Takes one of the process's places for such pointers, which is never given back; nil where none is left.
    public init?() {
        var key = pthread_key_t()
        guard unsafe pthread_key_create(&key, nil) == 0 else { return nil }
        self.key = key
    }

    /// The present thread's pointer.
    @inlinable @inline(__always)
    public var pointer: UnsafeMutableRawPointer? { unsafe pthread_getspecific(key) }

    /// The present thread's pointer as a number, 0 where it is nil.
    @inlinable @inline(__always)
    public var number: UInt { unsafe UInt(bitPattern: pthread_getspecific(key)) }

    /// Sets the present thread's pointer to a number.
    @inlinable @inline(__always)
    public func set(number: UInt) { unsafe _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: number)) }

    /// Sets the present thread's pointer.
    @inlinable @inline(__always)
    public func set(_ pointer: UnsafeRawPointer?) { unsafe pthread_setspecific(key, pointer) }
}

/// A value for each thread, which lies on the thread's stack while a closure runs; nil elsewhere.
public struct ThreadValue<Value>: Sendable {
    /// Nothing else sets it, so what it points to is a value.
    @usableFromInline let place: ThreadLocal

    /// Takes one of the process's places for such values; nil where none is left.
    public init?() {
        guard let place = ThreadLocal() else { return nil }
        self.place = place
    }

    /// The present thread's value.
    @inlinable @inline(__always)
    public var current: Value? { unsafe place.pointer?.assumingMemoryBound(to: Value.self).pointee }

    /// Whether the present thread has one.
    @inlinable @inline(__always)
    public var isSet: Bool { unsafe place.pointer != nil }

    /// Runs a closure with a value for the present thread, which has the one from before again after it.
    ///
    /// - Parameter isFirst: whether there is none before, which then is not looked for.
    @inlinable @inline(__always)
    public func setting<Result, Failure: Error>(
        _ value: Value, isFirst: Bool = false, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = unsafe isFirst ? nil : place.pointer
        defer { unsafe place.set(outer) }
        return try unsafe withUnsafePointer(to: value) { pointer throws(Failure) in
            unsafe place.set(pointer)
            return try body()
        }
    }
}
