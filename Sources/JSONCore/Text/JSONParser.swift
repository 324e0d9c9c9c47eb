/// In which order the members of parsed objects stand.
public enum MemberOrder: Sendable {
    /// As the text has them.
    case asWritten
    /// Ascending by the bytes of their keys, as states are held.
    case ascending
}

/// Reads a whole JSON text into a value, strictly by RFC 8259.
///
/// A lone surrogate escape becomes U+FFFD and of a repeated key the last value stays, as in jq; RFC 8259 leaves both open.
public enum JSONParser {
    /// Parses a text of bytes.
    ///
    /// - Parameters:
    ///   - bytes: the text; white space around the value is allowed, a byte order mark is not.
    ///   - order: how the members of objects are ordered.
    ///   - limits: how deep it may nest and how long its numbers may be.
    /// - Throws: `JSONError` with the byte at which the text stops being JSON.
    /// - Complexity: O(*n*), without recursion; sorting members adds O(*m* log *m*) for an object of *m*.
    public static func parse(
        _ bytes: ByteView, order: MemberOrder = .asWritten, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        try JSONTape(length: bytes.count).value(of: bytes, limits: limits, order: order)
    }

    /// Parses a text of bytes.
    public static func parse(
        _ bytes: [UInt8], order: MemberOrder = .asWritten, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        try bytes.withBytes { (bytes) throws(JSONError) in try parse(bytes, order: order, limits: limits) }
    }

    /// Parses a text.
    public static func parse(
        _ text: String, order: MemberOrder = .asWritten, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        try text.withBytes { (bytes) throws(JSONError) in try parse(bytes, order: order, limits: limits) }
    }

    /// Parses a text of bytes, building only what a set of paths reads.
    ///
    /// Members outside the set are left out and elements outside it are null, so that every array keeps its length. What is
    /// left out is passed over by its brackets and quotes and not otherwise checked.
    ///
    /// - Complexity: O(*n*) to scan, O(*k*) to build the *k* bytes that are wanted.
    public static func parse(
        _ bytes: ByteView, pruning set: PathSet.Node, order: MemberOrder = .ascending,
        limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        try JSONTape().value(of: bytes, limits: limits, pruning: set, order: order)
    }
}

extension JSONParser {
    /// Where the value ends that begins at an index of other text; nil where it does not end.
    ///
    /// The value is passed over by its brackets and quotes and not otherwise checked.
    package static func endOfValue(in bytes: [UInt8], from index: Int) -> Int? {
        bytes.withBytes { index < $0.count ? JSONBytes($0).endOfValue(from: index) : nil }
    }
}
