internal import Platform

/// Runs work on a thread with a large stack, so that deeply recursive queries get as far as in jq.
///
/// The stack is only reserved: memory is taken as it is used.
public enum QueryThread {
    /// A gigabyte carries recursion some million levels deep.
    public static let defaultStackSize = 1 << 30

    /// Runs the body on a new thread and waits for it.
    ///
    /// Where no thread with such a stack can be made, the body runs on the present one.
    ///
    /// - Parameters:
    ///   - stackSize: in bytes.
    ///   - body: must not be isolated to an actor: it runs on a thread that no actor owns.
    public static func run<Result>(stackSize: Int = defaultStackSize, _ body: () -> Result) -> Result {
        SystemThread.run(stackSize: stackSize, body)
    }
}
