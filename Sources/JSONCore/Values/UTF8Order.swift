#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Comparison of strings by their UTF-8 bytes, as JSON compares them.
///
/// Swift's own `==`, `<` and hashing treat canonically equivalent texts as equal ("é" and "e" with an accent), which two
/// JSON keys are not.
public enum UTF8Order {
    /// Whether both texts are the same bytes.
    @inlinable
    public static func equal(_ a: String, _ b: String) -> Bool {
        let count = a.utf8.count
        guard count == b.utf8.count else { return false }
        return compareBytes(a, b) == 0
    }

    /// Whether `a` comes before `b` in ascending order of bytes, which is ascending order of code points.
    @inlinable
    public static func isLess(_ a: String, _ b: String) -> Bool {
        compareBytes(a, b) < 0
    }

    /// Negative, zero or positive as `a` is before, equal to or after `b`.
    @inlinable
    public static func compare(_ a: String, _ b: String) -> Int {
        compareBytes(a, b)
    }

    @usableFromInline
    static func compareBytes(_ a: String, _ b: String) -> Int {
        var a = a
        var b = b
        return a.withUTF8 { left in
            b.withUTF8 { right in
                let shared = min(left.count, right.count)
                if shared > 0, let l = left.baseAddress, let r = right.baseAddress {
                    let order = memcmp(l, r, shared)
                    if order != 0 { return Int(order) }
                }
                return left.count - right.count
            }
        }
    }

    /// Feeds the bytes of a text to a hasher, so that equal bytes, and only they, are meant to collide.
    @inlinable
    public static func hash(_ text: String, into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
