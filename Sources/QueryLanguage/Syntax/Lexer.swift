/// The grammar is that of jq 1.8's manual; strings are read piecewise, because they hold expressions.
struct Lexer {
    private let bytes: [UInt8]
    private(set) var position = 0
    var problems: [SyntaxProblem] = []

    init(_ text: String) { bytes = Array(text.utf8) }

    var count: Int { bytes.count }

    mutating func next() -> Token {
        skipSpace()
        let start = position
        guard let byte = peek() else { return Token(kind: .end, range: start..<start) }
        switch byte {
        case UInt8(ascii: "\""):
            position += 1
            return token(.quote, from: start)
        case UInt8(ascii: "'"): return singleQuoted(from: start)
        case UInt8(ascii: "."): return dot(from: start)
        case UInt8(ascii: "$"): return variable(from: start)
        case UInt8(ascii: "@"): return format(from: start)
        case _ where byte.isDigit: return number(from: start)
        case _ where byte.isNameStart: return word(from: start)
        default: return mark(from: start)
        }
    }

    // MARK: Pieces

    private func peek(_ offset: Int = 0) -> UInt8? {
        let index = position + offset
        return index < bytes.count ? bytes[index] : nil
    }

    func byte(at place: Int) -> UInt8 { bytes[place] }

    func text(in range: SourceRange) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func move(to place: Int) { position = place }

    private func token(_ kind: Token.Lexeme, from start: Int) -> Token { Token(kind: kind, range: start..<position) }

    private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    private mutating func skipSpace() {
        while let byte = peek() {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case UInt8(ascii: "#"): skipComment()
            default: return
            }
        }
    }

    /// A comment ends with its line, unless an odd number of backslashes stands before the line's end (jq 1.7.1).
    private mutating func skipComment() {
        while let byte = peek(), byte != 0x0A {
            if byte == UInt8(ascii: "\\"), let escaped = peek(1) {
                position += escaped == 0x0D && peek(2) == 0x0A ? 3 : 2
            } else if byte == 0x0D && peek(1) == nil {
                return position += 1
            } else {
                position += 1
            }
        }
    }

    private mutating func takeName() -> Bool {
        guard let first = peek(), first.isNameStart else { return false }
        while let byte = peek() {
            if byte.isNameStart || byte.isDigit {
                position += 1
            } else if byte == UInt8(ascii: ":"), peek(1) == UInt8(ascii: ":"), peek(2)?.isNameStart == true {
                position += 2
            } else {
                break
            }
        }
        return true
    }

    private mutating func word(from start: Int) -> Token {
        _ = takeName()
        let name = text(from: start)
        return token(Token.keywords.contains(name) ? .keyword(name) : .name(name), from: start)
    }

    private mutating func dot(from start: Int) -> Token {
        position += 1
        if peek() == UInt8(ascii: ".") {
            position += 1
            return token(.mark(".."), from: start)
        }
        if let byte = peek(), byte.isDigit { return number(from: start) }
        let nameStart = position
        while let byte = peek(), byte.isNameStart || (byte.isDigit && position > nameStart) { position += 1 }
        if position > nameStart { return token(.field(text(from: nameStart)), from: start) }
        return token(.mark("."), from: start)
    }

    private mutating func variable(from start: Int) -> Token {
        position += 1
        let nameStart = position
        guard takeName() else { return token(.mark("$"), from: start) }
        return token(.variable(text(from: nameStart)), from: start)
    }

    private mutating func format(from start: Int) -> Token {
        position += 1
        while let byte = peek(), byte.isNameStart || byte.isDigit { position += 1 }
        return token(.format(text(from: start)), from: start)
    }

    private mutating func number(from start: Int) -> Token {
        position = start
        takeDigits()
        if peek() == UInt8(ascii: ".") {
            position += 1
            takeDigits()
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
            if peek(1 + sign)?.isDigit == true {
                position += 1 + sign
                takeDigits()
            }
        }
        return token(.number(text(from: start)), from: start)
    }

    private mutating func takeDigits() { while let byte = peek(), byte.isDigit { position += 1 } }

    private static let marks: [String] = [
        "?//=", "?//", "//=", "===", "!==", "&&", "||", "<>", ":=", "**", "|=", "+=", "-=", "*=", "/=", "%=", "==",
        "!=", "<=", ">=",
        "//",
        "(", ")", "[", "]", "{", "}", "|", ",", ":", ";", "=", "<", ">", "+", "-", "*", "/", "%", "?", "!", "&",
    ]

    private mutating func mark(from start: Int) -> Token {
        for mark in Self.marks where bytes[start...].starts(with: mark.utf8) {
            // In `.a?//=1` the question mark stands alone.
            let length = mark == "?//=" ? 1 : mark.utf8.count
            position += length
            return token(.mark(String(mark.prefix(length))), from: start)
        }
        position += 1
        while let byte = peek(), byte & 0xC0 == 0x80 { position += 1 }
        problems.append(SyntaxProblem(fact: .unknownCharacter(text(from: start)), range: start..<position))
        return next()
    }

    /// Single quotes do not make a string; the text is read as if they did, so that the rest is checked too.
    private mutating func singleQuoted(from start: Int) -> Token {
        position += 1
        while let byte = peek(), byte != UInt8(ascii: "'"), byte != 0x0A { position += 1 }
        if peek() == UInt8(ascii: "'") { position += 1 }
        problems.append(SyntaxProblem(fact: .singleQuotes, range: start..<position))
        return token(.name("empty"), from: start)
    }
}

