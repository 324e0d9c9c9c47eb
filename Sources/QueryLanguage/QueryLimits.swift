internal import JSONCore
internal import Platform
internal import Synchronization

/// What one evaluation may use at most.
public struct QueryLimits: Sendable {
    /// How many steps it may take: loop rounds, by the size of what they repeat, and outputs of an iteration; a call, a part of
    /// a comma, a container that is built and an output count for several, and what works on large values, or compiles a
    /// regular expression, by their size.
    public var steps: Int
    /// How many bytes a single text that is built may have; an array a quarter as many elements.
    public var size: Int
    /// How many elements a single array that is built may have: 16 bytes each, twice while it grows.
    var elements: Int { size &>> 2 }

    /// A hundred million steps, which take two to eight seconds and bound what is built by 256 MiB, and 32 MiB, or 8 Mi elements.
    public static let standard = QueryLimits(steps: 100_000_000, size: 1 << 25)

    /// For how many evaluations that a limit stops a query may take steps; at all states after them it is not asked.
    static let stoppedEvaluations = 2
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

/// The sum over all states that the query was asked about: the limits of an evaluation bound the time at one.
final class StoppedSteps: Sendable {
    private let steps = Atomic<Int>(0)

    @inline(__always)
    func areSpent(_ limits: QueryLimits) -> Bool {
        steps.load(ordering: .relaxed) >= limits.steps &* QueryLimits.stoppedEvaluations
    }

    func add(_ count: Int) { steps.wrappingAdd(max(0, count), ordering: .relaxed) }

    func reset() { steps.store(0, ordering: .relaxed) }
}

/// Where the present thread's stack ends, so that recursion can be refused before it gets there.
enum StackRoom {
    /// The lowest address of this thread's stack, got from the system once per thread.
    static var lowestAddress: UInt {
        guard let known else { return systemAddress() }
        if known.number != 0 { return known.number }
        let low = systemAddress()
        known.set(number: low)
        return low
    }

    /// What recursion over a value or a program's text leaves free.
    private static let smallReserve: UInt = 96 * 1024

    static var hasRoom: Bool { ThreadStack.pointer() > lowestAddress + smallReserve }

    private static let known = ThreadLocal()

    /// A quarter of a megabyte below here, if the system gives no answer: every thread's stack has that much.
    private static func systemAddress() -> UInt { ThreadStack.lowestAddress() ?? ThreadStack.pointer() - 256 * 1024 }
}
