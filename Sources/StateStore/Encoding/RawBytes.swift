#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Comparison of values by their bytes in memory.
///
/// Equal bytes of a plain type are equal values; different bytes say nothing (padding, or another buffer with the same
/// content).
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
        return memcmp(start, b, a.count) == 0
    }

    /// How many records from two places on have the same bytes, padding included.
    static func commonPrefix(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int, stride: Int) -> Int {
        if a == b { return count }
        var common = 0
        var step = recordsPerStep(stride)
        while common < count {
            let records = min(step, count - common)
            if memcmp(a + common * stride, b + common * stride, records * stride) == 0 {
                common += records
            } else if records == 1 {
                return common
            } else {
                step = max(1, records / 2)
            }
        }
        return common
    }

    /// How many records before two places have the same bytes, padding included.
    static func commonSuffix(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int, stride: Int) -> Int {
        if a == b { return count }
        var common = 0
        var step = recordsPerStep(stride)
        while common < count {
            let records = min(step, count - common)
            let distance = (common + records) * stride
            if memcmp(a - distance, b - distance, records * stride) == 0 {
                common += records
            } else if records == 1 {
                return common
            } else {
                step = max(1, records / 2)
            }
        }
        return common
    }

    /// Long enough for `memcmp` to run at full speed, short enough to lose little where a difference is.
    private static func recordsPerStep(_ stride: Int) -> Int {
        max(1, 16_384 / max(1, stride))
    }
}

/// The case that a value of an enum is in.
enum EnumCases {
    /// Whether two values of one enum are in the same case; true where the runtime keeps no names of cases.
    static func same<Value>(_ a: Value, _ b: Value) -> Bool {
        guard let left = caseName(a), let right = caseName(b) else { return true }
        return left == right || strcmp(left, right) == 0
    }
}

/// The runtime's name of an enum value's case, which lives as long as the program.
@_silgen_name("swift_EnumCaseName")
private func caseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
