internal import JSONCore

/// `fromjson`: JSON text with jq's extensions (`nan`, numbers like `.5`) and jq's messages.
struct JSONTextReader {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The value of a text.
    static func read(_ text: String) throws(Interruption) -> JSONValue {
        var reader = JSONTextReader(text)
        if reader.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        reader.skipSpace()
        if reader.position == reader.bytes.count { throw reader.failure("Expected JSON value") }
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        if reader.position < reader.bytes.count {
            let mark = Character(Unicode.Scalar(reader.bytes[reader.position]))
            switch mark {
            case ",": throw reader.failure("Expected value before ','", at: reader.position + 1)
            case ":": throw reader.failure("Expected string key before ':'", at: reader.position + 1)
            case "]", "}": throw reader.failure("Unmatched '\(mark)'", at: reader.position + 1)
            default: break
            }
            throw reader.failure("Unexpected extra JSON values")
        }
        return value
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private func failure(_ what: String) -> Interruption {
        .message("\(what) (while parsing '\(String(decoding: bytes, as: UTF8.self))')")
    }

    /// A failure with the place that jq gives: the byte after what was read.
    private func failure(_ what: String, at offset: Int, isAtEnd: Bool? = nil) -> Interruption {
        var line = 1
        var column = 0
        for byte in bytes.prefix(offset) {
            column += 1
            if byte == 0x0A {
                line += 1
                column = 0
            }
        }
        let end = isAtEnd ?? (offset >= bytes.count) ? " at EOF" : ""
        return failure("\(what)\(end) at line \(line), column \(column)")
    }

    private mutating func value(depth: Int) throws(Interruption) -> JSONValue {
        skipSpace()
        guard position < bytes.count else { throw failure("Unfinished JSON term", at: position) }
        switch bytes[position] {
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            guard depth < QueryLimits.depth, ThreadStack.hasRoom else {
                throw failure("Exceeds depth limit for parsing", at: position + 1)
            }
            return try bytes[position] == UInt8(ascii: "[") ? array(depth: depth) : object(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "'"):
            throw failure("Invalid string literal; expected \", but got '", at: position + 3)
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: ","):
            throw failure("Expected value before '\(Character(Unicode.Scalar(bytes[position])))'", at: position + 1)
        default: return try word()
        }
    }

    private mutating func array(depth: Int) throws(Interruption) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw separatorFailure() }
        }
    }

    private mutating func object(depth: Int) throws(Interruption) -> JSONValue {
        position += 1
        var members = JSONObject()
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard position < bytes.count else { throw failure("Unfinished JSON term", at: position) }
            if bytes[position] == UInt8(ascii: "'") {
                throw failure("Invalid string literal; expected \", but got '", at: position + 4)
            }
            guard bytes[position] == UInt8(ascii: "\"") else {
                throw failure("Object keys must be strings", at: position + 1)
            }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else {
                throw failure("Objects must consist of key:value pairs", at: position + 1)
            }
            members[key] = try value(depth: depth + 1)
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw separatorFailure() }
        }
    }

    private func separatorFailure() -> Interruption {
        position >= bytes.count
            ? failure("Unfinished JSON term", at: position)
            : failure("Expected separator between values", at: position + 1)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// A number or a word: everything up to the next mark.
    private mutating func word() throws(Interruption) -> JSONValue {
        let start = position
        while position < bytes.count, !Self.isDelimiter(bytes[position]) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        switch text {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "nan", "NaN", "-nan", "-NaN": return .number(JSONNumber(Double.nan))
        case "Infinity", "infinity": return .number(JSONNumber(Double.infinity))
        case "-Infinity", "-infinity": return .number(JSONNumber(-Double.infinity))
        default: break
        }
        guard let number = NumberText.number(lenient: text) else {
            let isWord = ["t", "f", "nu"].contains { text.utf8.starts(with: $0.utf8) }
            let what = isWord ? "Invalid literal" : "Invalid numeric literal"
            throw failure(what, at: min(position + 1, bytes.count), isAtEnd: position >= bytes.count)
        }
        return .number(number)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D, 0x22, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D].contains(byte)
    }

    private mutating func string() throws(Interruption) -> String {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < bytes.count else { throw failure("Unfinished string", at: bytes.count) }
        position += 1
        // The language's own strings have the same escapes, but for interpolation.
        var lexer = Lexer(String(decoding: bytes[start..<position], as: UTF8.self))
        _ = lexer.next()
        let (text, stop) = lexer.stringPart()
        guard stop == .quote, lexer.problems.isEmpty else { throw failure("Invalid escape", at: position) }
        return text
    }
}
