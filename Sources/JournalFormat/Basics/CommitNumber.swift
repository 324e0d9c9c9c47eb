/// The number of a commit in a journal, and so a position in the run: "after commit N".
///
/// Commits are counted over all stores of a file, from 1. Number 0, or a segment's `after`, is the start.
public struct CommitNumber: Sendable, Hashable, Comparable {
    /// The number itself.
    public let rawValue: Int

    /// Wraps a number, never negative in a whole journal.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// The position before any commit of a journal that is no segment.
    public static let zero = CommitNumber(0)

    /// The largest number that a journal may hold, which leaves room to count on: 2^53, what every JSON reader holds exactly.
    public static let largest = CommitNumber(1 << 53)

    /// The commit after this one.
    public var next: CommitNumber { CommitNumber(rawValue &+ 1) }

    /// The commit before this one.
    public var previous: CommitNumber { CommitNumber(rawValue &- 1) }

    /// Whether one commit was made before the other.
    public static func < (left: CommitNumber, right: CommitNumber) -> Bool { left.rawValue < right.rawValue }
}

extension CommitNumber: CustomStringConvertible {
    /// The number in digits.
    public var description: String { String(rawValue) }
}
