package enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case negative = 1
    case usage = 2
    case unreadable = 3
    case notThere = 4
    case inconclusive = 5

    /// This status, unless it is that all is well: then another.
    package func or(_ other: ExitStatus) -> ExitStatus {
        self == .done ? other : self
    }

    package var meaning: String {
        switch self {
        case .done: "found, equal, healthy"
        case .negative: "the answer is negative: no bad state, states differ, invariant violated, damage found"
        case .usage: "the command line or a query does not parse"
        case .unreadable: "a journal that cannot be read, or output that cannot be written"
        case .notThere: "no such commit, store, path, mark or derived value, or inside a gap"
        case .inconclusive: "inconclusive: a query or a program had no answer where it mattered"
        }
    }

    /// The graver of two: usage before unreadable before missing before inconclusive before negative before done.
    package func worse(_ other: ExitStatus) -> ExitStatus { gravity < other.gravity ? other : self }

    private var gravity: Int {
        switch self {
        case .done: 0
        case .negative: 1
        case .inconclusive: 2
        case .notThere: 3
        case .unreadable: 4
        case .usage: 5
        }
    }
}

/// How a run of the program ended.
public enum ProgramOutcome: Sendable, Equatable {
    case exit(status: Int32)

    /// The reader of the output has gone: the program ends as if by SIGPIPE.
    case outputClosed
}
