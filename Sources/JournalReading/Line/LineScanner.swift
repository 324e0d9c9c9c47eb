import JSONCore
import Platform

/// Steps over the JSON of one line without building values: what a pass does to every line that it only examines.
///
/// It follows brackets and quotes, passes over white space between them, and checks nothing else; every index is held against
/// the line's length, so no bytes can lead it outside. What it cannot follow it gives up, and the caller takes the line for one
/// that matters. It stands for `JSONParser`, which reads the line strictly.
package struct LineScanner {
    /// Not examined where ``count`` is zero.
    private let base: UnsafeRawPointer
    private let count: Int
    package private(set) var place: Int

    /// Begins at a place of a line.
    @inline(__always)
    package init(_ line: UnsafeRawBufferPointer, at place: Int = 0) {
        base = line.baseAddress ?? LineScanner.nowhere
        count = line.count
        self.place = place
    }

    private static var nowhere: UnsafeRawPointer { UnsafeRawPointer(StaticString("").utf8Start) }

    /// The byte at the place, 0 after the end.
    @inline(__always)
    private var byte: UInt8 { place < count ? base.load(fromByteOffset: place, as: UInt8.self) : 0 }

    /// Steps over one byte if it is the expected one, and over white space before it.
    ///
    /// Our own writer puts no white space anywhere: it is searched for only where the byte is another.
    @inline(__always)
    package mutating func take(_ expected: UInt8) -> Bool {
        if byte != expected {
            guard LineScanner.isSpace(byte) else { return false }
            skipSpace()
            guard byte == expected else { return false }
        }
        place &+= 1
        return true
    }

    /// Steps over the first bytes of a word, its lowest first, if they are the next ones; false near the line's end, too.
    @inline(__always)
    mutating func take(word: UInt64, count length: Int) -> Bool {
        guard place &+ 8 <= count else { return false }
        let next = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        guard (next ^ word) &<< UInt64(64 &- 8 &* length) == 0 else { return false }
        place &+= length
        return true
    }

    /// Whether the next byte that is not white space is this one.
    @inline(__always)
    package mutating func isNext(_ expected: UInt8) -> Bool {
        if LineScanner.isSpace(byte) { skipSpace() }
        return byte == expected
    }

    /// Whether nothing but white space is left.
    @inline(__always)
    package mutating func isAtEnd() -> Bool {
        if place == count { return true }
        skipSpace()
        return place == count
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }

    @inline(never)
    private mutating func skipSpace() {
        while LineScanner.isSpace(byte) { place &+= 1 }
    }

    /// Steps over a string; nil where there is none.
    @inline(__always)
    package mutating func string() -> LineString? {
        guard take(0x22) else { return nil }
        let start = place
        skipToQuoteOrBackslash()
        let isEscaped = byte == 0x5C
        guard skipStringRest() else { return nil }
        return LineString(
            raw: UnsafeRawBufferPointer(start: base + start, count: place &- 1 &- start), isEscaped: isEscaped)
    }

    /// Steps over a value, and gives its text; nil where there is none.
    @inline(__always)
    package mutating func value() -> UnsafeRawBufferPointer? {
        if LineScanner.isSpace(byte) { skipSpace() }
        let start = place
        guard skipValue() else { return nil }
        return UnsafeRawBufferPointer(start: base + start, count: place &- start)
    }

    /// Steps over the rest of a string whose opening quote was read.
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
    package mutating func skipValue() -> Bool {
        if LineScanner.isSpace(byte) { skipSpace() }
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

    /// Steps over a value whose end another scan finds; false where there is none.
    ///
    /// - Parameter end: where the value ends that begins at a place.
    mutating func skip(_ end: (Int) -> Int?) -> Bool {
        guard let end = end(place), (place...count).contains(end) else { return false }
        place = end
        return true
    }

    /// Steps over what stands before the next string or white space: brackets, commas, numbers and literals.
    mutating func skipToken() {
        while place < count, byte != 0x22, !LineScanner.isSpace(byte) { place &+= 1 }
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
        byte == 0x2C || byte == 0x7D || byte == 0x5D || byte == 0x22 || isSpace(byte)
    }
}
