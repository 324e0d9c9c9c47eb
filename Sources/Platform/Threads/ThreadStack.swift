#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The present thread's stack, so that recursion can be refused before its end is reached.
public enum ThreadStack {
    /// An address near the top of the present stack frame.
    @inlinable @inline(__always)
    public static func pointer() -> UInt {
        var marker: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
    }

    /// The stack's lowest address; nil where the system does not report it.
    ///
    /// - Complexity: not cheap: for the main thread Linux reads a file of `/proc`.
    package static func lowestAddress() -> UInt? {
        #if canImport(Darwin)
        let thread = unsafe pthread_self()
        return unsafe UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
        #else
        var attributes = pthread_attr_t()
        var address: UnsafeMutableRawPointer?
        var size = 0
        guard let getAttributes = unsafe getAttributes, unsafe getAttributes(pthread_self(), &attributes) == 0 else {
            return nil
        }
        defer { unsafe pthread_attr_destroy(&attributes) }
        guard unsafe pthread_attr_getstack(&attributes, &address, &size) == 0, let address = unsafe address else {
            return nil
        }
        return UInt(bitPattern: address)
        #endif
    }

    #if !canImport(Darwin)
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// The C library has the function, but its header shows it to GNU sources only.
    private static let getAttributes: GetAttributes? = unsafe dlsym(nil, "pthread_getattr_np").map {
        unsafe unsafeBitCast($0, to: GetAttributes.self)
    }
    #endif
}

/// A thread with a stack that is large enough for the deepest query and the deepest value that the limits allow.
///
/// The evaluator and the value tree recurse; the main thread's 8 MiB would end such a run with a crash.
package enum LargeStack {
    /// Bytes of stack, of which a shallow run touches a few pages.
    package static let size = 512 << 20

    /// Runs the body on such a thread and waits for it.
    package static func run<Value>(_ body: () -> Value) -> Value { SystemThread.run(stackSize: size, body) }
}
