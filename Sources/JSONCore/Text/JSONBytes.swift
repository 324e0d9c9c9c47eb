/// The bytes of a JSON text and the scans that the parser and the skipper are made of.
///
/// The bytes of a text are read here alone, unchecked: the scans compare every index with `count` before they read, and so do
/// ``JSONScanner`` and ``JSONTape``.
struct JSONBytes {
    let text: ByteView

    @inline(__always)
    init(_ text: ByteView) { self.text = text }

    @inline(__always)
    var count: Int { text.count }

    /// A byte whose index was compared with `count`.
    @inline(__always)
    subscript(index: Int) -> UInt8 { unsafe text[unchecked: index] }

    /// The eight bytes from an index on, the first one lowest; as many lie there.
    @inline(__always)
    func word(at index: Int) -> UInt64 { unsafe text.load(unchecked: index, as: UInt64.self) }

    /// The bytes of a range that is inside.
    @inline(__always)
    subscript(range: Range<Int>) -> ByteView { unsafe text.extracting(unchecked: range.lowerBound, count: range.count) }

    @inline(__always)
    func skippingWhitespace(from index: Int) -> Int {
        var index = index
        while index < count {
            switch self[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return index
            }
        }
        return index
    }

    /// The first index from `index` on whose byte is a quote, a backslash or a control character; `count` if there is none.
    ///
    /// Eight bytes at a time, in words: the comparisons of SIMD vectors become loops over their bytes here, many times
    /// slower. `(x - 0x01…) & ~x & 0x80…` marks the lowest zero byte of x, and `(x - 0x20…) & ~x & 0x80…` the lowest one
    /// below 0x20 (Anderson, "Bit Twiddling Hacks").
    @inline(__always)
    func endOfPlainText(from index: Int) -> Int { plainText(from: index).end }

    /// As ``endOfPlainText(from:)``, and whether all before the end is ASCII.
    @inline(__always)
    func plainText(from index: Int) -> (end: Int, isASCII: Bool) {
        var index = index
        let highest: UInt64 = 0x8080_8080_8080_8080
        let ones: UInt64 = 0x0101_0101_0101_0101
        var all: UInt64 = 0
        while index &+ 8 <= count {
            let word = word(at: index)
            let quote = word ^ 0x2222_2222_2222_2222
            let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let found =
                (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
                    | ((word &- 0x2020_2020_2020_2020) & ~word)) & highest
            if found != 0 {
                // The lowest bit that is set is the highest one of its byte: below it lie those of the bytes before.
                all |= word & (found & (0 &- found) &- 1)
                return (index &+ found.trailingZeroBitCount &>> 3, all & highest == 0)
            }
            all |= word
            index &+= 8
        }
        while index < count {
            let byte = self[index]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { return (index, all & highest == 0) }
            all |= UInt64(byte)
            index &+= 1
        }
        return (count, all & highest == 0)
    }

    /// The quote that closes a string of ASCII without escapes; `count` where the string is another, or ends near the text's end.
    ///
    /// As ``plainText(from:)``, with less to find out.
    @inline(__always)
    func endOfPlainString(from index: Int) -> Int {
        var index = index
        let ones: UInt64 = 0x0101_0101_0101_0101
        while index &+ 8 <= count {
            let word = word(at: index)
            let quote = word ^ 0x2222_2222_2222_2222
            let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let found =
                (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | word
                    | ((word &- 0x2020_2020_2020_2020) & ~word)) & 0x8080_8080_8080_8080
            if found != 0 {
                index &+= found.trailingZeroBitCount &>> 3
                return self[index] == 0x22 ? index : count
            }
            index &+= 8
        }
        return count
    }

    /// The index after the closing quote of the string that starts at `index`; nil where it is never closed.
    func endOfString(from index: Int) -> Int? {
        var index = index + 1
        while true {
            index = endOfPlainText(from: index)
            guard index < count else { return nil }
            switch self[index] {
            case 0x22: return index + 1
            case 0x5C: index += 2
            default: index += 1
            }
        }
    }

    /// The index after the value that starts at `index`, found by its brackets and quotes alone; nil where it never
    /// ends.
    ///
    /// The value is not checked: this passes over values that are not wanted.
    func endOfValue(from index: Int) -> Int? {
        guard index < count else { return nil }
        switch self[index] {
        case 0x22: return endOfString(from: index)
        case 0x7B, 0x5B: return endOfContainer(from: index)
        default:
            var end = index
            while end < count, !JSONBytes.endsScalar(self[end]) { end += 1 }
            return end > index ? end : nil
        }
    }

    private func endOfContainer(from start: Int) -> Int? {
        var depth = 0
        var index = start
        while true {
            index = nextQuoteOrBracket(from: index)
            guard index < count else { return nil }
            switch self[index] {
            case 0x22:
                let end = endOfPlainText(from: index &+ 1)
                if end < count, self[end] == 0x22 {
                    index = end &+ 1
                } else {
                    guard let end = endOfString(from: index) else { return nil }
                    index = end
                }
                continue
            case 0x7B, 0x5B: depth &+= 1
            case 0x7D, 0x5D:
                depth &-= 1
                if depth == 0 { return index &+ 1 }
            default: break
            }
            index &+= 1
        }
    }

    /// The first index from `index` on whose byte is a quote or a bracket, or one of the few other bytes that differ from a
    /// bracket in the same bits; `count` if there is none.
    @inline(__always)
    private func nextQuoteOrBracket(from index: Int) -> Int {
        var index = index
        let ones: UInt64 = 0x0101_0101_0101_0101
        while index &+ 8 <= count {
            let word = word(at: index)
            let quote = word ^ 0x2222_2222_2222_2222
            // The four brackets are the same but for the bits of 0x26; `Y`, `_`, `y` and DEL are taken for one.
            let bracket = (word | 0x2626_2626_2626_2626) ^ 0x7F7F_7F7F_7F7F_7F7F
            let found = (((quote &- ones) & ~quote) | ((bracket &- ones) & ~bracket)) & 0x8080_8080_8080_8080
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < count, self[index] != 0x22, self[index] | 0x26 != 0x7F { index &+= 1 }
        return index
    }

    static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte &- 0x30)
        case 0x41...0x46: UInt32(byte &- 0x37)
        case 0x61...0x66: UInt32(byte &- 0x57)
        default: nil
        }
    }

    @inline(__always)
    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2C, 0x5D, 0x7D, 0x20, 0x0A, 0x0D, 0x09: true
        default: false
        }
    }
}
