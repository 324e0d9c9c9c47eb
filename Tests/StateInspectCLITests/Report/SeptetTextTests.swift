import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("Bytes as text of a page")
struct SeptetTextTests {
    /// What the page's own reader makes of a text.
    static func decoded(_ text: [UInt8], count: Int) -> [UInt8] {
        var septets: [UInt8] = []
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar.value < 0x80 {
                septets.append(UInt8(scalar.value))
            } else {
                let pair = scalar.value - SeptetText.firstPair
                septets += [SeptetText.reserved[Int(pair >> 7)], UInt8(pair & 0x7F)]
            }
        }
        var bytes: [UInt8] = []
        var (bits, held) = (0, 0)
        for septet in septets {
            bits = (bits << 7 | Int(septet)) & 0x3FFF
            held += 7
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(bits >> held & 0xFF))
            }
        }
        return Array(bytes.prefix(count))
    }

    @Test(
        "what is written is read again, is valid, holds nothing that acts, and is at most 8/7 as long",
        arguments: seeds(0..<60))
    func roundTrip(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = seed < 20 ? Int(seed) : Int.random(in: 0...5000, using: &generator)
        // Bytes that make reserved septets, and any others.
        let bytes = (0..<count).map { _ in
            Bool.random(using: &generator)
                ? UInt8.random(in: 0...255, using: &generator) : [0, 15, 27, 60, 255][count % 5]
        }
        let text = SeptetText.encoded(bytes)
        #expect(Self.decoded(text, count: count) == bytes, "seed \(seed)")
        #expect(String(validating: text, as: UTF8.self) != nil, "seed \(seed)")
        #expect(text.allSatisfy { $0 >= 0x80 || !SeptetText.reserved.contains($0) }, "seed \(seed)")
        #expect(text.count <= (count * 8 + 6) / 7 + 2, "seed \(seed)")
    }
}
