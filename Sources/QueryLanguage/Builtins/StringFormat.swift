internal import JSONCore

/// A way to put a value into a string: `@json`, `@csv`, `@base64`, ….
enum StringFormat: String, CaseIterable {
    case text = "@text"
    case json = "@json"
    case html = "@html"
    case uri = "@uri"
    case urid = "@urid"
    case csv = "@csv"
    case tsv = "@tsv"
    case sh = "@sh"
    case base64 = "@base64"
    case base64d = "@base64d"
    case base32 = "@base32"
    case base32d = "@base32d"

    /// The work of formatting a string, as a multiple of copying it.
    private var effort: Int {
        switch self {
        case .text, .json: 1
        case .base64, .base64d, .base32, .base32d: 2
        case .html, .uri, .urid, .csv, .tsv, .sh: 4
        }
    }

    /// The text of a value, charged.
    func apply(to value: JSONValue, _ machine: Machine) throws(Interruption) -> String {
        try machine.charge(work: 2 &* effort &+ value.readingCost &* effort)
        let text = try apply(to: value)
        try machine.charge(text: text, effort: effort)
        return text
    }

    func apply(to value: JSONValue) throws(Interruption) -> String {
        switch self {
        case .text: return try ValueText.plain(value)
        case .json: return try ValueText.bounded(value)
        case .html: return try Self.html(ValueText.plain(value))
        case .uri: return try Self.uri(ValueText.plain(value))
        case .urid: return try Self.decodedURI(value)
        case .csv:
            return try Self.row(value, "csv", separator: ",") { "\"" + Self.replacing("\"", "\"\"", in: $0) + "\"" }
        case .tsv: return try Self.row(value, "tsv", separator: "\t", escape: Self.tsvEscaped)
        case .sh: return try Self.shell(value)
        case .base64: return try Base64.encode(Array(ValueText.plain(value).utf8))
        case .base64d: return try Base64.decode(value)
        case .base32: return try Base32.encode(Array(ValueText.plain(value).utf8))
        case .base32d: return try Base32.decode(value)
        }
    }

    private static func html(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "'": result += "&apos;"
            case "\"": result += "&quot;"
            case "\0": result += nullEscape
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let hex = Array("0123456789ABCDEF".utf8)

    private static func uri(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte.isDigit || byte.isNameStart || [0x2D, 0x2E, 0x7E].contains(byte) {
                bytes.append(byte)
            } else {
                bytes.append(contentsOf: [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 0xF)]])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func decodedURI(_ value: JSONValue) throws(Interruption) -> String {
        let text = try ValueText.plain(value)
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%") {
                guard index + 2 < source.count, let high = source[index + 1].hexDigitValue,
                    let low = source[index + 2].hexDigitValue
                else { throw invalid(.string(text), "is not a valid uri encoding") }
                bytes.append(UInt8(high << 4 | low))
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw invalid(.string(text), "is not a valid uri encoding")
        }
        return decoded
    }

    static func invalid(_ value: JSONValue, _ what: String) -> Interruption {
        .message("\(value.kindName) (\(ValueText.truncated(value))) \(what)")
    }

    private static func row(
        _ value: JSONValue, _ kind: String, separator: String, escape: (String) -> String
    ) throws(Interruption) -> String {
        guard case .array(let cells) = value else {
            throw invalid(value, "cannot be \(kind)-formatted, only array")
        }
        var texts: [String] = []
        for cell in cells {
            switch cell {
            case .null: texts.append("")
            case .bool(let flag): texts.append(flag ? "true" : "false")
            case .number(let number): texts.append(number.doubleValue.isNaN ? "" : NumberText.json(number))
            case .string(let text): texts.append(escape(text))
            default: throw invalid(cell, "is not valid in a csv row")
            }
        }
        return texts.joined(separator: separator)
    }

    private static func tsvEscaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\\": result += "\\\\"
            case "\0": result += nullEscape
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func shell(_ value: JSONValue) throws(Interruption) -> String {
        let values: [JSONValue]
        if case .array(let elements) = value { values = elements } else { values = [value] }
        var words: [String] = []
        for element in values {
            switch element {
            case .array, .object: throw invalid(element, "can not be escaped for shell")
            case .string(let text): words.append("'" + replacing("'", "'\\''", in: text) + "'")
            default: words.append(ValueText.json(element))
            }
        }
        return words.joined(separator: " ")
    }

    private static func replacing(_ scalar: Unicode.Scalar, _ replacement: String, in text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == scalar || $0 == "\0" }) else { return text }
        var result = ""
        for each in text.unicodeScalars {
            switch each {
            case scalar: result += replacement
            case "\0": result += nullEscape
            default: result.unicodeScalars.append(each)
            }
        }
        return result
    }

    /// U+0000 in a format that escapes anything, as jq writes it.
    private static let nullEscape = "\\0"
}

/// A format as a filter.
final class FormatNode: Node {
    let format: StringFormat

    init(_ format: StringFormat) { self.format = format }

    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        .string(try format.apply(to: input, frame.machine))
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { frame.tracer.consumed(input) }
}
