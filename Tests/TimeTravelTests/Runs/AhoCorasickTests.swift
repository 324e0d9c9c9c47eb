import TestSupport
import Testing

@testable import TimeTravel

@Suite("Many texts looked for at once")
struct AhoCorasickTests {
    private func matches(_ patterns: [[UInt8]], in text: [UInt8]) -> Set<[Int]> {
        var found = Set<[Int]>()
        text.withUnsafeBytes { text in
            AhoCorasick(patterns).search(text) { range, pattern in
                found.insert([range.lowerBound, range.upperBound, pattern])
                return .shorter
            }
        }
        return found
    }

    @Test("all places of all patterns are found, and nothing else", arguments: seeds(0..<300))
    func all(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func word(_ longest: Int) -> [UInt8] {
            (0..<Int.random(in: 0...longest, using: &random)).map { _ in UInt8.random(in: 97...98, using: &random) }
        }
        let patterns = Array(Set((0..<Int.random(in: 0...9, using: &random)).map { _ in word(5) }))
        let text = word(40)
        var expected = Set<[Int]>()
        for (index, pattern) in patterns.enumerated() where !pattern.isEmpty {
            for start in text.indices where text[start...].starts(with: pattern) {
                expected.insert([start, start + pattern.count, index])
            }
        }
        #expect(matches(patterns, in: text) == expected, "seed \(seed)")
    }

    @Test("many patterns that begin alike cost no more than their bytes")
    func alike() {
        let front = Array(repeating: UInt8(ascii: "a"), count: 200)
        let patterns = (0..<8_000).map { front + Array("\($0)".utf8) }
        let search = AhoCorasick(patterns)
        let text = Array(repeating: UInt8(ascii: "a"), count: 2_000_000)
        // Were it not so, the test would not end.
        #expect(!text.withUnsafeBytes { search.isAny(in: $0) })
    }
}
