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
    /// How far behind `base` the first byte of this value lies, among `count` bytes; nil where there is none.
    @inlinable @inline(__always)
    public static func firstOffset(of byte: UInt8, in base: UnsafeRawPointer, count: Int) -> Int? {
        guard let found = memchr(base, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Whether `count` bytes are the same at two places.
    @inlinable @inline(__always)
    public static func same(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool {
        memcmp(a, b, count) == 0
    }

    /// Negative, zero or positive as `count` bytes at one place come before, equal or after those at another.
    @inlinable @inline(__always)
    public static func compare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Int {
        Int(memcmp(a, b, count))
    }

    /// Whether two texts that end with a zero byte are the same.
    @inlinable @inline(__always)
    public static func sameText(_ a: UnsafePointer<CChar>, _ b: UnsafePointer<CChar>) -> Bool { strcmp(a, b) == 0 }
}
