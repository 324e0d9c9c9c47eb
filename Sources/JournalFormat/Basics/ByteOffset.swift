/// A place in a journal's bytes, counted from 0. Of a compressed journal: in what it unpacks to.
public struct ByteOffset: Sendable, Hashable, Comparable {
    public let rawValue: Int

    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// The first byte of the file.
    public static let zero = ByteOffset(0)

    public static func < (left: ByteOffset, right: ByteOffset) -> Bool { left.rawValue < right.rawValue }
}

/// The number of a line of a journal, counted from 1 as editors do.
public struct LineNumber: Sendable, Hashable, Comparable {
    public let rawValue: Int

    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// The line with the `journal` record.
    public static let first = LineNumber(1)

    public static func < (left: LineNumber, right: LineNumber) -> Bool { left.rawValue < right.rawValue }
}
