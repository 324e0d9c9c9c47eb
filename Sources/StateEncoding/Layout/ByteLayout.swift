internal import JSONCore

/// Which bytes of a type's values are significant.
///
/// Copying a struct leaves the padding between its properties as it was in memory, so that two equal values differ
/// there. Without this every struct with a `Bool` in the middle would look changed after each copy on write.
package final class ByteLayout: @unchecked Sendable {
    // Unchecked: filled in by its initializer, and never changed.

    /// The bytes of one value.
    let size: Int
    /// The bytes from one value to the next in an array.
    let stride: Int
    /// A mask of the significant bits of each whole word of a value.
    ///
    /// Not an array, whose reference would be counted for each value that is compared.
    private let masks: PinnedArray<UInt64>
    /// A mask for each byte after the last whole word.
    private let tail: PinnedArray<UInt8>
    /// Whether all bytes of a value are significant.
    private let isDense: Bool

    /// An enum counts as one range, though its cases leave gaps of their own; so does a struct of C, whose bit-fields are not
    /// listed.
    private init<Value>(_ type: Value.Type, readsLayouts: Bool) {
        size = MemoryLayout<Value>.size
        stride = MemoryLayout<Value>.stride
        var found: [Range<Int>] = []
        if readsLayouts { Self.collect(type, at: 0, into: &found) } else { found = [0..<size] }
        var bytes = [UInt8](repeating: 0, count: size)
        for range in found {
            for byte in range { bytes[byte] = 0xFF }
        }
        isDense = bytes.allSatisfy { $0 == 0xFF }
        masks = PinnedArray(
            bytes.withBytes { all in (0..<all.count / 8).map { all.load(at: $0 * 8, as: UInt64.self) } })
        tail = PinnedArray(Array(bytes.suffix(size % 8)))
    }

    private static let known = TypeCache<ByteLayout>()

    /// The layout of a type, found once in a process.
    ///
    /// - Parameter readsLayouts: without it the bytes between properties count, so that equal values may seem to differ.
    package static func of<Value>(
        _ type: Value.Type, readsLayouts: Bool = LayoutReading.isOnByDefault
    ) -> ByteLayout {
        known.value(of: type, readsLayouts) { ByteLayout(type, readsLayouts: readsLayouts) }
    }

    private static func collect<Value>(_ type: Value.Type, at offset: Int, into ranges: inout [Range<Int>]) {
        let size = MemoryLayout<Value>.size
        let kind = RuntimeFields.kind(of: type)
        guard size > 0 else { return }
        guard kind == .structure || kind == .tuple, !PlainTypes.isKnown(type), size > 1,
            !RuntimeFields.isImported(type), let stored = RuntimeFields.stored(in: type), !stored.isEmpty
        else { return ranges.append(offset..<(offset + size)) }
        for field in stored { collect(field.type, at: offset + field.offset, into: &ranges) }
    }

    /// Whether the values at two places have the same significant bytes.
    @inline(__always)
    package func same(_ a: Address, _ b: Address) -> Bool {
        if isDense { return a.hasSameBytes(as: b, count: size) }
        for word in 0..<masks.count where (a.word(word) ^ b.word(word)) & masks[word] != 0 { return false }
        let start = masks.count * 8
        for byte in 0..<tail.count {
            let difference = a.load(start + byte, as: UInt8.self) ^ b.load(start + byte, as: UInt8.self)
            if difference & tail[byte] != 0 { return false }
        }
        return true
    }

    @inline(__always)
    package func holdsSame<Value>(_ a: Value, _ b: Value) -> Bool {
        withAddress(of: a) { left in withAddress(of: b) { same(left, $0) } }
    }

    /// How many values are the same from two places on.
    func commonPrefix(_ a: Address, _ b: Address, count: Int) -> Int {
        if a == b { return count }
        var common = 0
        while common < count {
            let step = min(valuesPerStep, count - common)
            let offset = common * stride
            if (a + offset).hasSameBytes(as: b + offset, count: step * stride) {
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
    func commonSuffix(_ a: Address, _ b: Address, count: Int) -> Int {
        if a == b { return count }
        var common = 0
        while common < count {
            let step = min(valuesPerStep, count - common)
            let offset = (common + step) * stride
            if (a + -offset).hasSameBytes(as: b + -offset, count: step * stride) {
                common += step
                continue
            }
            for _ in 0..<step {
                let offset = (common + 1) * stride
                if !same(a + -offset, b + -offset) { return common }
                common += 1
            }
        }
        return common
    }

    /// Enough for `memcmp` to run at full speed, few enough to lose little at a difference.
    private var valuesPerStep: Int {
        max(1, 4_096 / max(1, stride))
    }

    /// A hash of the significant bytes of a value, seeded anew in each run of the program.
    func hash(_ value: Address) -> UInt64 {
        var hash = Self.seed
        for word in 0..<masks.count { hash = Self.mix(hash, value.word(word) & masks[word]) }
        let start = masks.count * 8
        for byte in 0..<tail.count {
            hash = Self.mix(hash, UInt64(value.load(start + byte, as: UInt8.self) & tail[byte]))
        }
        return hash ^ (hash >> 32)
    }

    private static let seed = UInt64.random(in: 1...UInt64.max)

    /// Both halves of a product, so that each input bit reaches all of the hash.
    @inline(__always)
    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}

/// Comparison of values by all of their bytes in memory, where there is no padding or it does not matter.
///
/// Equal bytes of a plain type are equal values; different bytes say nothing: it may be another buffer with the same content.
enum RawBytes {
    @inline(__always)
    static func same<Value>(_ a: Value, _ b: Value) -> Bool {
        withAddress(of: a) { left in
            withAddress(of: b) { left.hasSameBytes(as: $0, count: MemoryLayout<Value>.size) }
        }
    }
}
