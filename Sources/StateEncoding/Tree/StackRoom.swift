internal import Platform

/// How much of the calling thread's stack is left, for a recursion that must end with an error before the stack does.
package struct StackRoom {
    /// The bytes kept for a value's own `encode(to:)` and for the unwinding.
    private static let reserve: UInt = 96 * 1_024
    /// The stack's lowest address, once it was found for a thread; 1 if the system does not know it.
    private static let known = ThreadLocal()

    /// The stack's lowest address; 1 if the system does not know it.
    private let lowest: UInt

    /// - Complexity: a look at a thread-local; expensive the first time, as the main thread's stack may be read from a
    ///   file.
    package init() {
        let known = StackRoom.known?.number ?? 0
        lowest = known != 0 ? known : ThreadStack.lowestAddress() ?? 1
        if known == 0 { StackRoom.known?.set(number: lowest) }
    }

    package var isLeft: Bool { left > StackRoom.reserve }

    var left: UInt { ThreadStack.pointer() &- lowest }
}

extension StackRoom {
    /// A stack of this size fits a state of any depth.
    private static let stackSize = 8 << 20
    /// With less than that, even a state that is not deep may not fit.
    private static let leastRoom: UInt = 384 << 10

    /// Whether values of the app can encode themselves on the calling thread's stack.
    package static var isEnough: Bool { StackRoom().left >= leastRoom }

    /// Runs a closure on a stack of its own, for a thread with a small one.
    package static func onLargeStack<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        SystemThread.run(stackSize: stackSize) {
            do throws(Failure) { outcome = .success(try body()) } catch { outcome = .failure(error) }
        }
        guard let outcome else { preconditionFailure("an encoding ended without a result") }
        return try outcome.get()
    }
}
