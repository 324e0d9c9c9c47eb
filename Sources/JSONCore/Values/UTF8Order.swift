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
    public static func equal(_ text: String, _ bytes: ByteView) -> Bool {
        guard text.utf8.count == bytes.count else { return false }
        #if _pointerBitWidth(_64) && _endian(little)
        let words = words(of: text)
        if words.1 & inPlace != 0 { return hasBytes(words, bytes) }
        #endif
        return text.withBytes { $0.hasSameBytes(as: bytes) }
    }

    #if _pointerBitWidth(_64) && _endian(little)
    /// Whether the words of a text of as many bytes, which stands in them, hold these.
    @inlinable @inline(__always)
    static func hasBytes(_ words: (UInt64, UInt64), _ bytes: ByteView) -> Bool {
        let count = bytes.count
        var (first, second): (UInt64, UInt64) = (0, 0)
        // Two loads that may overlap, since nothing may be read beyond the end.
        if count >= 8 {
            unsafe first = bytes.load(unchecked: 0, as: UInt64.self)
            if count > 8 {
                second = unsafe bytes.load(unchecked: count &- 8, as: UInt64.self) &>> UInt64(8 &* (16 &- count))
            }
        } else if count >= 4 {
            let end = unsafe bytes.load(unchecked: count &- 4, as: UInt32.self)
            first = unsafe UInt64(bytes.load(unchecked: 0, as: UInt32.self)) | UInt64(end) &<< UInt64(8 &* (count &- 4))
        } else {
            for place in 0..<count { first |= unsafe UInt64(bytes[unchecked: place]) &<< UInt64(8 &* place) }
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
        // On 64 bits a string is two words; what they say is compared, and no address among them is followed.
        unsafe unsafeBitCast(text, to: (UInt64, UInt64).self)
    }
    #endif

    /// Whether `a` comes before `b` in ascending order of bytes, which is ascending order of code points.
    @inlinable
    public static func isLess(_ a: String, _ b: String) -> Bool {
        compare(a, b) < 0
    }

    static func isLess(_ a: ByteView, _ b: ByteView) -> Bool {
        a.order(beside: b) < 0
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
        a.withBytes { a in b.withBytes { b in a.order(beside: b) } }
    }

    /// Feeds the bytes of a text to a hasher, so that equal bytes, and only they, are meant to collide.
    @inlinable
    public static func hash(_ text: String, into hasher: inout Hasher) {
        text.withBytes { $0.hash(into: &hasher) }
        hasher.combine(0xFF as UInt8)
    }
}
