/// The number of a commit in a journal, and so a position in the run: "after commit N".
///
/// Commits are counted over all stores of a file, from 1. Number 0, or a segment's `after`, is the start.
public struct CommitNumber: Sendable, Hashable, Comparable {
    /// The number itself.
    public let rawValue: Int

    /// Wraps a number, never negative in a whole journal.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// The position before any commit, in a journal that is not a segment.
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

/// A place in a journal's bytes, counted from 0; of a packed journal, in what it unpacks to.
public struct ByteOffset: Sendable, Hashable, Comparable {
    /// How many bytes are before it.
    public let rawValue: Int

    /// Wraps a number of bytes.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// The first byte of the file.
    public static let zero = ByteOffset(0)

    /// Whether one place is before the other.
    public static func < (left: ByteOffset, right: ByteOffset) -> Bool { left.rawValue < right.rawValue }
}

extension ByteOffset: CustomStringConvertible {
    /// The number in digits.
    public var description: String { String(rawValue) }
}

/// The number of a line of a journal, counted from 1 as editors do.
public struct LineNumber: Sendable, Hashable, Comparable {
    /// The number itself.
    public let rawValue: Int

    /// Wraps a line's number.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// The line with the `journal` record.
    public static let first = LineNumber(1)

    /// Whether one line is above the other.
    public static func < (left: LineNumber, right: LineNumber) -> Bool { left.rawValue < right.rawValue }
}

extension LineNumber: CustomStringConvertible {
    /// The number in digits.
    public var description: String { String(rawValue) }
}
