import Foundation
import JSONCore
import Platform
import TestSupport
import Testing

/// The plain interpreter's own values, held against those of the product: where these change, both change or neither.
@Suite("Plain values are those of the product")
struct PlainJSONTests {
    private static let suite = "suites/JSONTestSuite/test_parsing"

    /// What the two parsers make of a text, written by each.
    private static func readings(_ text: [UInt8]) -> (plain: String?, product: String?) {
        ((try? PlainJSON.parse(text))?.text(), (try? JSONParser.parse(text))?.text())
    }

    @Test("both accept and refuse the same of the conformance suite", .enabled(if: SharedFolder.has(suite)))
    func conformance() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: SharedFolder.root.appendingPathComponent(Self.suite).path)
        #expect(names.count > 100)
        try LargeStack.run {
            Result {
                for name in names {
                    let (plain, product) = Self.readings([UInt8](try SharedFolder.data("\(Self.suite)/\(name)")))
                    #expect(plain == product, "\(name)")
                    if name.hasPrefix("y_") { #expect(plain != nil, "\(name)") }
                    if name.hasPrefix("n_") { #expect(plain == nil, "\(name)") }
                }
            }
        }.get()
    }

    @Test("both read the same of lines that are broken in any way", arguments: seeds(0..<400 as Range<UInt64>))
    func brokenLines(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 99)
        let draft = DraftMaker.draft(seed: seed, commits: 12, isForeign: seed % 2 == 0, gaps: seed % 3 == 0)
        let text = try #require(DraftWriter.text(of: draft))
        var accepted = 0
        LargeStack.run {
            for line in text.split(separator: 0x0A).map(Array.init) {
                let broken = (0...Int.random(in: 0...2, using: &random)).reduce(line) { line, _ in
                    Blemish(&random).applied(to: line)
                }
                let (plain, product) = Self.readings(broken)
                #expect(plain == product, "\(Trial.shown(broken))")
                guard let a = try? PlainJSON.parse(line), let b = try? PlainJSON.parse(broken),
                    let c = try? JSONParser.parse(line), let d = try? JSONParser.parse(broken)
                else { continue }
                accepted += 1
                #expect((a == b) == (c == d), "\(Trial.shown(broken))")
                #expect(PlainJSON(d) == b && b.queried == d, "\(Trial.shown(broken))")
            }
        }
        #expect(accepted > 0)
    }

    @Test("both follow a text to the same depth, and read numbers of the same length")
    func limits() {
        LargeStack.run {
            for (depth, isRead) in [(10_000, true), (10_001, false)] {
                let arrays = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
                let (plain, product) = Self.readings(arrays)
                #expect(plain == product)
                #expect((plain != nil) == isRead)
            }
            for (length, isRead) in [(65_536, true), (65_537, false)] {
                let (plain, product) = Self.readings(Array(String(repeating: "1", count: length).utf8))
                #expect(plain == product)
                #expect((plain != nil) == isRead)
            }
        }
    }

    @Test("numbers are equal, and whole, where the product says so")
    func numbers() {
        let texts = [
            "0", "-0", "0.0", "-0e5", "1", "-1", "1.0", "1e0", "10e-1", "0.1e1", "100", "1e2", "1.50", "1.5", "15E-1",
            "9007199254740993", "9007199254740992", "9007199254740993.0", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808", "9.223372036854775807e18", "1e400", "1E+400", "1e401", "-1e400", "1e-400", "0e999",
            "123456789012345678901234567890", "123456789012345678901234567890.0", "1e19", "1e18", "0.5", "5e-1",
        ]
        let computed = [0, 1, 0.1 + 0.2, 1e17, 9_007_199_254_740_992, 0.5, -1.5e-7, 1e300].map { JSONNumber($0) }
        let numbers = texts.map { JSONNumber(literal: $0) } + computed
        for a in numbers {
            let plain = PlainJSON(.number(a))
            #expect(plain.number?.integerValue == a.integerValue, "\(a)")
            for b in numbers { #expect((plain == PlainJSON(.number(b))) == (a == b), "\(a) and \(b)") }
        }
    }
}
