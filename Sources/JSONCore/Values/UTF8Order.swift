import Platform

/// Comparison of strings by their UTF-8 bytes, as JSON compares them.
///
/// Swift's own `==`, `<` and hashing treat canonically equivalent texts as equal ("é" and "e" with an accent), which two
/// JSON keys are not.
public enum UTF8Order {
    /// Whether both texts are the same bytes.
    @inlinable
    public static func equal(_ a: String, _ b: String) -> Bool {
        #if _pointerBitWidth(_64)
        let (x, y) = (words(of: a), words(of: b))
        if x == y { return true }
        // Other words are another text where both texts stand in their words.
        if x.1 & y.1 & inPlace != 0 { return false }
        #endif
        let count = a.utf8.count
        guard count == b.utf8.count else { return false }
        return compareBytes(a, b) == 0
    }

    /// Whether a text has these bytes.
    @inlinable @inline(__always)
    public static func equal(_ text: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard text.utf8.count == bytes.count else { return false }
        #if _pointerBitWidth(_64) && _endian(little)
        let words = words(of: text)
        if words.1 & inPlace != 0 { return hasBytes(words, bytes) }
        #endif
        return text.utf8.withContiguousStorageIfAvailable { compareBytes($0, bytes.bindMemory(to: UInt8.self)) == 0 }
            ?? text.utf8.elementsEqual(bytes)
    }

    #if _pointerBitWidth(_64) && _endian(little)
    /// Whether the words of a text of as many bytes, which stands in them, hold these.
    @inlinable @inline(__always)
    static func hasBytes(_ words: (UInt64, UInt64), _ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count
        var (first, second): (UInt64, UInt64) = (0, 0)
        // Two loads that may overlap, since nothing may be read beyond the end.
        if count >= 8 {
            first = bytes.loadUnaligned(as: UInt64.self)
            if count > 8 {
                second = bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) &>> UInt64(8 &* (16 &- count))
            }
        } else if count >= 4 {
            let end = bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            first = UInt64(bytes.loadUnaligned(as: UInt32.self)) | UInt64(end) &<< UInt64(8 &* (count &- 4))
        } else {
            for place in 0..<count { first |= UInt64(bytes[place]) &<< UInt64(8 &* place) }
        }
        // The text's bytes are followed by its kind and count.
        return words.0 == first && words.1 & 0x00FF_FFFF_FFFF_FFFF == second
    }
    #endif

    #if _pointerBitWidth(_64)
    /// The bit of a string's second word that is set for a text of up to 15 bytes, which is held in the two words
    /// themselves, unused bytes zero (the standard library's `StringObject`; on Apple's platforms a part of its ABI).
    @usableFromInline static let inPlace: UInt64 = 1 << 61

    /// The two words that a string is: keys are short, and comparing them so takes a nanosecond.
    @inlinable @inline(__always)
    static func words(of text: String) -> (UInt64, UInt64) {
        unsafeBitCast(text, to: (UInt64, UInt64).self)
    }
    #endif

    /// Whether `a` comes before `b` in ascending order of bytes, which is ascending order of code points.
    @inlinable
    public static func isLess(_ a: String, _ b: String) -> Bool {
        compare(a, b) < 0
    }

    /// Whether some bytes come before others.
    static func isLess(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        compareBytes(a.bindMemory(to: UInt8.self), b.bindMemory(to: UInt8.self)) < 0
    }

    /// Whether a text begins with the bytes of another: Swift's own `hasPrefix` compares characters, and a `/` before a
    /// combining mark is another character than a `/`.
    public static func begins(_ text: some StringProtocol, with prefix: String) -> Bool {
        text.utf8.starts(with: prefix.utf8)
    }

    /// Whether a text ends with the bytes of another.
    public static func ends(_ text: some StringProtocol, with suffix: String) -> Bool {
        text.utf8.count >= suffix.utf8.count && text.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Negative, zero or positive as `a` is before, equal to or after `b`.
    @inlinable
    public static func compare(_ a: String, _ b: String) -> Int {
        #if _pointerBitWidth(_64) && _endian(little)
        let (x, y) = (words(of: a), words(of: b))
        if x.1 & y.1 & inPlace != 0 { return compareInPlace(x, y) }
        #endif
        return compareBytes(a, b)
    }

    #if _pointerBitWidth(_64) && _endian(little)
    /// The order of two texts that stand in their words: the words, turned so that the first byte counts most, are in the
    /// order of their bytes; where these are the same as far as the shorter text goes and zero beyond, the counts decide.
    @usableFromInline
    static func compareInPlace(_ x: (UInt64, UInt64), _ y: (UInt64, UInt64)) -> Int {
        let (a, b) = (x.0.byteSwapped, y.0.byteSwapped)
        if a != b { return a < b ? -1 : 1 }
        // The lower half of the last byte is the count.
        let (c, d) = ((x.1 << 8).byteSwapped, (y.1 << 8).byteSwapped)
        if c != d { return c < d ? -1 : 1 }
        return Int(x.1 >> 56 & 0xF) - Int(y.1 >> 56 & 0xF)
    }
    #endif

    @usableFromInline
    static func compareBytes(_ a: String, _ b: String) -> Int {
        let order = a.utf8.withContiguousStorageIfAvailable { left in
            b.utf8.withContiguousStorageIfAvailable { right in compareBytes(left, right) }
        }
        if let order, let order { return order }
        var a = a
        var b = b
        return a.withUTF8 { left in b.withUTF8 { right in compareBytes(left, right) } }
    }

    @usableFromInline @inline(__always)
    static func compareBytes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
        let shared = min(a.count, b.count)
        if shared > 0, let left = a.baseAddress, let right = b.baseAddress {
            let order = RawMemory.compare(left, right, count: shared)
            if order != 0 { return order }
        }
        return a.count - b.count
    }

    /// Feeds the bytes of a text to a hasher, so that equal bytes, and only they, are meant to collide.
    @inlinable
    public static func hash(_ text: String, into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
