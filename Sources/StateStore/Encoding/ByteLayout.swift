#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Which bytes of a type's values mean something.
///
/// Copying a struct leaves the bytes between its properties as they were in memory before, so that two equal values differ
/// there. Without this every struct with a `Bool` in the middle would look changed after each copy on write.
final class ByteLayout {
    /// The bytes of one value.
    let size: Int
    /// The bytes from one value to the next in an array.
    let stride: Int
    /// The meaningful bytes of a value, in order, without gaps of no length between them.
    private let ranges: UnsafeMutableBufferPointer<Range<Int>>
    /// Whether all of the bytes of a value mean something.
    private let isDense: Bool

    /// Finds the gaps in a type.
    ///
    /// An enum counts as one range: its cases leave gaps of their own.
    init<Value>(_ type: Value.Type) {
        size = MemoryLayout<Value>.size
        stride = MemoryLayout<Value>.stride
        var found: [Range<Int>] = []
        Self.collect(type, at: 0, into: &found)
        found.sort { $0.lowerBound < $1.lowerBound }
        let merged: [Range<Int>] = found.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        isDense = merged == [0..<size] || size == 0
        // Not an array: its reference would be counted for each value that is compared.
        ranges = .allocate(capacity: merged.count)
        _ = ranges.initialize(from: merged)
    }

    deinit {
        ranges.deallocate()
    }

    private static func collect<Value>(_ type: Value.Type, at offset: Int, into ranges: inout [Range<Int>]) {
        let size = MemoryLayout<Value>.size
        let kind = RuntimeFields.kind(of: type)
        guard size > 0 else { return }
        guard kind == .structure || kind == .tuple, !PlainTypes.isKnown(type), size > 1,
            let stored = RuntimeFields.stored(in: type), !stored.isEmpty
        else { return ranges.append(offset..<(offset + size)) }
        for field in stored { collect(field.type, at: offset + field.offset, into: &ranges) }
    }

    /// Whether the values at two places are the same in all that means something.
    @inline(__always)
    func same(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
        if isDense { return memcmp(a, b, size) == 0 }
        for range in ranges where memcmp(a + range.lowerBound, b + range.lowerBound, range.count) != 0 { return false }
        return true
    }

    /// Whether two values are the same in all that means something.
    @inline(__always)
    func holdsSame<Value>(_ a: Value, _ b: Value) -> Bool {
        withUnsafePointer(to: a) { left in
            withUnsafePointer(to: b) { same(left, $0) }
        }
    }

    /// How many values are the same from two places on.
    func commonPrefix(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Int {
        if a == b { return count }
        var common = 0
        while common < count {
            let step = min(valuesPerStep, count - common)
            let offset = common * stride
            if memcmp(a + offset, b + offset, step * stride) == 0 {
                common += step
                continue
            }
            for _ in 0..<step {
                if !same(a + common * stride, b + common * stride) { return common }
                common += 1
            }
        }
        return common
    }

    /// How many values are the same before two places, which are the ends of two arrays.
    func commonSuffix(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Int {
        if a == b { return count }
        var common = 0
        while common < count {
            let step = min(valuesPerStep, count - common)
            let offset = (common + step) * stride
            if memcmp(a - offset, b - offset, step * stride) == 0 {
                common += step
                continue
            }
            for _ in 0..<step {
                let offset = (common + 1) * stride
                if !same(a - offset, b - offset) { return common }
                common += 1
            }
        }
        return common
    }

    /// Long enough for `memcmp` to run at full speed, short enough to lose little where a difference is.
    private var valuesPerStep: Int {
        max(1, 4_096 / max(1, stride))
    }

    /// Feeds the meaningful bytes of a value to a hasher.
    func hash(_ value: UnsafeRawPointer, into hasher: inout Hasher) {
        for range in ranges {
            hasher.combine(bytes: UnsafeRawBufferPointer(start: value + range.lowerBound, count: range.count))
        }
    }
}
