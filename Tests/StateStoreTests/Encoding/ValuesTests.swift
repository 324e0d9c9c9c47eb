import Foundation
import JSONCore
import Testing

@testable import StateEncoding
@testable import StatePatterns

@Suite("The JSON form of Swift values")
struct ValuesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let json: String
        let encode: @Sendable () throws -> String
        var testDescription: String { json }

        init(_ value: some Encodable & Sendable, _ json: String) {
            self.json = json
            encode = { try encodedText(value) }
        }
    }

    enum Weather: Codable { case sunny, rain(millimetres: Int), wind(Double, from: String) }
    enum Level: String, Codable { case low, high }
    struct Tag: RawRepresentable, Codable, Hashable { var rawValue: Int }
    struct Key: Codable, Hashable { var y: Int; var x: String }
    struct Holder: Codable { var name: String?; var nested: Int?? }
    struct Shy: Encodable {
        var name: String?
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if let name { try container.encode(name, forKey: .name) }
        }
        enum CodingKeys: String, CodingKey { case name }
    }
    struct Silent: Encodable { func encode(to encoder: any Encoder) throws {} }

    static let cases: [Case] = [
        Case(0, "0"), Case(-7, "-7"), Case(Int.min, "-9223372036854775808"), Case(UInt64.max, "18446744073709551615"),
        Case(Int8(-128), "-128"), Case(Int128.min, "-170141183460469231731687303715884105728"),
        Case(1.0, "1"), Case(0.1, "0.1"), Case(Float(0.1), "0.1"), Case(-0.0, "-0"), Case(1e300, "1e+300"),
        Case(Double.nan, #""NaN""#), Case(Double.infinity, #""Infinity""#), Case(-Float.infinity, #""-Infinity""#),
        Case(true, "true"), Case("a\"\\\n\u{1}é/", #""a\"\\\n\u0001é/""#),
        Case(Holder(name: nil, nested: nil), #"{"name":null,"nested":null}"#),
        Case(Holder(name: "x", nested: .some(nil)), #"{"name":"x","nested":null}"#),
        Case(Shy(name: nil), "{}"), Case(Silent(), "{}"), Case([Silent()], "[{}]"),
        Case(Optional<Int>.none, "null"), Case([1, nil, 3], "[1,null,3]"),
        Case(Weather.sunny, #"{"sunny":{}}"#), Case(Weather.rain(millimetres: 3), #"{"rain":{"millimetres":3}}"#),
        Case(Weather.wind(2.5, from: "N"), #"{"wind":{"_0":2.5,"from":"N"}}"#), Case(Level.high, #""high""#),
        Case(Date(timeIntervalSince1970: 0), #""1970-01-01T00:00:00Z""#),
        Case(Date(timeIntervalSince1970: 1_706_688_000.25), #""2024-01-31T08:00:00.25Z""#),
        Case(Date(timeIntervalSince1970: -62_135_596_800), #""0001-01-01T00:00:00Z""#),
        Case(Date(timeIntervalSince1970: -62_167_219_201), #""-000001-12-31T23:59:59Z""#),
        Case(Date(timeIntervalSince1970: 253_402_300_800), #""+010000-01-01T00:00:00Z""#),
        Case(Data([0, 255, 7]), #""AP8H""#), Case(URL(string: "https://a.b/c?d"), #""https://a.b/c?d""#),
        Case(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#),
        Case(Decimal(string: "1.50"), #""1.5""#),
        Case(["b": 1, "a": 2, "é": 3, "Z": 4], #"{"Z":4,"a":2,"b":1,"é":3}"#),
        Case([10: "x", 9: "y"], #"{"10":"x","9":"y"}"#), Case([true: 1], #"{"true":1}"#),
        Case([Tag(rawValue: 4): 1], #"{"4":1}"#), Case([Level.low: 1], #"{"low":1}"#),
        Case([Key(y: 1, x: "a"): 1], #"{"{\"x\":\"a\",\"y\":1}":1}"#),
        Case(
            [UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"): 1],
            #"{"E621E1F8-C36C-495A-93FC-0C247A3E6E5F":1}"#),
        Case(Set(["b", "a", "c"]), #"["a","b","c"]"#), Case(Set([10, 9, 1]), "[1,10,9]"),
        Case(Set([Key(y: 2, x: "a"), Key(y: 1, x: "a")]), #"[{"x":"a","y":1},{"x":"a","y":2}]"#),
        Case([[Int]](), "[]"), Case([String: Int](), "{}"), Case(ContiguousArray([1, 2]), "[1,2]"),
        Case(0..<3, "[0,3]"),
    ]

    @Test("each row of the table of values", arguments: cases)
    func row(_ row: Case) throws { #expect(try row.encode() == row.json) }

    @Test("a date's text reads back as the same double, to the nanosecond")
    func dates() throws {
        for seconds in [0.1, 725_846_400.123456, -0.75, 0.999_999_999, 1e-9, 804_000_000.000_000_1, 1.5] {
            let text = TimestampText.text(secondsSince2001: seconds)
            let fraction = Double("0." + (text.split(separator: ".").dropFirst().first?.dropLast() ?? "0"))
            #expect(seconds.rounded(.down) + (fraction ?? 2) == seconds, "\(text)")
        }
        #expect(TimestampText.text(secondsSince2001: .infinity) == "@Infinity")
        #expect(TimestampText.text(secondsSince2001: -1e300) == "@-1e+300")
        #expect(TimestampText.text(secondsSince2001: -1e-12) == "2001-01-01T00:00:00Z")
    }

    enum Phase: Codable, Equatable {
        case idle
        case loading(since: Int, tries: Int)
        case loaded(since: Int, tries: Int)
    }

    @Test(
        "an enum that changes case is one 'replace', however alike its cases look; a value in a case is changed by itself"
    )
    func changeOfCase() throws {
        struct State: Encodable { var tagged = World.Tagged.left(1); var phase = Phase.loading(since: 1, tries: 2) }
        var state = State()
        let probe = try EncodingProbe(state)
        state.tagged = .right(1)
        #expect(
            try probe.advance(to: state)
                == #"[{"op":"replace","path":"/tagged","value":{"kind":"right","value":1},"old":{"kind":"left","value":1}}]"#
        )
        state.phase = .loading(since: 1, tries: 3)
        #expect(try probe.advance(to: state) == #"[{"op":"replace","path":"/phase/loading/tries","value":3,"old":2}]"#)
        state.phase = .loaded(since: 1, tries: 3)
        #expect(
            try probe.advance(to: state)
                == #"[{"op":"replace","path":"/phase","value":{"loaded":{"since":1,"tries":3}},"#
                + #""old":{"loading":{"since":1,"tries":3}}}]"#)
    }
}

@Suite("The recorder's own JSON text")
struct JSONTextTests {
    @Test("a string is written byte for byte as by the other writer, whatever stands where in it")
    func strings() {
        // Longer than two of the words that are scanned at once.
        let plain = "abcdefghijklmnopq"
        for byte in 0..<UInt8(128) {
            for place in 0...plain.utf8.count {
                var bytes = Array(plain.utf8)
                bytes.insert(byte, at: place)
                check(String(decoding: bytes, as: UTF8.self))
            }
        }
        for text in ["", "é", "\u{7f}\u{80}\u{9f}", "\u{2028}\u{2029}", "a\u{7f}é\u{7f}😀\u{1f}", "\u{FEFF}"] {
            check(text)
        }
    }

    private func check(_ text: String) {
        var bytes: [UInt8] = []
        JSONText.append(string: text, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == JSONValue.string(text).text(), "\(text.debugDescription)")
        let length = text.utf8.reduce(2) { $0 + JSONText.escapedLength(of: $1) }
        #expect(bytes.count == length, "\(text.debugDescription)")
    }
}
