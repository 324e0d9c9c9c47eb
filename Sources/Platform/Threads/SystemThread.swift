#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A thread of the system, with a stack of a chosen size.
@safe
package struct SystemThread {
    private let handle: pthread_t

    /// - Parameters:
    ///   - stackSize: bytes of stack; nil for the system's own choice.
    ///   - takesSignals: false where signals belong to the app that uses the library.
    /// - Throws: `SystemFailure` where the system refuses; the body then has not run.
    package static func start(
        stackSize: Int? = nil, takesSignals: Bool = true, _ body: @escaping () -> Void
    ) throws(SystemFailure) -> SystemThread {
        var attributes = pthread_attr_t()
        var code = unsafe pthread_attr_init(&attributes)
        guard code == 0 else { throw SystemFailure("pthread_attr_init", code: code) }
        defer { unsafe pthread_attr_destroy(&attributes) }
        if let stackSize {
            code = unsafe pthread_attr_setstacksize(&attributes, stackSize)
            guard code == 0 else { throw SystemFailure("pthread_attr_setstacksize", code: code) }
        }
        if takesSignals { return unsafe try create(&attributes, body) }
        // A thread begins with the signal mask of the thread that starts it.
        var blocked = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&blocked)
        unsafe pthread_sigmask(SIG_SETMASK, &blocked, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return unsafe try create(&attributes, body)
    }

    /// Runs the body on a thread with a large stack and waits for it; on the current one where the system refuses a thread.
    ///
    /// The memory is virtual: only what is used counts.
    ///
    /// - Parameter body: must not be isolated to an actor: it runs on a thread that no actor owns.
    package static func run<Value>(stackSize: Int, _ body: () -> Value) -> Value {
        var value: Value?
        // Its check holds the length of the file's path. Under a short name the program is the same wherever it is built.
        #sourceLocation(file:"SystemThread.run",line:50)
        withoutActuallyEscaping({ value = body() }) { (escapable: @escaping () -> Void) in
            guard let thread = try? start(stackSize: stackSize, escapable) else { return escapable() }
            thread.join()
        }
        #sourceLocation()
        guard let value else { preconditionFailure("SystemThread.run: the thread ended without a value") }
        return value
    }

    /// Waits until the body has returned; what it wrote is then visible here.
    package func join() {
        #if canImport(Darwin)
        unsafe pthread_join(handle, nil)
        #else
        pthread_join(handle, nil)
        #endif
    }

    package func detach() {
        #if canImport(Darwin)
        unsafe pthread_detach(handle)
        #else
        pthread_detach(handle)
        #endif
    }

    /// Carries the body through the C interface.
    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) { self.run = run }
    }

    private static func create(
        _ attributes: UnsafePointer<pthread_attr_t>, _ body: @escaping () -> Void
    ) throws(SystemFailure) -> SystemThread {
        let argument = unsafe Unmanaged.passRetained(Body(body))
        #if canImport(Glibc)
        var handle = pthread_t()
        let code = unsafe pthread_create(
            &handle, attributes, { unsafe SystemThread.runBody($0) }, unsafe argument.toOpaque())
        if code == 0 { return SystemThread(handle: handle) }
        #else
        var handle: pthread_t?
        let code = unsafe pthread_create(
            &handle, attributes, { unsafe SystemThread.runBody($0) }, unsafe argument.toOpaque())
        if code == 0, let handle = unsafe handle { return unsafe SystemThread(handle: handle) }
        #endif
        unsafe argument.release()
        throw SystemFailure("pthread_create", code: code)
    }

    private static func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }

    package static func yield() { sched_yield() }
}
