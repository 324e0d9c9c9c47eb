/// A thread with a stack that is large enough for the deepest query and the deepest value that the limits allow.
///
/// The evaluator and the value tree recurse; the main thread's 8 MiB would end such a run with a crash.
package enum LargeStack {
    /// Bytes of stack, of which a shallow run touches a few pages.
    package static let size = 512 << 20

    /// Runs the body on such a thread and waits for it.
    package static func run<Value>(_ body: () -> Value) -> Value { SystemThread.run(stackSize: size, body) }
}
