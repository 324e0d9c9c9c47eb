#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// How much of the calling thread's stack is left, for a recursion that must end with an error before the stack does.
struct StackRoom {
    /// What is kept for a value's own `encode(to:)` and for the unwinding.
    private static let reserve: UInt = 96 * 1_024

    /// The address below which there is no more room; 0 where the system does not tell.
    private let floor: UInt

    /// Asks for the stack of the calling thread.
    ///
    /// Not cheap: the main thread's may be read from a file.
    init() {
        #if canImport(Darwin)
        let thread = pthread_self()
        floor =
            UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread)) + Self.reserve
        #else
        var attributes = pthread_attr_t()
        var start: UnsafeMutableRawPointer?
        var size = 0
        guard let read = Self.readAttributes, read(pthread_self(), &attributes) == 0 else {
            floor = 0
            return
        }
        let known = pthread_attr_getstack(&attributes, &start, &size) == 0
        pthread_attr_destroy(&attributes)
        floor = known ? UInt(bitPattern: start) + Self.reserve : 0
        #endif
    }

    #if !canImport(Darwin)
    private typealias ReadAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

    /// `pthread_getattr_np`, which the headers show to GNU sources only.
    private static let readAttributes: ReadAttributes? = dlsym(nil, "pthread_getattr_np").map {
        unsafeBitCast($0, to: ReadAttributes.self)
    }
    #endif

    /// Whether there is room for another level.
    var isLeft: Bool {
        var here: UInt8 = 0
        return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) > floor }
    }
}
