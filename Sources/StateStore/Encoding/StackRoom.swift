internal import Platform

/// How much of the calling thread's stack is left, for a recursion that must end with an error before the stack does.
struct StackRoom {
    /// What is kept for a value's own `encode(to:)` and for the unwinding.
    private static let reserve: UInt = 96 * 1_024

    /// The address below which there is no more room; 0 where the system does not tell.
    private let floor: UInt

    /// Asks for the stack of the calling thread.
    ///
    /// Not cheap: the main thread's may be read from a file.
    init() { floor = ThreadStack.lowestAddress().map { $0 + Self.reserve } ?? 0 }

    /// Whether there is room for another level.
    var isLeft: Bool {
        var here: UInt8 = 0
        return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) > floor }
    }
}
