extension PlainJSON {
    /// A text that is not JSON.
    struct NotJSON: Error {}

    /// Reads a whole text, strictly by RFC 8259.
    ///
    /// What the RFC leaves open is as jq has it: half a surrogate pair is U+FFFD, of a repeated key the last value stays, at the
    /// first one's place.
    static func parse(_ text: [UInt8]) throws(NotJSON) -> PlainJSON {
        var parser = PlainParser(rest: text[...])
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.rest.isEmpty else { throw NotJSON() }
        return value
    }
}

/// RFC 8259, a function for each rule of its grammar; each reads from the front of what is left.
private struct PlainParser {
    var rest: ArraySlice<UInt8>

    /// How many containers may stand inside one another, and how long a number may be.
    private static let (depthLimit, numberLimit) = (10_000, 65_536)

    mutating func skipSpace() {
        while let byte = rest.first, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { rest.removeFirst() }
    }

    /// Reads a character if it is next.
    private mutating func accepts(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func expect(_ text: StaticString) throws(PlainJSON.NotJSON) {
        for byte in Array(text.description.utf8) {
            guard rest.popFirst() == byte else { throw PlainJSON.NotJSON() }
        }
    }

    mutating func value(depth: Int) throws(PlainJSON.NotJSON) -> PlainJSON {
        skipSpace()
        guard let first = rest.first, depth < Self.depthLimit || !"[{".utf8.contains(first) else {
            throw PlainJSON.NotJSON()
        }
        switch Unicode.Scalar(first) {
        case "{": return .object(try object(depth: depth + 1))
        case "[": return .array(try array(depth: depth + 1))
        case "\"": return .string(try string())
        case "t":
            try expect("true")
            return .bool(true)
        case "f":
            try expect("false")
            return .bool(false)
        case "n":
            try expect("null")
            return .null
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(PlainJSON.NotJSON) -> PlainObject {
        var members = PlainObject()
        try expect("{")
        skipSpace()
        if accepts("}") { return members }
        repeat {
            skipSpace()
            let key = try string()
            skipSpace()
            try expect(":")
            members[key] = try value(depth: depth)
            skipSpace()
        } while accepts(",")
        try expect("}")
        return members
    }

    private mutating func array(depth: Int) throws(PlainJSON.NotJSON) -> [PlainJSON] {
        var elements: [PlainJSON] = []
        try expect("[")
        skipSpace()
        if accepts("]") { return elements }
        repeat {
            elements.append(try value(depth: depth))
            skipSpace()
        } while accepts(",")
        try expect("]")
        return elements
    }

    private mutating func number() throws(PlainJSON.NotJSON) -> PlainNumber {
        let start = rest
        _ = accepts("-")
        if !accepts("0") { try digits() }
        if accepts(".") { try digits() }
        if accepts("e") || accepts("E") {
            if !accepts("+") { _ = accepts("-") }
            try digits()
        }
        let text = start[..<rest.startIndex]
        guard text.count <= Self.numberLimit else { throw PlainJSON.NotJSON() }
        return PlainNumber(String(decoding: text, as: UTF8.self))
    }

    /// One digit or more.
    private mutating func digits() throws(PlainJSON.NotJSON) {
        let count = rest.prefix { (0x30...0x39).contains($0) }.count
        guard count > 0 else { throw PlainJSON.NotJSON() }
        rest.removeFirst(count)
    }

    private mutating func string() throws(PlainJSON.NotJSON) -> String {
        var bytes: [UInt8] = []
        try expect("\"")
        while !accepts("\"") {
            guard let byte = rest.popFirst(), byte >= 0x20 else { throw PlainJSON.NotJSON() }
            bytes += byte == UInt8(ascii: "\\") ? try escape() : [byte]
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw PlainJSON.NotJSON() }
        return text
    }

    /// What stands after a backslash.
    private mutating func escape() throws(PlainJSON.NotJSON) -> [UInt8] {
        switch rest.popFirst().map(Unicode.Scalar.init) {
        case "\"": [0x22]
        case "\\": [0x5C]
        case "/": [0x2F]
        case "b": [0x08]
        case "f": [0x0C]
        case "n": [0x0A]
        case "r": [0x0D]
        case "t": [0x09]
        case "u": Array(String(Character(try unicodeEscape())).utf8)
        default: throw PlainJSON.NotJSON()
        }
    }

    private mutating func unicodeEscape() throws(PlainJSON.NotJSON) -> Unicode.Scalar {
        let first = try fourDigits()
        let afterFirst = rest
        if (0xD800...0xDBFF).contains(first), accepts("\\"), accepts("u") {
            let second = try fourDigits()
            if (0xDC00...0xDFFF).contains(second) {
                return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + second - 0xDC00) ?? "\u{FFFD}"
            }
        }
        rest = afterFirst
        return Unicode.Scalar(first) ?? "\u{FFFD}"
    }

    private mutating func fourDigits() throws(PlainJSON.NotJSON) -> UInt32 {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        let isHexadecimal = digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
        guard digits.count == 4, isHexadecimal, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw PlainJSON.NotJSON() }
        return value
    }
}
