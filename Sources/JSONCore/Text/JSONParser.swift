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
        _ bytes: UnsafeRawBufferPointer, order: MemberOrder = .asWritten, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        try parse(bytes, want: .everything, order: order, limits: limits)
    }

    /// Parses a text of bytes.
    public static func parse(
        _ bytes: [UInt8], order: MemberOrder = .asWritten, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        let result = bytes.withUnsafeBytes { raw in
            Result { () throws(JSONError) in try parse(raw, order: order, limits: limits) }
        }
        return try result.get()
    }

    /// Parses a text.
    public static func parse(
        _ text: String, order: MemberOrder = .asWritten, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        var text = text
        let result = text.withUTF8 { utf8 in
            Result { () throws(JSONError) in
                try parse(UnsafeRawBufferPointer(utf8), order: order, limits: limits)
            }
        }
        return try result.get()
    }

    /// Parses a text of bytes, building only what a set of paths reads.
    ///
    /// Members outside the set are left out and elements outside it are null, so that every array keeps its length. What is
    /// left out is passed over by its brackets and quotes and not otherwise checked.
    ///
    /// - Complexity: O(*n*) to scan, O(*k*) to build the *k* bytes that are wanted.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, pruning set: PathSet.Node, order: MemberOrder = .ascending,
        limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        try parse(bytes, want: JSONTreeBuilder.want(set), order: order, limits: limits)
    }

    private static func parse(
        _ bytes: UnsafeRawBufferPointer, want: JSONTreeBuilder.Want, order: MemberOrder, limits: JSONLimits
    ) throws(JSONError) -> JSONValue {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            throw JSONError(.unexpectedEnd(expected: "a value"), at: 0)
        }
        let text = JSONBytes(base: start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        if let scalar = try scalar(text, bytes[0], limits) { return scalar }
        var builder = JSONTreeBuilder(text: text, order: order, limits: limits)
        return try builder.build(want)
    }

    /// The value of a text that begins with a scalar, for which no machine is needed; nil where it begins otherwise.
    @inline(__always)
    private static func scalar(
        _ text: JSONBytes, _ first: UInt8, _ limits: JSONLimits
    ) throws(JSONError) -> JSONValue? {
        // Letters, digits, signs and quotes; white space, brackets and what is not JSON are for the machine.
        guard first == 0x22 || first == 0x2D || (0x30...0x39).contains(first) || (0x61...0x7A).contains(first) else {
            return nil
        }
        var reader = JSONScalarReader(bytes: text, limits: limits)
        let value = try reader.scalar()
        reader.skipWhitespace()
        guard reader.isAtEnd else { throw reader.error(.trailingText) }
        return value
    }
}

extension JSONParser {
    /// Where the value ends that begins at an index of other text; nil where it does not end.
    ///
    /// The value is passed over by its brackets and quotes and not otherwise checked.
    package static func endOfValue(in bytes: [UInt8], from index: Int) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress, index < buffer.count else { return nil }
            return JSONBytes(base: base, count: buffer.count).endOfValue(from: index)
        }
    }
}
