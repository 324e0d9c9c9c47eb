internal import Platform

/// Comparison of values by all of their bytes in memory, where there is no padding or it does not matter.
///
/// Equal bytes of a plain type are equal values; different bytes say nothing: it may be another buffer with the same content.
enum RawBytes {
    /// Whether two values have the same bytes.
    @inline(__always)
    static func same<Value>(_ a: Value, _ b: Value) -> Bool {
        withUnsafeBytes(of: a) { left in
            withUnsafePointer(to: b) { same(left, UnsafeRawPointer($0)) }
        }
    }

    /// Whether the bytes at a place are those of a buffer.
    @inline(__always)
    static func same(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawPointer) -> Bool {
        guard let start = a.baseAddress else { return true }
        return RawMemory.same(start, b, count: a.count)
    }
}
