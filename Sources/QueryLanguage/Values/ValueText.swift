internal import JSONCore

extension JSONValue {
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// Whether a condition takes the value for true: everything but `false` and `null`.
    @inline(__always)
    package var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        default: true
        }
    }
}

enum ValueText {
    /// The bytes of a value that an error message shows (jq 1.8's `ERRORMAX`).
    private static let messageLimit = 29

    /// The compact JSON text; NaN is written as `null` and infinities as the largest double, as jq does.
    static func json(_ value: JSONValue) -> String {
        String(decoding: bytes(of: value, limit: .max), as: UTF8.self)
    }

    /// For a program that makes the text into a value: by sharing, a small value can have a very long text, which
    /// throws the size limit.
    static func bounded(_ value: JSONValue, _ limit: Int = QueryLimits.standard.size) throws(Interruption) -> String {
        let bytes = bytes(of: value, limit: limit + 1)
        guard bytes.count <= limit else { throw .limit(.size) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let ownMessageLimit = 1 << 16

    static func beginning(of value: JSONValue) -> String {
        beginning(of: String(decoding: bytes(of: value, limit: ownMessageLimit + 1), as: UTF8.self))
    }

    static func beginning(of text: String) -> String {
        guard text.utf8.count > ownMessageLimit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: ownMessageLimit)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end] + "..."
    }

    static func plain(_ value: JSONValue) throws(Interruption) -> String {
        if case .string(let text) = value { return text }
        return try bounded(value)
    }

    static func truncated(_ value: JSONValue) -> String {
        let bytes = bytes(of: value, limit: messageLimit + 1)
        guard bytes.count > messageLimit else { return String(decoding: bytes, as: UTF8.self) }
        let closing: [UInt8]
        switch value {
        case .string: closing = [UInt8(ascii: "\"")]
        case .array: closing = [UInt8(ascii: "]")]
        case .object: closing = [UInt8(ascii: "}")]
        default: closing = []
        }
        var end = messageLimit - 3 - closing.count
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self) + "..." + String(decoding: closing, as: UTF8.self)
    }

    private static func bytes(of value: JSONValue, limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes, depth: 0, limit: limit)
        return bytes
    }

    private static func append(_ value: JSONValue, to bytes: inout [UInt8], depth: Int, limit: Int) {
        guard bytes.count < limit else { return }
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let flag): bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
        case .number(let number):
            if case .integer(let whole) = number.storage { return JSONWriter.append(whole, to: &bytes) }
            bytes.append(contentsOf: NumberText.json(number).utf8)
        case .string(let text): appendQuoted(text, to: &bytes, limit: limit)
        case .array, .object:
            guard depth <= QueryLimits.depth, StackRoom.hasRoom else {
                return bytes.append(contentsOf: "<skipped: too deep>".utf8)
            }
            if case .array(let elements) = value {
                appendElements(elements, to: &bytes, depth: depth, limit: limit)
            } else if case .object(let members) = value {
                appendMembers(members, to: &bytes, depth: depth, limit: limit)
            }
        }
    }

    private static func appendElements(_ elements: JSONArray, to bytes: inout [UInt8], depth: Int, limit: Int) {
        bytes.append(UInt8(ascii: "["))
        for index in elements.indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(elements[index], to: &bytes, depth: depth + 1, limit: limit)
            if bytes.count >= limit { return }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func appendMembers(_ members: JSONObject, to bytes: inout [UInt8], depth: Int, limit: Int) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        members.forEachMember { key, member in
            // A text that is cut off anyway needs no closing bracket.
            if bytes.count >= limit { return }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            appendQuoted(key, to: &bytes, limit: limit)
            bytes.append(UInt8(ascii: ":"))
            append(member, to: &bytes, depth: depth + 1, limit: limit)
        }
        if bytes.count >= limit { return }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func appendQuoted(_ text: String, to bytes: inout [UInt8], limit: Int) {
        let room = max(0, limit &- bytes.count)
        guard text.utf8.count > room else { return JSONWriter.append(text, to: &bytes) }
        JSONWriter.append(String(decoding: text.utf8.prefix(room + 1), as: UTF8.self), to: &bytes)
    }
}

/// A string by Unicode code points, as jq counts it; ASCII, the common case, is indexed directly.
struct CodePoints {
    private let text: String
    private let isASCII: Bool
    let count: Int

    init(_ text: String) {
        self.text = text
        count = Self.count(in: text, before: .max)
        isASCII = count == text.utf8.count
    }

    func slice(_ range: Range<Int>) -> String {
        if range.count == count { return text }
        let view = text.utf8
        if isASCII {
            let start = view.index(view.startIndex, offsetBy: range.lowerBound)
            return String(text[start..<view.index(start, offsetBy: range.count)])
        }
        let scalars = text.unicodeScalars
        let start = scalars.index(scalars.startIndex, offsetBy: range.lowerBound)
        return String(text[start..<scalars.index(start, offsetBy: range.count)])
    }

    /// Bytes that lie side by side are counted many at once, which those of `String.UTF8View` are not.
    static func count(in text: String, before byteOffset: Int) -> Int {
        text.withBytes { bytes in
            var result = 0
            for place in 0..<min(byteOffset, bytes.count) where bytes[place] & 0xC0 != 0x80 { result &+= 1 }
            return result
        }
    }
}
