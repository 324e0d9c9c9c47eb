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

    private var effort: Int {
        switch self {
        case .text, .json: 1
        case .base64, .base64d, .base32, .base32d: 2
        case .html, .uri, .urid, .csv, .tsv, .sh: 4
        }
    }

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
        case .html: return try Self.escaped(ValueText.plain(value), Self.htmlEscapes)
        case .uri: return try Self.uri(ValueText.plain(value))
        case .urid: return try Self.decodedURI(value)
        case .csv: return try Self.row(value, "csv", separator: ",") { Self.quoted($0, "\"", "\"\"") }
        case .tsv: return try Self.row(value, "tsv", separator: "\t") { Self.escaped($0, Self.tsvEscapes) }
        case .sh: return try Self.shell(value)
        case .base64: return try BaseEncoding.base64.encode(Array(ValueText.plain(value).utf8))
        case .base64d: return try BaseEncoding.base64.decode(value)
        case .base32: return try BaseEncoding.base32.encode(Array(ValueText.plain(value).utf8))
        case .base32d: return try BaseEncoding.base32.decode(value)
        }
    }

    /// A U+0000 is written as jq writes it.
    private static func escaped(_ text: String, _ escapes: [(of: Unicode.Scalar, text: String)]) -> String {
        let isPlain = !text.unicodeScalars.contains { scalar in scalar == "\0" || escapes.contains { $0.of == scalar } }
        if isPlain { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if let escape = escapes.first(where: { $0.of == scalar }) {
                result += escape.text
            } else if scalar == "\0" {
                result += "\\0"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let htmlEscapes: [(of: Unicode.Scalar, text: String)] = [
        ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;"), ("'", "&apos;"), ("\"", "&quot;"),
    ]
    private static let tsvEscapes: [(of: Unicode.Scalar, text: String)] = [
        ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"), ("\\", "\\\\"),
    ]

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
        guard case .array(let cells) = value else { throw invalid(value, "cannot be \(kind)-formatted, only array") }
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

    private static func shell(_ value: JSONValue) throws(Interruption) -> String {
        let values: [JSONValue]
        if case .array(let elements) = value { values = elements.array } else { values = [value] }
        var words: [String] = []
        for element in values {
            switch element {
            case .array, .object: throw invalid(element, "can not be escaped for shell")
            case .string(let text): words.append(quoted(text, "'", "'\\''"))
            default: words.append(ValueText.json(element))
            }
        }
        return words.joined(separator: " ")
    }

    private static func quoted(_ text: String, _ quote: Unicode.Scalar, _ escape: String) -> String {
        String(quote) + escaped(text, [(quote, escape)]) + String(quote)
    }
}

final class FormatNode: Node {
    let format: StringFormat

    init(_ format: StringFormat) { self.format = format }

    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        .string(try format.apply(to: input, frame.machine))
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract { frame.tracer.consumed(input) }
}

/// Base64, RFC 4648 §4; decoding accepts text without padding, as jq does.
package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String { BaseEncoding.base64.encode(bytes) }
}

/// An encoding of bytes by the letters of an alphabet, RFC 4648.
struct BaseEncoding {
    static let base64 = BaseEncoding(
        "base64", bits: 6, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    static let base32 = BaseEncoding("base32", bits: 5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    private let name: String
    private let bits: Int
    private let letters: [UInt8]
    /// The number that each byte stands for; 255 for none.
    private let digits: [UInt8]

    private init(_ name: String, bits: Int, _ letters: String) {
        self.name = name
        self.bits = bits
        self.letters = Array(letters.utf8)
        var digits = [UInt8](repeating: 255, count: 256)
        for (digit, letter) in letters.utf8.enumerated() { digits[Int(letter)] = UInt8(digit) }
        self.digits = digits
    }

    func encode(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count * 8 + bits - 1) / bits + 8)
        var (rest, count) = (0, 0)
        for byte in bytes {
            rest = (rest << 8 | Int(byte)) & 0xFFFF
            count += 8
            while count >= bits {
                count -= bits
                result.append(letters[rest >> count & (1 << bits - 1)])
            }
        }
        if count > 0 { result.append(letters[rest << (bits - count) & (1 << bits - 1)]) }
        while result.count % (bits == 6 ? 4 : 8) != 0 { result.append(UInt8(ascii: "=")) }
        return String(decoding: result, as: UTF8.self)
    }

    func decode(_ value: JSONValue) throws(Interruption) -> String {
        let text = try ValueText.plain(value)
        var bytes: [UInt8] = []
        var (rest, count, read) = (0, 0, 0)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "=") { break }
            let digit = digits[Int(byte)]
            guard digit < 255 else { throw StringFormat.invalid(.string(text), "is not valid \(name) data") }
            rest = (rest << bits | Int(digit)) & 0xFFFF
            count += bits
            read += 1
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(rest >> count & 255))
        }
        if bits == 6, read % 4 == 1 { throw StringFormat.invalid(.string(text), "trailing base64 byte found") }
        return LenientUTF8.text(of: bytes)
    }
}

/// Decodes bytes as text, with one replacement character for each invalid sequence, counted as jq does.
enum LenientUTF8 {
    static func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        var index = 0
        while index < bytes.count {
            let (scalar, length) = next(bytes[index...])
            scalars.append(scalar ?? "\u{FFFD}")
            index += length
        }
        return String(scalars)
    }

    /// A sequence that the end cuts off counts as one, as does one that is broken earlier, up to the byte that breaks
    /// it.
    private static func next(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar?, length: Int) {
        guard let first = bytes.first else { return (nil, 1) }
        let expected: Int
        switch first {
        case 0..<0x80: return (Unicode.Scalar(first), 1)
        case 0xC2...0xDF: expected = 2
        case 0xE0...0xEF: expected = 3
        case 0xF0...0xF4: expected = 4
        default: return (nil, 1)
        }
        guard expected <= bytes.count else { return (nil, bytes.count) }
        var value = UInt32(first) & (0x7F >> UInt32(expected))
        for (offset, byte) in bytes.prefix(expected).enumerated().dropFirst() {
            guard byte & 0xC0 == 0x80 else { return (nil, offset) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let least: [UInt32] = [0, 0, 0x80, 0x800, 0x10000]
        return (value < least[expected] ? nil : Unicode.Scalar(value), expected)
    }
}
