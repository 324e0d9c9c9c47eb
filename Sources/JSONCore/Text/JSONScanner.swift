/// A cursor over a JSON text that steps over what has no parts: strings, numbers and literals, checked as RFC 8259 has them.
struct JSONScanner {
    let bytes: JSONBytes
    let limits: JSONLimits
    var index = 0
    /// Whether white space was stepped over, or an escape that is written as ``JSONWriter`` writes none.
    var isForeign = false

    @inline(__always)
    init(bytes: JSONBytes, _ limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    @inline(__always)
    var isAtEnd: Bool { index >= bytes.count }

    /// The byte at the cursor, 0 at the end: where that may stand, ``isAtEnd`` is asked.
    @inline(__always)
    var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    /// The next byte that is not white space, 0 at the end; the cursor is moved to it.
    @inline(__always)
    mutating func next() -> UInt8 {
        let byte = byte
        // Most texts have no white space.
        if byte > 0x20 { return byte }
        let end = endOfSpace()
        if end > index { isForeign = true }
        index = end
        return self.byte
    }

    @inline(never)
    private func endOfSpace() -> Int { bytes.skippingWhitespace(from: index) }

    /// Where the value ends that comes next, found by its brackets and quotes alone.
    func endOfValue() throws(JSONError) -> Int {
        guard let end = bytes.endOfValue(from: endOfSpace()) else {
            throw JSONError(.unexpectedEnd(expected: "the rest of a value"), at: bytes.count)
        }
        return end
    }

    func error(_ fact: JSONError.Fact) -> JSONError { JSONError(fact, at: min(index, bytes.count)) }

    func unexpectedByte(_ expected: String) -> JSONError {
        isAtEnd
            ? error(.unexpectedEnd(expected: expected)) : error(.unexpectedByte(bytes[index], expected: expected))
    }

    // MARK: Literals and numbers (RFC 8259 sections 3 and 6)

    /// Steps over a literal, or one of the words for what is not a finite number, where the limits allow them; gives its kind.
    @inline(__always)
    mutating func literal() throws(JSONError) -> UInt32 {
        let (end, kind) = try endOfLiteral()
        index = end
        return kind
    }

    @inline(never)
    private func endOfLiteral() throws(JSONError) -> (end: Int, kind: UInt32) {
        if let end = endOfNonFinite { return (end, JSONTape.Entry.number) }
        let (word, kind): (StaticString, UInt32) =
            switch byte {
            case 0x74: ("true", JSONTape.Entry.true)
            case 0x66: ("false", JSONTape.Entry.false)
            case 0x6E: ("null", JSONTape.Entry.null)
            default: throw unexpectedByte("a value")
            }
        for offset in 0..<word.utf8CodeUnitCount {
            guard index + offset < bytes.count else {
                throw JSONError(.unexpectedEnd(expected: "'\(word)'"), at: bytes.count)
            }
            // Below the count of the word's bytes.
            guard unsafe bytes[index + offset] == word.utf8Start[offset] else {
                throw JSONError(.unexpectedByte(bytes[index + offset], expected: "'\(word)'"), at: index + offset)
            }
        }
        return (index + word.utf8CodeUnitCount, kind)
    }

    /// Where a word for what is not a finite number ends that stands at the cursor; nil where there is none, or none is allowed.
    private var endOfNonFinite: Int? {
        guard limits.allowsNonFinite else { return nil }
        let start = byte == 0x2D ? index + 1 : index
        let rest = bytes[start..<max(start, bytes.count)]
        for word in ["nan", "NaN", "Infinity"] where rest.starts(with: word.utf8) { return start + word.utf8.count }
        return nil
    }

    /// - Returns: its kind, with a flag where its digits are those of a whole number that cannot overflow.
    @inline(__always)
    mutating func number() throws(JSONError) -> UInt32 {
        let start = index
        var end = start
        var byte = bytes[start]
        if byte &- 0x31 < 9 {
            repeat {
                end &+= 1
                byte = end < bytes.count ? bytes[end] : 0
            } while byte &- 0x30 < 10
            // Neither a fraction nor an exponent follows.
            if byte != 0x2E, byte | 0x20 != 0x65, end &- start <= JSONTape.wholeLimit,
                end &- start <= limits.numberLength
            {
                index = end
                return JSONTape.Entry.number | JSONTape.Entry.whole
            }
        }
        let (last, kind) = try endOfNumber()
        index = last
        return kind
    }

    @inline(never)
    private func endOfNumber() throws(JSONError) -> (end: Int, kind: UInt32) {
        var scanner = self
        func digits() throws(JSONError) {
            let start = scanner.index
            while scanner.byte &- 0x30 < 10 { scanner.index &+= 1 }
            if scanner.index == start { throw scanner.unexpectedByte("a digit") }
        }
        if byte == 0x2D {
            if let end = endOfNonFinite { return (end, JSONTape.Entry.number) }
            scanner.index &+= 1
        }
        let first = scanner.index
        if scanner.byte == 0x30 { scanner.index &+= 1 } else { try digits() }
        // "-0" keeps its text.
        var isWhole = scanner.index - first <= JSONTape.wholeLimit && (first == index || bytes[first] != 0x30)
        if scanner.byte == 0x2E {
            isWhole = false
            scanner.index &+= 1
            try digits()
        }
        if scanner.byte | 0x20 == 0x65 {
            isWhole = false
            scanner.index &+= 1
            if scanner.byte == 0x2B || scanner.byte == 0x2D { scanner.index &+= 1 }
            try digits()
        }
        guard scanner.index - index <= limits.numberLength else {
            throw JSONError(.numberTooLong(limit: limits.numberLength), at: index)
        }
        return (scanner.index, isWhole ? JSONTape.Entry.number | JSONTape.Entry.whole : JSONTape.Entry.number)
    }

    // MARK: Strings (RFC 8259 section 7)

    /// Steps over the string whose opening quote is at the cursor.
    ///
    /// - Returns: whether there are escapes in it, and bytes that are not ASCII, as flags of an entry.
    @inline(__always)
    mutating func string() throws(JSONError) -> UInt32 {
        let (end, isASCII) = bytes.plainText(from: index &+ 1)
        if isASCII, end < bytes.count, bytes[end] == 0x22 {
            index = end &+ 1
            return 0
        }
        let rest = try endOfString(from: end, isASCII: isASCII)
        if rest.isForeign { isForeign = true }
        index = rest.end
        return rest.flags
    }

    /// The end of the string at the cursor, from a byte on that may end it, be escaped or be none of a string.
    @inline(never)
    private func endOfString(from end: Int, isASCII: Bool) throws(JSONError) -> (
        end: Int, flags: UInt32, isForeign: Bool
    ) {
        var (end, isASCII, isForeign, flags) = (end, isASCII, false, 0 as UInt32)
        while true {
            guard end < bytes.count else {
                throw JSONError(.unexpectedEnd(expected: "the end of a string"), at: bytes.count)
            }
            if bytes[end] == 0x22 { break }
            guard bytes[end] == 0x5C else { throw JSONError(.controlCharacter(bytes[end]), at: end) }
            flags = JSONTape.Entry.escaped
            if try escape(&end) { isForeign = true }
            let next = bytes.plainText(from: end)
            end = next.end
            isASCII = isASCII && next.isASCII
        }
        if !isASCII {
            flags |= JSONTape.Entry.wide
            // Decoding repairs what is malformed, and then the bytes are others.
            let written = bytes[(index &+ 1)..<end]
            let text = String(decoding: written, as: UTF8.self)
            guard text.withBytes({ $0.hasSameBytes(as: written) }) else {
                throw JSONError(.malformedUTF8, at: index &+ 1)
            }
        }
        return (end &+ 1, flags, isForeign)
    }

    /// Steps over the escape at an index; whether our writer writes it otherwise.
    private func escape(_ index: inout Int) throws(JSONError) -> Bool {
        index &+= 1
        guard index < bytes.count else { throw JSONError(.unexpectedEnd(expected: "an escape"), at: bytes.count) }
        index &+= 1
        switch bytes[index &- 1] {
        case 0x22, 0x5C, 0x62, 0x66, 0x6E, 0x72, 0x74: return false
        case 0x2F: return true
        case 0x75:
            let first = try hexadecimal(&index)
            guard !limits.allowsLoneSurrogates, first & 0xF800 == 0xD800 else { return true }
            // The second half has to follow.
            if first & 0xFC00 == 0xD800, index &+ 1 < bytes.count, bytes[index] == 0x5C, bytes[index &+ 1] == 0x75 {
                var second = index &+ 2
                if try hexadecimal(&second) & 0xFC00 == 0xDC00 {
                    index = second
                    return true
                }
            }
            throw JSONError(.loneSurrogate, at: index &- 6)
        default: throw JSONError(.unknownEscape, at: index &- 1)
        }
    }

    private func hexadecimal(_ index: inout Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = index < bytes.count ? JSONBytes.hexadecimal(bytes[index]) : nil else {
                var scanner = self
                scanner.index = index
                throw scanner.unexpectedByte("four hexadecimal digits")
            }
            value = value &<< 4 | digit
            index &+= 1
        }
        return value
    }
}
