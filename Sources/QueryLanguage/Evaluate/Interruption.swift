internal import JSONCore

/// Why an evaluation left its course.
enum Interruption: Error {
    /// A run-time error, with the value that `catch` gets.
    case failure(JSONValue)
    /// `break` on its way to the label of this number.
    case broken(label: Int)
    /// A limit was reached; `try` does not catch it.
    case limit(QueryLimit)

    /// An error with a message.
    static func message(_ text: String) -> Interruption { .failure(.string(text)) }
}

/// A limit of evaluation.
///
/// Each is a named constant in `QueryLimits`, so that no query can hang or exhaust its process.
public enum QueryLimit: Sendable, Equatable {
    /// More steps than `QueryLimits.steps`.
    case steps
    /// Calls nested deeper than the thread's stack carries.
    case callDepth
    /// A value nested deeper than `QueryLimits.depth` allows.
    case valueDepth
    /// An array or a string larger than `QueryLimits.size`.
    case size
}

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
    /// How deep frames may hang on frames: letting them go takes a microsecond and more each.
    static let frames = 1_000_000
    /// What is left of the stack when calls are refused: what one activation may need for its own nesting.
    static let stackReserve = 1 << 20

    /// Limits of your own.
    public init(steps: Int, size: Int) {
        self.steps = steps
        self.size = size
    }
}

/// What whoever takes outputs answers.
enum Flow {
    /// Go on.
    case more
    /// No more outputs are wanted.
    case stop
    /// A call in tail position waits in the machine; whoever runs function bodies goes on with it.
    case tail
}

/// How many outputs a node has for each input, as far as its text tells.
enum Cardinality: UInt8, Comparable {
    case one
    case optional
    case many

    static func < (a: Cardinality, b: Cardinality) -> Bool { a.rawValue < b.rawValue }
}
