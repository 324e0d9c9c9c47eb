/// A JSON Pointer, RFC 6901: the way from a value to one of its parts.
///
/// Pointers are compared by the bytes of their segments.
public struct JSONPointer: Sendable {
    /// The names and indices on the way, unescaped; none of them is the whole value.
    public var segments: [String]

    /// A pointer of unescaped segments; without any it points at the whole value.
    public init(_ segments: [String] = []) {
        self.segments = segments
    }

    /// Reads the text form: empty, or segments that are each led by `/`, with `~0` for `~` and `~1` for `/` (RFC 6901 §3).
    ///
    /// - Throws: ``JSONPointerError`` with the UTF-8 offset of what is wrong.
    public init(parsing text: String) throws(JSONPointerError) {
        if let plain = JSONPointer.plainSegments(text) {
            segments = plain
            return
        }
        var bytes = text.utf8[...]
        segments = []
        guard let first = bytes.popFirst() else { return }
        guard first == UInt8(ascii: "/") else {
            throw JSONPointerError(text: text, fact: .missingSlash, offset: 0)
        }
        for piece in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            segments.append(try JSONPointer.unescape(piece, of: text))
        }
    }

    /// The segments of a text in which nothing is escaped; nil where something is, or the text is not a pointer.
    private static func plainSegments(_ text: String) -> [String]? {
        text.withBytes { bytes in
            guard bytes.first == UInt8(ascii: "/") else { return nil }
            var count = 0
            for byte in bytes {
                if byte == UInt8(ascii: "~") { return nil }
                if byte == UInt8(ascii: "/") { count += 1 }
            }
            var segments: [String] = []
            segments.reserveCapacity(count)
            var start = 1
            for end in 1..<bytes.count where bytes[end] == UInt8(ascii: "/") {
                segments.append(String(decoding: bytes.extracting(start..<end), as: UTF8.self))
                start = end + 1
            }
            segments.append(String(decoding: bytes.extracting(start...), as: UTF8.self))
            return segments
        }
    }

    private static func unescape(
        _ piece: Substring.UTF8View, of text: String
    ) throws(JSONPointerError) -> String {
        guard piece.contains(UInt8(ascii: "~")) else { return String(Substring(piece)) }
        var plain: [UInt8] = []
        var index = piece.startIndex
        while index < piece.endIndex {
            let byte = piece[index]
            let place = index
            piece.formIndex(after: &index)
            guard byte == UInt8(ascii: "~") else {
                plain.append(byte)
                continue
            }
            switch index < piece.endIndex ? piece[index] : 0 {
            case UInt8(ascii: "0"): plain.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): plain.append(UInt8(ascii: "/"))
            default:
                let offset = text.utf8.distance(from: text.utf8.startIndex, to: place)
                throw JSONPointerError(text: text, fact: .badEscape, offset: offset)
            }
            piece.formIndex(after: &index)
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// The text form, which reads back as this pointer.
    public var text: String {
        var text = ""
        for segment in segments {
            text += "/"
            JSONPointer.appendEscaped(segment, to: &text)
        }
        return text
    }

    /// A segment with its `~` and `/` escaped.
    public static func escaped(_ segment: String) -> String {
        var text = ""
        appendEscaped(segment, to: &text)
        return text
    }

    /// Appends a segment with its `~` and `/` escaped.
    public static func appendEscaped(_ segment: String, to text: inout String) {
        let needsEscape = segment.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
        guard needsEscape else {
            text += segment
            return
        }
        for scalar in segment.unicodeScalars {
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The pointer to a part of what this one points at.
    public func appending(_ segment: String) -> JSONPointer {
        JSONPointer(segments + [segment])
    }

    /// The pointer to what holds the part that this one points at; nil for the whole value.
    public var parent: JSONPointer? {
        segments.isEmpty ? nil : JSONPointer(Array(segments.dropLast()))
    }

    /// The index that a segment is to an array: ASCII digits without a sign or a leading zero (RFC 6901 §4), else nil.
    ///
    /// An index beyond 64 bits is `Int.max`, which is past the end of every array.
    public static func arrayIndex(_ segment: String) -> Int? {
        var index = 0
        for byte in segment.utf8 {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let (tens, overflow) = index.multipliedReportingOverflow(by: 10)
            let (next, carried) = tens.addingReportingOverflow(Int(byte &- UInt8(ascii: "0")))
            index = overflow || carried || index == Int.max ? Int.max : next
        }
        let count = segment.utf8.count
        if count == 0 || (count > 1 && segment.utf8.first == UInt8(ascii: "0")) { return nil }
        return index
    }

    /// The part of a value that it points at, or nil where there is none.
    ///
    /// - Complexity: one member or element look-up a segment.
    public func value(in root: JSONValue) -> JSONValue? {
        var value = root
        for segment in segments {
            switch value {
            case .object(let members):
                guard let member = members[segment] else { return nil }
                value = member
            case .array(let elements):
                guard let index = JSONPointer.arrayIndex(segment), index < elements.count else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }
}

extension JSONPointer: Hashable, CustomStringConvertible {
    /// Whether both have the same segments, byte by byte.
    public static func == (a: JSONPointer, b: JSONPointer) -> Bool {
        a.segments.count == b.segments.count
            && zip(a.segments, b.segments).allSatisfy { UTF8Order.equal($0, $1) }
    }

    /// Feeds the bytes of the segments to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(segments.count)
        for segment in segments { UTF8Order.hash(segment, into: &hasher) }
    }

    /// The text form.
    public var description: String { text }
}
