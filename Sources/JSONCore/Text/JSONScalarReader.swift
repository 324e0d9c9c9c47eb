import Platform

/// A cursor over a JSON text that reads what has no parts: strings, numbers and the three literals, and passes over what is
/// not wanted.
struct JSONScalarReader {
    let bytes: JSONBytes
    private let limits: JSONLimits
    var index = 0

    init(bytes: JSONBytes, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    var isAtEnd: Bool { index >= bytes.count }
    /// The byte at the cursor, which is not at the end.
    var byte: UInt8 { bytes[index] }

    mutating func skipWhitespace() {
        index = bytes.skippingWhitespace(from: index)
    }

    mutating func skipValue() throws(JSONError) {
        guard let end = bytes.endOfValue(from: index) else {
            throw JSONError(.unexpectedEnd(expected: "the rest of a value"), at: bytes.count)
        }
        index = end
    }

    func peek(_ expected: String) throws(JSONError) -> UInt8 {
        guard index < bytes.count else { throw error(.unexpectedEnd(expected: expected)) }
        return bytes[index]
    }

    mutating func expect(_ wanted: UInt8, _ expected: String) throws(JSONError) {
        guard try peek(expected) == wanted else { throw unexpectedByte(expected) }
        index += 1
    }

    func error(_ fact: JSONError.Fact) -> JSONError { JSONError(fact, at: min(index, bytes.count)) }

    func unexpectedByte(_ expected: String) -> JSONError {
        isAtEnd
            ? error(.unexpectedEnd(expected: expected))
            : error(.unexpectedByte(bytes[index], expected: expected))
    }

    /// Reads a string, a number, or one of the three literals.
    mutating func scalar() throws(JSONError) -> JSONValue {
        switch try peek("a value") {
        case 0x22: return .string(try string())
        case 0x2D, 0x30...0x39:
            if let number = nonFinite() { return .number(number) }
            return .number(try number())
        case 0x74: return try literal("true", .bool(true))
        case 0x66: return try literal("false", .bool(false))
        case 0x6E:
            if let number = nonFinite() { return .number(number) }
            return try literal("null", .null)
        default:
            if let number = nonFinite() { return .number(number) }
            throw unexpectedByte("a value")
        }
    }

    /// Reads one of the words for what is not a finite number, where the limits allow them; nil where none stands here.
    private mutating func nonFinite() -> JSONNumber? {
        guard limits.allowsNonFinite else { return nil }
        let isNegative = bytes[index] == 0x2D
        let rest = text((isNegative ? index + 1 : index)..<bytes.count)
        for (word, value) in [("nan", Double.nan), ("NaN", .nan), ("Infinity", .infinity)]
        where rest.starts(with: word.utf8) {
            index += word.utf8.count + (isNegative ? 1 : 0)
            return JSONNumber(isNegative ? -value : value)
        }
        return nil
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard index + offset < bytes.count else {
                throw JSONError(.unexpectedEnd(expected: "'\(word)'"), at: bytes.count)
            }
            guard bytes[index + offset] == word.utf8Start[offset] else {
                throw JSONError(.unexpectedByte(bytes[index + offset], expected: "'\(word)'"), at: index + offset)
            }
        }
        index += word.utf8CodeUnitCount
        return value
    }

    // MARK: Numbers (RFC 8259 §6)

    mutating func number() throws(JSONError) -> JSONNumber {
        let start = index
        var isPlain = true
        if bytes[index] == 0x2D { index += 1 }
        if try peek("a digit") == 0x30 { index += 1 } else { try digits() }
        if index < bytes.count, bytes[index] == 0x2E {
            isPlain = false
            index += 1
            try digits()
        }
        if index < bytes.count, bytes[index] | 0x20 == 0x65 {
            isPlain = false
            index += 1
            if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
            try digits()
        }
        guard index - start <= limits.numberLength else {
            throw JSONError(.numberTooLong(limit: limits.numberLength), at: start)
        }
        if isPlain, let value = shortInteger(start..<index) { return JSONNumber(value) }
        return JSONNumber(literal: String(decoding: text(start..<index), as: UTF8.self))
    }

