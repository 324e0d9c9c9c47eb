import Foundation
import JSONCore
import TestSupport
import Testing

@Suite("Parsing JSON text")
struct JSONParserTests {
    private static let suite = "suites/JSONTestSuite/test_parsing"

    private static func cases(_ prefix: String) -> [String] {
        let folder = SharedFolder.root.appendingPathComponent(suite).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.sorted()
    }

    private static func parse(_ name: String) throws -> JSONValue {
        try JSONParser.parse([UInt8](SharedFolder.data("\(suite)/\(name)")))
    }

    @Test(
        "a value that is nested deeply is written over lines without an indentation that grows with the square",
        arguments: [
            JSONWriter.Style.pretty(indent: 2), .pretty(indent: 7), .tabbed,
        ])
    func deepLines(_ style: JSONWriter.Style) throws {
        var writer = JSONWriter(style: style)
        let deep = String(repeating: #"{"a":[1,"#, count: 400) + "2" + String(repeating: "]}", count: 400)
        let value = try JSONParser.parse(deep)
        writer.write(value)
        #expect(writer.bytes.count < 1 << 20)
        #expect(try JSONParser.parse(writer.bytes) == value)
    }

    @Test("every text that the conformance suite calls JSON is accepted", .enabled(if: SharedFolder.has(suite)))
    func acceptsJSON() throws {
        let names = Self.cases("y_")
        #expect(!names.isEmpty)
        for name in names { #expect(throws: Never.self, "\(name)") { try Self.parse(name) } }
    }

    @Test("every text that the conformance suite calls broken is refused", .enabled(if: SharedFolder.has(suite)))
    func refusesOthers() throws {
        let names = Self.cases("n_")
        #expect(!names.isEmpty)
        for name in names { #expect(throws: JSONError.self, "\(name)") { try Self.parse(name) } }
    }

    @Test("what the suite leaves open never traps", .enabled(if: SharedFolder.has(suite)))
    func survivesTheRest() { for name in Self.cases("i_") { _ = try? Self.parse(name) } }

    @Test(
        "an error names its byte",
        arguments: [
            ("", 0), ("[1,]", 3), ("{\"a\" 1}", 5), ("[1 2]", 3), ("tru", 3), ("\"a\nb\"", 2), ("01", 1), ("1.x", 2),
            ("{\"a\":1,}", 7), ("[1]x", 3), ("\"\\q\"", 2), ("nul1", 3), ("[", 1), ("\"\\u12G4\"", 5),
        ])
    func errorOffsets(text: String, offset: Int) throws {
        let error = #expect(throws: JSONError.self) { try JSONParser.parse(text) }
        #expect(error?.offset == offset, "\(text)")
    }

    @Test("escapes are undone, and a lone surrogate becomes U+FFFD")
    func escapes() throws {
        #expect(try JSONParser.parse(#""\u00e9\ud83d\ude00\/\b\"""#) == .string("é😀/\u{8}\""))
        #expect(try JSONParser.parse(#""\ud800x""#) == .string("\u{FFFD}x"))
        #expect(try JSONParser.parse(#""\ud800\u0041""#) == .string("\u{FFFD}A"))
        #expect(try JSONParser.parse(#""\u0000""#) == .string("\0"))
    }

    @Test("of a repeated key the last value stays, at the first one's place")
    func repeatedKeys() throws {
        #expect(try JSONParser.parse(#"{"b":1,"a":2,"b":3}"#).text() == #"{"b":3,"a":2}"#)
        #expect(try JSONParser.parse(#"{"b":1,"a":2,"b":3}"#, order: .ascending).text() == #"{"a":2,"b":3}"#)
    }

    @Test("nesting up to the limit is read without the thread's stack, and beyond it refused")
    func depth() throws {
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(throws: Never.self) { try JSONParser.parse(deep) }
        let error = #expect(throws: JSONError.self) { try JSONParser.parse("[" + deep + "]") }
        #expect(error?.fact == .tooDeep(limit: 10_000))
    }

    @Test("a number longer than the limit is refused")
    func longNumber() {
        let error = #expect(throws: JSONError.self) { try JSONParser.parse(String(repeating: "1", count: 70_000)) }
        #expect(error?.fact == .numberTooLong(limit: 65_536))
    }

    @Test("parse and write are inverse on random values, in every style", arguments: seeds(0..<40))
    func roundTrip(seed: UInt64) throws {
        var values = RandomJSON(seed: seed)
        let value = values.value(depth: 5)
        for style in [JSONWriter.Style.compact, .pretty(indent: 2), .canonical] {
            #expect(try JSONParser.parse(value.text(style)) == value, "seed \(seed)")
        }
        #expect(try JSONParser.parse(value.text()).text() == value.text(), "seed \(seed)")
    }

    @Test("flipped, cut and inserted bytes never trap", arguments: seeds(0..<20))
    func damaged(seed: UInt64) {
        var values = RandomJSON(seed: seed)
        let whole = Array(values.value(depth: 4).text().utf8)
        for _ in 0..<200 {
            var bytes = whole
            let place = values.below(bytes.count)
            switch values.below(3) {
            case 0: bytes[place] = UInt8(values.below(256))
            case 1: bytes.removeSubrange(place...)
            default: bytes.insert(UInt8(values.below(256)), at: place)
            }
            _ = try? JSONParser.parse(bytes)
            bytes.withBytes { _ = try? JSONParser.parse($0, pruning: PathSet.nothing.pruningNode) }
        }
    }
}

@Suite("Writing JSON text")
struct JSONWriterTests {
    @Test("the pretty form is jq's")
    func pretty() throws {
        let value: JSONValue = ["a": [1, [], ["b": .null]], "c": [:]]
        let expected = """
            {
              "a": [
                1,
                [],
                {
                  "b": null
                }
              ],
              "c": {}
            }
            """
        #expect(value.text(.pretty(indent: 2)) == expected)
    }

    @Test("only quotes, backslashes and control characters are escaped")
    func escapes() {
        #expect(JSONValue.string("a\"\\/\n\u{1}\u{7F}é😀").text() == #""a\"\\/\n\u0001\u007fé😀""#)
    }

    @Test(
        "doubles have the shortest digits and whole ones no fraction",
        arguments: [
            (1.0, "1"), (0.1, "0.1"), (-0.0, "-0"), (1e100, "1e+100"), (1e17, "1e+17"),
            (-1.2345678901234568e20, "-123456789012345680000"), (Double.nan, "NaN"),
            (-Double.infinity, "-Infinity"), (Double.leastNonzeroMagnitude, "5e-324"),
        ])
    func doubles(value: Double, text: String) {
        #expect(DoubleText.shortest(value) == text)
    }
}
