#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Runs work on a thread with a large stack, so that deeply recursive queries get as far as in jq.
///
/// The stack is only reserved: memory is taken as it is used.
public enum QueryThread {
    /// A gigabyte carries recursion some million levels deep.
    public static let defaultStackSize = 1 << 30

    /// Unchecked because the thread that made it waits until the other one is done with it.
    private final class Work: @unchecked Sendable {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs the body on a new thread and waits for it.
    ///
    /// Where no thread with such a stack can be made, the body runs on the present one.
    ///
    /// - Parameters:
    ///   - stackSize: in bytes.
    ///   - body: must not be isolated to an actor: it runs on a thread that no actor owns.
    public static func run<Result>(stackSize: Int = defaultStackSize, _ body: () -> Result) -> Result {
        var result: Result?
        withoutActuallyEscaping({ result = body() }) { (escapable: @escaping () -> Void) in
            if !start(Work(escapable), stackSize) { escapable() }
        }
        guard let result else { preconditionFailure("QueryThread.run: the thread ended before its work") }
        return result
    }

    /// Starts the work on a thread of its own and waits for its end; false if there is no such thread.
    private static func start(_ work: Work, _ stackSize: Int) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        guard pthread_attr_setstacksize(&attributes, stackSize) == 0 else { return false }
        return join(work, &attributes)
    }

    #if canImport(Darwin)
    private static func join(_ work: Work, _ attributes: inout pthread_attr_t) -> Bool {
        var thread: pthread_t?
        let code = pthread_create(
            &thread, &attributes,
            { context in
                Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().body()
                return nil
            }, Unmanaged.passUnretained(work).toOpaque())
        guard code == 0, let thread else { return false }
        pthread_join(thread, nil)
        return true
    }
    #else
    private static func join(_ work: Work, _ attributes: inout pthread_attr_t) -> Bool {
        var thread: pthread_t = 0
        let code = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().body() }
                return nil
            }, Unmanaged.passUnretained(work).toOpaque())
        guard code == 0 else { return false }
        pthread_join(thread, nil)
        return true
    }
    #endif
}
