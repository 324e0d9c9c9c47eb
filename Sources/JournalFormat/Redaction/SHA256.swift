package import JSONCore

/// SHA-256 of bytes that come in pieces.
///
/// Written here because the toolchain's libraries have none on every platform. Source: FIPS 180-4, section 6.2; the names of
/// variables are the standard's.
package struct SHA256: Sendable {
    /// The length of a digest, in bytes.
    package static let digestLength = 32
    /// The length of the blocks that are worked on, in bytes.
    static let blockLength = 64

    private var hash: SIMD8<UInt32> = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    /// The bytes after the last whole block.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    package init() {}

    /// - Complexity: O(n), with no allocation but for the block that is not whole yet.
    package mutating func update(_ bytes: ByteView) {
        byteCount &+= UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(SHA256.blockLength - rest.count, bytes.count)
            rest.append(contentsOf: bytes.extracting(..<start))
            guard rest.count == SHA256.blockLength else { return }
            rest.withBytes { hash = SHA256.compressed(hash, $0) }
            rest.removeAll(keepingCapacity: true)
        }
        let whole = (bytes.count - start) & ~(SHA256.blockLength - 1)
        let blocks = bytes.extracting(start..<(start + whole))
        if whole > 0 { hash = SHA256.compressed(hash, blocks) }
        rest.append(contentsOf: bytes.extracting((start + whole)...))
    }

    /// The digest of everything taken in: 32 bytes.
    package consuming func finish() -> [UInt8] {
        let bitCount = byteCount &* 8
        var tail = rest
        tail.append(0x80)
        while tail.count % SHA256.blockLength != SHA256.blockLength - 8 { tail.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) { tail.append(UInt8(truncatingIfNeeded: bitCount >> shift)) }
        let hash = tail.withBytes { SHA256.compressed(self.hash, $0) }
        var digest: [UInt8] = []
        digest.reserveCapacity(SHA256.digestLength)
        for index in hash.indices {
            for shift in stride(from: 24, through: 0, by: -8) {
                digest.append(UInt8(truncatingIfNeeded: hash[index] >> shift))
            }
        }
        return digest
    }

    // MARK: The compression function

    /// The hash after some whole blocks (FIPS 180-4, 6.2.2).
    private static func compressed(_ start: SIMD8<UInt32>, _ blocks: ByteView) -> SIMD8<UInt32> {
        var (hash, schedule) = (start, [UInt32](repeating: 0, count: 64))
        var words = schedule.mutableSpan
        let constants = SHA256.constants.span
        for place in stride(from: 0, to: blocks.count, by: blockLength) {
            prepare(&words, blocks.extracting(place..<(place &+ blockLength)))
            hash &+= rounds(hash, words.span, constants)
        }
        return hash
    }

    /// Fills in the message schedule of a block.
    private static func prepare(_ words: inout MutableSpan<UInt32>, _ block: ByteView) {
        for t in 0..<16 { words[t] = block.load(at: t &* 4, as: UInt32.self).byteSwapped }
        for t in 16..<64 {
            let (w2, w15) = (words[t &- 2], words[t &- 15])
            let small1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 &>> 10)
            let small0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 &>> 3)
            words[t] = small1 &+ words[t &- 7] &+ small0 &+ words[t &- 16]
        }
    }

    private static func rounds(
        _ hash: SIMD8<UInt32>, _ words: Span<UInt32>, _ constants: Span<UInt32>
    ) -> SIMD8<UInt32> {
        var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
        var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
        for t in 0..<64 {
            let large1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ large1 &+ choice &+ constants[t] &+ words[t]
            let large0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ large0 &+ majority)
        }
        return [a, b, c, d, e, f, g, h]
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

    /// The constants of FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64
    /// primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
