/// CRC-32C (Castagnoli) of a line's bytes: the journal's `sum`.
///
/// Sliced by sixteen: sixteen table lookups take in sixteen bytes at once, so that no byte waits for the one before it.
/// Source: RFC 3720 appendix B.4 for the polynomial; Kounavis and Berry, "A Systematic Approach to Building High Performance,
/// Software-based, CRC Generators" (2005) for the slicing.
public enum LineSum {
    /// The sum of some bytes.
    ///
    /// - Complexity: O(n), about a quarter of a nanosecond a byte.
    public static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        let table = LineSum.table.words
        var crc: UInt32 = 0xFFFF_FFFF
        guard let base = bytes.baseAddress else { return 0 }
        var place = 0
        let wide = bytes.count & ~15
        while place < wide {
            let front = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self)) ^ UInt64(crc)
            let back = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place &+ 8, as: UInt64.self))
            crc = sum(of: front, slices: table + 8 &* 256) ^ sum(of: back, slices: table)
            place &+= 16
        }
        while place < bytes.count {
            let byte = base.load(fromByteOffset: place, as: UInt8.self)
            crc = table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc &>> 8)
            place &+= 1
        }
        return ~crc
    }

    /// What eight bytes add, the last of which is followed by as many others as there are tables before `slices`.
    @inline(__always)
    private static func sum(of word: UInt64, slices table: UnsafePointer<UInt32>) -> UInt32 {
        let near =
            table[7 &* 256 &+ Int(word & 0xFF)] ^ table[6 &* 256 &+ Int((word &>> 8) & 0xFF)]
            ^ table[5 &* 256 &+ Int((word &>> 16) & 0xFF)] ^ table[4 &* 256 &+ Int((word &>> 24) & 0xFF)]
        let far =
            table[3 &* 256 &+ Int((word &>> 32) & 0xFF)] ^ table[2 &* 256 &+ Int((word &>> 40) & 0xFF)]
            ^ table[256 &+ Int((word &>> 48) & 0xFF)] ^ table[Int(word &>> 56)]
        return near ^ far
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
    public static func check(_ line: UnsafeRawBufferPointer) -> Verdict {
        guard let written = written(in: line) else { return .none }
        let computed = of(UnsafeRawBufferPointer(rebasing: line[..<(line.count - tailLength)]))
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
    package static func written(in line: UnsafeRawBufferPointer) -> UInt32? {
        guard line.count > tailLength else { return nil }
        let tail = line.count - tailLength
        guard word(line, at: tail) == opening, line[tail + 16] == UInt8(ascii: "\""),
            line[tail + 17] == UInt8(ascii: "}")
        else { return nil }
        return number(word(line, at: tail + 8))
    }

    /// `,"sum":"`, the first byte lowest.
    private static let opening: UInt64 = 0x223A_226D_7573_222C

    private static func word(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

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

    /// Sixteen tables of 256 words, built once and never freed.
    private struct Table: @unchecked Sendable {
        // Unchecked: the words are written before the pointer is handed out, and only read from then on.
        let words: UnsafePointer<UInt32>

        init() {
            let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 16 * 256)
            for index in 0..<256 {
                var crc = UInt32(index)
                for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x82F6_3B78 : crc >> 1 }
                words[index] = crc
            }
            for slice in 1..<16 {
                for index in 0..<256 {
                    let before = words[(slice - 1) * 256 + index]
                    words[slice * 256 + index] = words[Int(before & 0xFF)] ^ (before >> 8)
                }
            }
            self.words = UnsafePointer(words)
        }
    }

    private static let table = Table()
}