extension Lexer {
    enum StringStop {
        case quote
        case interpolation
        case missing
    }

    /// Up to the closing quote or the next `\(`, which is consumed too; call it after a `quote` token, and again after
    /// the `)` of each interpolation.
    mutating func stringPart() -> (text: String, stop: StringStop) {
        var units: [UInt8] = []
        while let byte = peek() {
            if byte == UInt8(ascii: "\"") {
                position += 1
                return (String(decoding: units, as: UTF8.self), .quote)
            }
            guard byte == UInt8(ascii: "\\") else {
                units.append(byte)
                position += 1
                continue
            }
            if peek(1) == UInt8(ascii: "(") {
                position += 2
                return (String(decoding: units, as: UTF8.self), .interpolation)
            }
            escape(into: &units)
        }
        return (String(decoding: units, as: UTF8.self), .missing)
    }

    private mutating func escape(into units: inout [UInt8]) {
        let start = position
        position += 1
        guard let byte = peek() else { return }
        if let plain = UInt8.escapes[byte] {
            position += 1
            units.append(plain)
        } else if byte == UInt8(ascii: "u"), let first = hexUnit(at: position + 1) {
            position += 5
            appendScalar(first, to: &units, from: start)
        } else {
            position += 1
            while let next = peek(), next & 0xC0 == 0x80 { position += 1 }
            problems.append(SyntaxProblem(fact: .unknownEscape(text(from: start)), range: start..<position))
        }
    }

    private mutating func appendScalar(_ first: UInt32, to units: inout [UInt8], from start: Int) {
        var code = first
        if (0xD800..<0xDC00).contains(first), peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u"),
            let second = hexUnit(at: position + 2), (0xDC00..<0xE000).contains(second)
        {
            position += 6
            code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
        }
        // A lone surrogate becomes the replacement character, as in jq.
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        units.append(contentsOf: String(Character(scalar)).utf8)
    }

    private func hexUnit(at index: Int) -> UInt32? {
        index + 4 <= bytes.count ? UInt8.hexadecimal(bytes[index..<index + 4]) : nil
    }
}

extension UInt8 {
    static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9,
    ]

    static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt32? {
        var value: UInt32 = 0
        for byte in digits {
            guard let digit = byte.hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isNameStart: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A || self == 0x5F }
    var hexDigitValue: Int? {
        switch self {
        case 0x30...0x39: Int(self) - 0x30
        case 0x41...0x46: Int(self) - 0x37
        case 0x61...0x66: Int(self) - 0x57
        default: nil
        }
    }
}
