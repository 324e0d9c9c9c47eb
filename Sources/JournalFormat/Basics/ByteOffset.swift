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
