internal import JSONCore
internal import Platform

/// What one evaluation may use at most.
public struct QueryLimits: Sendable {
    /// How many steps it may take: loop rounds, by the size of what they repeat, and outputs of an iteration; a call, a part of
    /// a comma, a container that is built and an output count for several, and what works on large values, or compiles a
    /// regular expression, by their size.
    public var steps: Int
    /// How many elements or bytes a single built value may have.
    public var size: Int

    /// A hundred million steps, which take two to eight seconds and bound all memory by a gigabyte, and 32 Mi elements or bytes.
    public static let standard = QueryLimits(steps: 100_000_000, size: 1 << 25)

    /// How deep values may be nested, as in jq 1.8.
    static let depth = 10_000
    /// How long a path may be, as in jq 1.8.2.
    static let pathLength = 10_000
    /// How deep frames may refer to frames: releasing each takes a microsecond or more.
    static let frames = 1_000_000
    /// The bytes of stack that are left when calls are refused: what one activation may need for its own nesting.
    static let stackReserve = 1 << 20

    /// Limits of your own.
    public init(steps: Int, size: Int) {
        self.steps = steps
        self.size = size
    }
}

/// Where the present thread's stack ends, so that recursion can be refused before it gets there.
enum StackRoom {
    /// The lowest address of this thread's stack, got from the system once per thread.
    static var lowestAddress: UInt {
        guard let known else { return systemAddress() }
        if let low = known.pointer { return UInt(bitPattern: low) }
        let low = systemAddress()
        known.set(UnsafeRawPointer(bitPattern: low))
        return low
    }

    /// What recursion over a value or a program's text leaves free.
    private static let smallReserve: UInt = 96 * 1024

    /// Whether a recursion may go one level deeper.
    static var hasRoom: Bool { Machine.stackPointer() > lowestAddress + smallReserve }

    /// Each thread's lowest address, once it is known.
    private static let known = ThreadLocal()

    /// A quarter of a megabyte below here, if the system gives no answer: every thread's stack has that much.
    private static func systemAddress() -> UInt { ThreadStack.lowestAddress() ?? Machine.stackPointer() - 256 * 1024 }
}
