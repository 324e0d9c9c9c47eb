import Platform

/// A string of a line, as it lies there: what is between its quotes, its escapes not undone.
///
/// A foreign writer may escape what need not be (`"\/cart"`): comparisons of texts go through ``equals(_:)`` and
/// ``withBytes(_:)``, which undo escapes only where there are any. The bytes are the line's own.
public struct LineString {
    /// What lies between the quotes.
    public let raw: UnsafeRawBufferPointer
    /// Whether there is a backslash in it.
    public let isEscaped: Bool

    /// A string between these quotes.
    @inline(__always)
    init(raw: UnsafeRawBufferPointer, isEscaped: Bool) {
        self.raw = raw
        self.isEscaped = isEscaped
    }

    /// The index after its closing quote in the line that it lies in.
    @inline(__always)
    func end(in line: UnsafeRawBufferPointer) -> Int {
        guard let base = line.baseAddress, let start = raw.baseAddress else { return line.count }
        return start - base + raw.count &+ 1
    }

    /// Whether it says this.
    @inline(__always)
    public func equals(_ text: StaticString) -> Bool {
        isEscaped ? withBytes { $0.equals(text) } ?? false : raw.equals(text)
    }

    /// Calls a closure with the string's bytes, escapes undone, valid during the call; nil where an escape is none of
    /// JSON.
    @inline(__always)
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        isEscaped ? withUnescapedBytes(body) : body(raw)
    }

    @inline(never)
    private func withUnescapedBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        // No escape is longer undone than written.
        withUnsafeTemporaryAllocation(byteCount: raw.count, alignment: 1) { buffer in
            guard let count = unescape(into: buffer) else { return nil }
            return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Whether it is a JSON Pointer of at least one segment, in ASCII, in which nothing is escaped.
    @inline(__always)
    var isPlainPointer: Bool {
        guard !isEscaped, let base = raw.baseAddress, raw.first == UInt8(ascii: "/") else { return false }
        return raw.isPlainASCII && RawMemory.firstOffset(of: UInt8(ascii: "~"), in: base, count: raw.count) == nil
    }

    /// The text; nil where it is not a string of JSON: not UTF-8, a control character, an unknown escape.
    public var text: String? {
        // Mostly plain: then there is nothing to undo, nor to repair.
        if !isEscaped, raw.isPlainASCII { return String(decoding: raw, as: UTF8.self) }
        guard !raw.contains(where: { $0 < 0x20 }) else { return nil }
        let text = withBytes { bytes -> String? in
            // Decoding repairs what is malformed, and then the bytes are others.
            var text = String(decoding: bytes, as: UTF8.self)
            return text.withUTF8 { UnsafeRawBufferPointer($0).hasSameBytes(as: bytes) } ? text : nil
        }
        return text ?? nil
    }

    // MARK: Escapes (RFC 8259 section 7)

    private func unescape(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var (place, count) = (0, 0)
        while place < raw.count {
            guard raw[place] == 0x5C else {
                buffer[count] = raw[place]
                place += 1
                count += 1
                continue
            }
            guard place + 1 < raw.count else { return nil }
            if raw[place + 1] == UInt8(ascii: "u") {
                guard let scalar = scalar(at: &place) else { return nil }
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    buffer[count] = byte
                    count += 1
                }
                continue
            }
            guard let byte = LineString.meaning(of: raw[place + 1]) else { return nil }
            buffer[count] = byte
            place += 2
            count += 1
        }
        return count
    }

    private static func meaning(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The character of the `\u` at a place, of both halves of a pair; half a pair stands for U+FFFD, as in `JSONParser`.
    private func scalar(at place: inout Int) -> Unicode.Scalar? {
        guard let first = hexadecimal(at: place + 2) else { return nil }
        place += 6
        if first & 0xFC00 == 0xD800, place + 1 < raw.count, raw[place] == 0x5C, raw[place + 1] == UInt8(ascii: "u") {
            guard let second = hexadecimal(at: place + 2) else { return nil }
            if second & 0xFC00 == 0xDC00 {
                place += 6
                return Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF))
            }
        }
        return Unicode.Scalar(first) ?? "\u{FFFD}"
    }

    private func hexadecimal(at start: Int) -> UInt32? {
        guard start + 4 <= raw.count else { return nil }
        var value: UInt32 = 0
        for byte in raw[start..<(start + 4)] {
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
            case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
            default: return nil
            }
        }
        return value
    }
}

extension UnsafeRawBufferPointer {
    /// Whether each byte is an ASCII character that is not a control character, tested eight at a time.
    fileprivate var isPlainASCII: Bool {
        guard let base = baseAddress else { return true }
        var place = 0
        var bits: UInt64 = 0
        while place &+ 8 <= count {
            let word = base.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            // Of a byte below 0x20 the subtraction sets the highest bit; a borrow only ever makes more of them.
            bits |= word | (word &- 0x2020_2020_2020_2020)
            place &+= 8
        }
        guard bits & 0x8080_8080_8080_8080 == 0 else { return false }
        while place < count {
            let byte = base.load(fromByteOffset: place, as: UInt8.self)
            guard byte >= 0x20, byte < 0x80 else { return false }
            place &+= 1
        }
        return true
    }

    /// Whether these bytes are those of a text.
    @inline(__always)
    package func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let base = baseAddress else { return false }
        // By the count of the text, which is known when this is compiled: then it is one comparison of words.
        return RawMemory.same(base, text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Whether both have the same bytes.
    @inline(__always)
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let base = baseAddress, let other = other.baseAddress else { return true }
        return RawMemory.same(base, other, count: count)
    }
}
