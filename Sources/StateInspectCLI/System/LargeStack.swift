/// A thread with a stack that is large enough for the deepest query and the deepest value that the limits allow.
///
/// The evaluator and the value tree recurse; the main thread's 8 MiB would end such a run with a crash. The memory is
/// virtual: only what is used counts.
enum LargeStack {
    /// Bytes of stack, of which a shallow run touches a few pages.
    static let size = 512 << 20

    /// Runs the body on such a thread and waits for it; on the current one where the system refuses a thread.
    static func run<Value>(_ body: @escaping () -> Value) -> Value {
        var value: Value?
        guard let thread = SystemThread.start(stackSize: size, { value = body() }) else { return body() }
        thread.join()
        guard let value else { preconditionFailure("the thread ended without a value") }
        return value
    }
}
