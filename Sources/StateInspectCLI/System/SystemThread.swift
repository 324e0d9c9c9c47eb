#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread of the system, with a stack of a chosen size.
struct SystemThread {
    private let handle: pthread_t

    /// Starts a thread that runs the body.
    ///
    /// - Parameters:
    ///   - stackSize: bytes of stack; nil for the system's own choice.
    ///   - body: runs on the thread, once.
    /// - Returns: nil where the system refuses; the body then has not run.
    static func start(stackSize: Int? = nil, _ body: @escaping () -> Void) -> SystemThread? {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        if let stackSize, pthread_attr_setstacksize(&attributes, stackSize) != 0 { return nil }
        let argument = Unmanaged.passRetained(Body(body))
        guard let handle = create(&attributes, argument.toOpaque()) else {
            argument.release()
            return nil
        }
        return SystemThread(handle: handle)
    }

    /// Waits until the body has returned; what it wrote is then visible here.
    func join() { pthread_join(handle, nil) }

    /// Lets the thread end by itself.
    func detach() { pthread_detach(handle) }

    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) { self.run = run }
    }

    private static func create(_ attributes: UnsafePointer<pthread_attr_t>, _ argument: UnsafeMutableRawPointer)
        -> pthread_t?
    {
        #if canImport(Glibc)
        var handle: pthread_t = 0
        #else
        var handle: pthread_t?
        #endif
        let code = pthread_create(&handle, attributes, { SystemThread.runBody($0) }, argument)
        return code == 0 ? handle : nil
    }

    private static func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
