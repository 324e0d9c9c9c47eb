#if canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#else
public import Darwin
#endif

/// Search and comparison of bytes in memory, as fast as the C library has them.
///
/// Inlinable, because inner loops call it: a call across modules costs more than what it does.
public enum RawMemory {
    /// How far after `base` the first byte of this value lies, among `count` bytes; nil where there is none.
    @inlinable @inline(__always)
    public static func firstOffset(of byte: UInt8, in base: UnsafeRawPointer, count: Int) -> Int? {
        guard let found = unsafe memchr(base, Int32(byte), count) else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }

    /// How far after `base` the last byte of this value lies, among `count` bytes; nil where there is none.
    @inlinable @inline(__always)
    public static func lastOffset(of byte: UInt8, in base: UnsafeRawPointer, count: Int) -> Int? {
        // memrchr(3) is not everywhere. A mask is bytes of ones and zeros: as two words it is searched at once.
        let wanted = SIMD16<UInt8>(repeating: byte)
        var place = count
        while place >= 16 {
            let found = unsafe base.loadUnaligned(fromByteOffset: place &- 16, as: SIMD16<UInt8>.self) .== wanted
            let words = unsafe unsafeBitCast(found, to: SIMD2<UInt64>.self)
            if words[0] | words[1] != 0 { break }
            place &-= 16
        }
        while place > 0 {
            place &-= 1
            if unsafe base.load(fromByteOffset: place, as: UInt8.self) == byte { return place }
        }
        return nil
    }

    /// Whether `count` bytes are the same at two places.
    @inlinable @inline(__always)
    public static func same(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool {
        unsafe memcmp(a, b, count) == 0
    }

    /// Negative, zero or positive as `count` bytes at one place come before, equal or after those at another.
    @inlinable @inline(__always)
    public static func compare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Int {
        unsafe Int(memcmp(a, b, count))
    }

    /// Whether two texts that end with a zero byte are the same.
    @inlinable @inline(__always)
    public static func sameText(_ a: UnsafePointer<CChar>, _ b: UnsafePointer<CChar>) -> Bool {
        unsafe strcmp(a, b) == 0
    }
}
