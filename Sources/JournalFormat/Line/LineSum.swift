public import JSONCore

/// CRC-32C (Castagnoli) of a line's bytes: the journal's `sum`.
///
/// Sliced by sixteen: sixteen table lookups take in sixteen bytes at once, so that no byte waits for the one before it.
/// Source: RFC 3720 appendix B.4 for the polynomial; Kounavis and Berry, "A Systematic Approach to Building High Performance,
/// Software-based, CRC Generators" (2005) for the slicing.
public enum LineSum {
    /// The sum of some bytes.
    ///
    /// - Complexity: O(n), about a quarter of a nanosecond a byte.
    public static func of(_ bytes: ByteView) -> UInt32 {
        let table = LineSum.table.span
        var crc: UInt32 = 0xFFFF_FFFF
        var place = 0
        let wide = bytes.count & ~15
        while place < wide {
            let front = unsafe bytes.load(unchecked: place, as: UInt64.self) ^ UInt64(crc)
            let back = unsafe bytes.load(unchecked: place &+ 8, as: UInt64.self)
            crc = sum(of: front, slices: 8, table) ^ sum(of: back, slices: 0, table)
            place &+= 16
        }
        while place < bytes.count {
            let byte = unsafe bytes[unchecked: place]
            crc = unsafe table[unchecked: Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc &>> 8)
            place &+= 1
        }
        return ~crc
    }

    /// What eight bytes add, the last of which is followed by `slice` others.
    @inline(__always)
    private static func sum(of word: UInt64, slices slice: Int, _ table: Span<UInt32>) -> UInt32 {
        // A byte in one of eight tables from one of the first nine: below the table's 4,096 words.
        func entry(_ byte: Int) -> UInt32 {
            let index = (slice &+ 7 &- byte) &* 256 &+ Int((word &>> UInt64(8 &* byte)) & 0xFF)
            return unsafe table[unchecked: index]
        }
        return (entry(0) ^ entry(1) ^ entry(2) ^ entry(3)) ^ (entry(4) ^ entry(5) ^ entry(6) ^ entry(7))
    }

    /// What a line says of its own bytes.
    public enum Verdict: Sendable, Equatable {
        /// The line has no sum.
        case none
        /// The sum is that of the bytes before it.
        case right
        /// The sum is of other bytes: `written` stands there, `computed` is what the bytes give.
        case wrong(written: UInt32, computed: UInt32)
    }

    /// Checks a line that may end in exactly `,"sum":"1a2b3c4d"}`.
    ///
    /// - Parameter line: the line without its newline.
    public static func check(_ line: ByteView) -> Verdict {
        guard let written = written(in: line) else { return .none }
        let computed = of(line.extracting(..<(line.count - tailLength)))
        return written == computed ? .right : .wrong(written: written, computed: computed)
    }

    /// A sum as lines have it: eight lower-case hexadecimal digits.
    package static func text(_ sum: UInt32) -> String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The length of `,"sum":"1a2b3c4d"}`.
    package static let tailLength = 18

    /// The number in a line's tail, nil where the line does not end in a sum.
    package static func written(in line: ByteView) -> UInt32? {
        guard line.count > tailLength else { return nil }
        let tail = line.count - tailLength
        guard line.load(at: tail, as: UInt64.self) == opening, line[tail + 16] == UInt8(ascii: "\""),
            line[tail + 17] == UInt8(ascii: "}")
        else { return nil }
        return number(line.load(at: tail + 8, as: UInt64.self))
    }

    /// `,"sum":"`, the first byte lowest.
    private static let opening: UInt64 = 0x223A_226D_7573_222C

    /// What eight digits say, of which the first is the lowest byte; nil where one is not a digit.
    ///
    /// All are read at once: a byte's sixth bit distinguishes a letter from a digit.
    private static func number(_ text: UInt64) -> UInt32? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let letters = (text &>> 6) & ones
        // Where the byte is a digit or a letter from a to f, this is its value, in four bits.
        let values = (text & (ones &* 0x0F)) &+ letters &* 9
        // Written again they are the same bytes only if they were such digits: '0' + value, and 39 more for a letter.
        guard values &+ ones &* 0x30 &+ letters &* 39 == text, (values &+ ones &* 6) & (ones &* 0x10) == letters &* 16,
            values & (ones &* 0xF0) == 0
        else { return nil }
        let pairs = (values &<< 4 | values &>> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &<< 8 | pairs &>> 16) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: fours &<< 16 | fours &>> 32)
    }

    /// Sixteen tables of 256 words, each after the one before it.
    private static let table: [UInt32] = {
        var words = [UInt32](repeating: 0, count: 16 * 256)
        for index in 0..<256 {
            var crc = UInt32(index)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x82F6_3B78 : crc >> 1 }
            words[index] = crc
        }
        for index in 256..<words.count {
            let before = words[index - 256]
            words[index] = words[Int(before & 0xFF)] ^ (before >> 8)
        }
        return words
    }()
}
