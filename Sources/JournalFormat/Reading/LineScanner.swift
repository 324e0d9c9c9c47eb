import JSONCore
import Platform

/// Steps over the JSON of one line without building values: what a pass does to every line that it only looks at.
///
/// It follows brackets and quotes and checks nothing else; every index is held against the line's length, so no bytes can lead
/// it outside. What it cannot follow it gives up, and the caller takes the line for one that matters.
struct LineScanner {
    private let base: UnsafeRawPointer
    private let count: Int
    var place: Int

    /// Begins at a place of a line; nil for an empty one.
    @inline(__always)
    init?(_ line: UnsafeRawBufferPointer, at place: Int) {
        guard let base = line.baseAddress else { return nil }
        self.base = base
        count = line.count
        self.place = place
    }

    /// The byte at the place, 0 behind the end.
    @inline(__always)
    var byte: UInt8 { place < count ? base.load(fromByteOffset: place, as: UInt8.self) : 0 }

    /// Steps over one byte if it is the expected one.
    @inline(__always)
    mutating func take(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        place &+= 1
        return true
    }

    /// Steps over a string, and gives what lies between its quotes; nil where there is none.
    @inline(__always)
    mutating func string() -> UnsafeRawBufferPointer? {
        guard take(0x22) else { return nil }
        let start = place
        guard skipStringRest() else { return nil }
        return UnsafeRawBufferPointer(start: base + start, count: place &- 1 &- start)
    }

    /// Steps over a string without escapes, and gives what lies between its quotes; nil where there is none, or an escape.
    @inline(__always)
    mutating func plainString() -> UnsafeRawBufferPointer? {
        guard take(0x22) else { return nil }
        let start = place
        skipToQuoteOrBackslash()
        guard byte == 0x22 else { return nil }
        place &+= 1
        return UnsafeRawBufferPointer(start: base + start, count: place &- 1 &- start)
    }

    /// Steps over the rest of a string whose opening quote is behind.
    @inline(__always)
    private mutating func skipStringRest() -> Bool {
        while true {
            skipToQuoteOrBackslash()
            guard place < count else { return false }
            if base.load(fromByteOffset: place, as: UInt8.self) == 0x22 {
                place &+= 1
                return true
            }
            guard place &+ 1 < count else { return false }
            place &+= 2
        }
    }

    /// Steps to the next quote or backslash, eight bytes at a time.
    ///
    /// Words, not SIMD vectors: the compiler makes byte by byte loops of the comparisons of `SIMD16`, forty times slower.
    /// A byte of `word ^ pattern` is zero where it matches; the highest bit of the lowest zero byte is the lowest one that
    /// `(x - 0x01…) & ~x & 0x80…` leaves (Anderson, "Bit Twiddling Hacks": determine if a word has a zero byte).
    @inline(__always)
    private mutating func skipToQuoteOrBackslash() {
        while place &+ 8 <= count {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let quote = word ^ 0x2222_2222_2222_2222
            let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let ones: UInt64 = 0x0101_0101_0101_0101
            let found = (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & 0x8080_8080_8080_8080
            if found != 0 {
                place &+= found.trailingZeroBitCount &>> 3
                return
            }
            place &+= 8
        }
        while place < count {
            let byte = base.load(fromByteOffset: place, as: UInt8.self)
            if byte == 0x22 || byte == 0x5C { return }
            place &+= 1
        }
    }

    /// Steps over a value.
    @inline(__always)
    mutating func skipValue() -> Bool {
        switch byte {
        case 0x22:
            place &+= 1
            return skipStringRest()
        case 0x7B, 0x5B: return skipContainer()
        default:
            let start = place
            while place < count, !LineScanner.endsScalar(byte) { place &+= 1 }
            return place > start
        }
    }

    private mutating func skipContainer() -> Bool {
        var depth = 0
        while place < count {
            switch base.load(fromByteOffset: place, as: UInt8.self) {
            case 0x22:
                place &+= 1
                guard skipStringRest() else { return false }
                continue
            case 0x7B, 0x5B: depth &+= 1
            case 0x7D, 0x5D:
                depth &-= 1
                if depth == 0 {
                    place &+= 1
                    return true
                }
            default: break
            }
            place &+= 1
        }
        return false
    }

    @inline(__always)
    private static func endsScalar(_ byte: UInt8) -> Bool {
        byte == 0x2C || byte == 0x7D || byte == 0x5D || byte == 0x22
    }
}

extension UnsafeRawBufferPointer {
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
