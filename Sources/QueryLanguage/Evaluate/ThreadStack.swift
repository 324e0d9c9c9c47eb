#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Where the present thread's stack ends, so that recursion can be refused before it gets there.
enum ThreadStack {
    /// The lowest address of this thread's stack; asked of the system once per thread, because for the main thread Linux
    /// reads a file of `/proc` to tell.
    static var lowestAddress: UInt {
        guard let key else { return ask() }
        if let known = pthread_getspecific(key) { return UInt(bitPattern: known) }
        let low = ask()
        _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: low))
        return low
    }

    /// What recursion over a value or a program's text leaves free.
    private static let smallReserve: UInt = 96 * 1024

    /// Whether a recursion may go one level deeper.
    static var hasRoom: Bool { Machine.stackPointer() > lowestAddress + smallReserve }

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    #if canImport(Darwin)
    private static func ask() -> UInt {
        UInt(bitPattern: pthread_get_stackaddr_np(pthread_self())) - UInt(pthread_get_stacksize_np(pthread_self()))
    }
    #else
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// The C library has the function, but its header shows it to GNU sources only.
    private static let getAttributes: GetAttributes? = dlsym(nil, "pthread_getattr_np").map {
        unsafeBitCast($0, to: GetAttributes.self)
    }

    private static func ask() -> UInt {
        var attributes = pthread_attr_t()
        var address: UnsafeMutableRawPointer?
        var size = 0
        guard let getAttributes, getAttributes(pthread_self(), &attributes) == 0 else { return assumed }
        defer { pthread_attr_destroy(&attributes) }
        guard pthread_attr_getstack(&attributes, &address, &size) == 0, let address else { return assumed }
        return UInt(bitPattern: address)
    }

    /// Where the system does not tell: a quarter of a megabyte is on every thread's stack.
    private static var assumed: UInt { Machine.stackPointer() - 256 * 1024 }
    #endif
}
