import JSONCore

/// A text from a journal that is counted.
///
/// Its UTF-8 bytes distinguish it from others.
public struct CountedName: Sendable, Hashable {
    /// The text.
    public let text: String

    /// The name of this text.
    public init(_ text: String) { self.text = text }

    /// Whether both have the same bytes.
    public static func == (left: CountedName, right: CountedName) -> Bool { UTF8Order.equal(left.text, right.text) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Ascending by bytes.
    public static func isBefore(_ left: CountedName, _ right: CountedName) -> Bool {
        UTF8Order.isLess(left.text, right.text)
    }
}
