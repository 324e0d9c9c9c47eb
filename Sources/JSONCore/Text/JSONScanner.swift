/// A cursor over a JSON text that steps over what has no parts: strings, numbers and literals, checked as RFC 8259 has them.
struct JSONScanner {
    let bytes: JSONBytes
    let limits: JSONLimits
    var index = 0
    /// Whether white space was stepped over, or an escape that is written as ``JSONWriter`` writes none.
    private(set) var isForeign = false

    @inline(__always)
    init(bytes: JSONBytes, _ limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    @inline(__always)
    var base: UnsafeRawPointer { UnsafeRawPointer(bytes.base) }

    @inline(__always)
    var isAtEnd: Bool { index >= bytes.count }

    /// The byte at the cursor, 0 at the end: where that may stand, ``isAtEnd`` is asked.
    @inline(__always)
    var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    @inline(__always)
    mutating func skipSpace() {
        // Most texts have none.
        guard index < bytes.count, bytes[index] <= 0x20 else { return }
        let end = bytes.skippingWhitespace(from: index)
        if end > index { isForeign = true }
        index = end
    }

    /// Steps over a value by its brackets and quotes alone.
    mutating func skipValue() throws(JSONError) {
        guard let end = bytes.endOfValue(from: index) else {
            throw JSONError(.unexpectedEnd(expected: "the rest of a value"), at: bytes.count)
        }
        index = end
    }

    func error(_ fact: JSONError.Fact) -> JSONError { JSONError(fact, at: min(index, bytes.count)) }

    func unexpectedByte(_ expected: String) -> JSONError {
        isAtEnd
            ? error(.unexpectedEnd(expected: expected)) : error(.unexpectedByte(bytes[index], expected: expected))
    }

    // MARK: Literals

    @inline(__always)
    mutating func literal(_ word: StaticString, _ kind: UInt32) throws(JSONError) -> UInt32 {
        let length = word.utf8CodeUnitCount
        for offset in 0..<length {
            guard index &+ offset < bytes.count else {
                throw JSONError(.unexpectedEnd(expected: "'\(word)'"), at: bytes.count)
            }
            guard bytes[index &+ offset] == word.utf8Start[offset] else {
                throw JSONError(.unexpectedByte(bytes[index &+ offset], expected: "'\(word)'"), at: index &+ offset)
            }
        }
        index &+= length
        return kind
    }

    /// Steps over `null`, or one of the words for what is not a finite number, where the limits allow them.
    mutating func unusual() throws(JSONError) -> UInt32 {
        if stepsOverNonFinite() { return JSONTape.Entry.number }
        if byte == 0x6E { return try literal("null", JSONTape.Entry.null) }
        throw unexpectedByte("a value")
    }

    private mutating func stepsOverNonFinite() -> Bool {
        guard limits.allowsNonFinite else { return false }
        let rest = bytes[min(byte == 0x2D ? index + 1 : index, bytes.count)..<bytes.count]
        for word in ["nan", "NaN", "Infinity"] where rest.starts(with: word.utf8) {
            index = bytes.count - rest.count + word.utf8.count
            return true
        }
        return false
    }

    // MARK: Numbers (RFC 8259 section 6)

    /// Steps over a number.
    ///
    /// - Returns: its kind, with a flag where its digits are those of a whole number that cannot overflow.
    @inline(__always)
    mutating func number() throws(JSONError) -> UInt32 {
        let start = index
        if byte == 0x2D {
            if limits.allowsNonFinite, stepsOverNonFinite() { return JSONTape.Entry.number }
            index &+= 1
        }
        let first = index
        if byte == 0x30 {
            index &+= 1
        } else {
            while byte &- 0x30 < 10 { index &+= 1 }
            guard index > first else { throw unexpectedByte("a digit") }
        }
        let next = byte
        if next == 0x2E || next | 0x20 == 0x65 {
            index = try fraction()
            guard index &- start <= limits.numberLength else { throw tooLong(start) }
            return JSONTape.Entry.number
        }
        guard index &- start <= limits.numberLength else { throw tooLong(start) }
        // "-0" keeps its text.
        let isWhole = index &- first <= 18 && (first == start || bytes[first] != 0x30)
        return isWhole ? JSONTape.Entry.number | JSONTape.Entry.whole : JSONTape.Entry.number
    }

    private func tooLong(_ start: Int) -> JSONError {
        JSONError(.numberTooLong(limit: limits.numberLength), at: start)
    }

    /// The end of a fraction, an exponent or both that stand at the cursor.
    @inline(never)
    private func fraction() throws(JSONError) -> Int {
        var scanner = self
        func digits() throws(JSONError) {
            let start = scanner.index
            while scanner.byte &- 0x30 < 10 { scanner.index &+= 1 }
            if scanner.index == start { throw scanner.unexpectedByte("a digit") }
        }
        if scanner.byte == 0x2E {
            scanner.index &+= 1
            try digits()
        }
        if scanner.byte | 0x20 == 0x65 {
            scanner.index &+= 1
            if scanner.byte == 0x2B || scanner.byte == 0x2D { scanner.index &+= 1 }
            try digits()
        }
        return scanner.index
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
        let rest = try rest(from: end, isASCII: isASCII)
        if rest.isForeign { isForeign = true }
        index = rest.end
        return rest.flags
    }

    /// Steps over the rest of the string at the cursor, from a byte on that may end it, be escaped or be none of a string.
    @inline(never)
    private func rest(from end: Int, isASCII: Bool) throws(JSONError) -> (end: Int, flags: UInt32, isForeign: Bool) {
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
            var text = String(decoding: written, as: UTF8.self)
            guard text.withUTF8({ UnsafeRawBufferPointer($0).hasSameBytes(as: written) }) else {
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