    private mutating func digits() throws(JSONError) {
        let start = index
        while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
        if index == start { throw unexpectedByte("a digit") }
    }

    /// The value of a plain decimal of up to 18 digits, which cannot overflow; nil for "-0", which keeps its text.
    private func shortInteger(_ range: Range<Int>) -> Int? {
        let isNegative = bytes[range.lowerBound] == 0x2D
        let digits = isNegative ? range.dropFirst() : range
        guard digits.count <= 18 else { return nil }
        var value = 0
        for place in digits { value = value &* 10 &+ Int(bytes[place] &- 0x30) }
        if isNegative && value == 0 { return nil }
        return isNegative ? -value : value
    }

    // MARK: Strings (RFC 8259 §7)

    /// Reads the string at the cursor, which is at its opening quote.
    mutating func string() throws(JSONError) -> String {
        let start = index + 1
        let (end, isASCII) = bytes.plainText(from: start)
        guard end < bytes.count else {
            throw JSONError(.unexpectedEnd(expected: "the end of a string"), at: bytes.count)
        }
        if bytes[end] == 0x22 {
            index = end + 1
            if isASCII { return String(decoding: text(start..<end), as: UTF8.self) }
            return try validated(text(start..<end), at: start)
        }
        index = start
        return try escapedString()
    }

    private mutating func escapedString() throws(JSONError) -> String {
        let start = index
        var decoded: [UInt8] = []
        while true {
            let end = bytes.endOfPlainText(from: index)
            decoded.append(contentsOf: text(index..<end))
            index = end
            switch try peek("the end of a string") {
            case 0x22:
                index += 1
                let result = decoded.withUnsafeBufferPointer { buffer in
                    Result { () throws(JSONError) in try validated(buffer, at: start) }
                }
                return try result.get()
            case 0x5C:
                index += 1
                try escape(into: &decoded)
            default: throw error(.controlCharacter(bytes[index]))
            }
        }
    }

    private mutating func escape(into decoded: inout [UInt8]) throws(JSONError) {
        let letter = try peek("an escape")
        index += 1
        switch letter {
        case 0x22, 0x5C, 0x2F: decoded.append(letter)
        case 0x62: decoded.append(0x08)
        case 0x66: decoded.append(0x0C)
        case 0x6E: decoded.append(0x0A)
        case 0x72: decoded.append(0x0D)
        case 0x74: decoded.append(0x09)
        case 0x75: decoded.append(contentsOf: String(try unicodeEscape()).utf8)
        default: throw JSONError(.unknownEscape, at: index - 1)
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> Character {
        let first = try fourHexDigits()
        if first & 0xFC00 == 0xD800, index + 1 < bytes.count, bytes[index] == 0x5C, bytes[index + 1] == 0x75 {
            let beforeSecond = index
            index += 2
            let second = try fourHexDigits()
            if second & 0xFC00 == 0xDC00 {
                let value = 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)
                return Character(Unicode.Scalar(value) ?? "\u{FFFD}")
            }
            index = beforeSecond  // two escapes after all: the second speaks for itself
        }
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        guard limits.allowsLoneSurrogates else { throw JSONError(.loneSurrogate, at: index - 6) }
        return "\u{FFFD}"
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = try peek("four hexadecimal digits")
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
            case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
            default: throw unexpectedByte("four hexadecimal digits")
            }
            index += 1
        }
        return value
    }

    private func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes.base + range.lowerBound, count: range.count)
    }

    private func validated(_ utf8: UnsafeBufferPointer<UInt8>, at offset: Int) throws(JSONError) -> String {
        // Not `String(validating:as:)`: it is generic all the way down in the standard library, and half of the parsing time.
        // Decoding repairs what is malformed, and then the bytes are others.
        var text = String(decoding: utf8, as: UTF8.self)
        let isSame = text.withUTF8 { decoded in
            guard decoded.count == utf8.count else { return false }
            guard let left = decoded.baseAddress, let right = utf8.baseAddress else { return true }
            return RawMemory.same(left, right, count: decoded.count)
        }
        guard isSame else { throw JSONError(.malformedUTF8, at: offset) }
        return text
    }
}
