import Diagnostics
import Foundation
import JSONCore
import TestSupport
import Testing

@testable import StateEncoding
@testable import StateReplay
@testable import StoreCore

@Suite("Recorded values become Swift values again")
struct StateDecoderTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try StateDecoder.decode(type, from: JSONParser.parse(json, order: .ascending))
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let json: String
        let path: String
        let message: String
        let decode: @Sendable (JSONValue) throws -> Void
        var testDescription: String { "\(json): \(message)" }

        init<Value: Decodable & SendableMetatype>(
            _ type: Value.Type, _ json: String, at path: String, _ message: String
        ) {
            (self.json, self.path, self.message) = (json, path, message)
            decode = { _ = try StateDecoder.decode(Value.self, from: $0) }
        }
    }

    struct Line: Codable, Equatable { var id: Int8; var name: String; var price: Decimal? }
    struct Cart: Codable, Equatable { var lines: [Line]; var table: [UUID: Line]? }
    enum Color: String, Codable { case red }
    enum Shape: Codable { case dot(x: Int), none }
    struct Fussy: Decodable {
        struct No: Error {}
        init(from decoder: any Decoder) throws { throw No() }
    }

    static let failures: [Failure] = [
        Failure(
            Cart.self, #"{"lines":[{"id":1,"name":"a"},{"id":300,"name":"b"}]}"#, at: "/lines/1/id",
            "'/lines/1/id' is 300, should be a whole number from -128 to 127"),
        Failure(
            Cart.self, #"{"lines":[{"id":1.5,"name":"a"}]}"#, at: "/lines/0/id",
            "'/lines/0/id' is 1.5, should be a whole number from -128 to 127"),
        Failure(
            Cart.self, #"{"lines":[{"id":1,"name":null}]}"#, at: "/lines/0/name",
            "'/lines/0/name' is null, should be a string"),
        Failure(Cart.self, #"{"lines":[{"id":1}]}"#, at: "/lines/0/name", "the recorded state has no '/lines/0/name'"),
        Failure(Cart.self, #"{"lines":{"a":1}}"#, at: "/lines", "'/lines' is an object of 1, should be an array"),
        Failure(Cart.self, "[]", at: "", "the recorded state is an array of 0, should be an object"),
        Failure(
            Cart.self, #"{"lines":[],"table":{"x/y":null}}"#, at: "/table/x~1y",
            #"'/table/x~1y' is the string "x/y", should be a UUID in a string"#),
        Failure(
            Cart.self, #"{"lines":[{"id":1,"name":{"$redacted":"9f2c41d05e1b77aa"}}]}"#, at: "/lines/0/name",
            "'/lines/0/name' was redacted when it was recorded"),
        Failure(
            Cart.self, #"{"lines":{"$omitted":{"bytes":9,"hash":"00"}}}"#, at: "/lines",
            "'/lines' was larger than the recorder's limit and is not in the journal"),
        Failure(Color.self, #""blue""#, at: "", "the recorded state cannot be decoded as 'Color'"),
        Failure(Shape.self, #"{"dot":{"x":1},"none":{}}"#, at: "", "the recorded state cannot be decoded as 'Shape'"),
        Failure([Fussy].self, "[7]", at: "/0", "'/0' cannot be decoded as 'Fussy'"),
        Failure(
            [Date].self, #"["2026-02-30T00:00:00Z"]"#, at: "/0",
            #"'/0' is the string "2026-02-30T00:00:00Z", should be a time of RFC 3339 in a string"#),
        Failure(Data.self, #""***""#, at: "", #"the recorded state is the string "***", should be base64 in a string"#),
        Failure(
            [Float].self, "[1e300]", at: "/0",
            #"'/0' is 1e300, should be a number within the range of Float, "NaN", "Infinity" or "-Infinity""#),
        Failure([Int: Int].self, #"{"1":1,"x":2}"#, at: "/x", "'/x' cannot be decoded as 'Int'"),
        Failure([Int: Int].self, #"{"1":1,"+1":2}"#, at: "/1", "'/1' cannot be decoded as 'Int'"),
        Failure(Range<Int>.self, "[3,1]", at: "", "the recorded state cannot be decoded as 'Range<Int>'"),
    ]

    @Test("what is none of its type is an error with its place and what should be there", arguments: failures)
    func failure(_ failure: Failure) throws {
        let value = try JSONParser.parse(failure.json, order: .ascending)
        let error = #expect(throws: StateDecodingError.self) { try failure.decode(value) }
        #expect(error?.path == failure.path)
        #expect(error?.diagnostic.message == failure.message)
    }

    @Test("numbers are exact at 64 and at 128 bits, and a whole number may be written otherwise")
    func numbers() throws {
        #expect(try decode(UInt64.self, "18446744073709551615") == .max)
        #expect(try decode(Int64.self, "-9223372036854775808") == .min)
        #expect(try decode(Int128.self, "\(Int128.min)") == .min)
        #expect(try decode([Int].self, "[1.0,1e3,-0]") == [1, 1_000, 0])
        #expect(try decode(Double.self, "-0").sign == .minus)
        #expect(try decode(Float.self, "0.1") == 0.1)
        #expect(
            try decode([Double].self, #"["NaN","Infinity","-Infinity"]"#).map(\.description) == ["nan", "inf", "-inf"])
    }

    @Test("times of any offset, and those that RFC 3339 cannot write")
    func dates() throws {
        let texts = [
            "2026-01-31T08:00:00.25Z", "2026-01-31T09:00:00.25+01:00", "-000001-12-31T23:59:59Z",
            "+010000-01-01T00:00:00Z",
        ]
        let dates = try decode([Date].self, "\(texts)")
        #expect(
            dates.map { TimestampText.text(secondsSince2001: $0.timeIntervalSinceReferenceDate) } == [
                texts[0], texts[0], texts[2], texts[3],
            ])
        #expect(try decode(Date.self, #""@Infinity""#).timeIntervalSinceReferenceDate == .infinity)
        for text in [
            "2026-01-31", "2026-01-31T08:00:00", "2026-13-01T00:00:00Z", "@x", "", "99999999999-01-01T00:00:00Z",
        ] { #expect(TimestampText.secondsSince2001(of: text) == nil, "\(text)") }
    }

    indirect enum Chain: Codable { case end, link(Chain) }
    struct Endless: Decodable {
        init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Endless.self) }
    }

    @Test("nesting beyond the limit, or without end, is an error")
    func depth() throws {
        let deep =
            String(repeating: #"{"link":{"_0":"#, count: 2_000) + #"{"end":{}}"# + String(repeating: "}}", count: 2_000)
        let error = #expect(throws: StateDecodingError.self) { try decode(Chain.self, deep) }
        guard case .tooDeep = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: StateDecodingError.self) { try decode(Endless.self, "1") }
        let shallow =
            String(repeating: #"{"link":{"_0":"#, count: 200) + #"{"end":{}}"# + String(repeating: "}}", count: 200)
        _ = try decode(Chain.self, shallow)
    }

    /// Tries one form after another, as types that changed their form do.
    struct Lenient: Decodable {
        var values: [Int] = []
        var rest = 0
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                if let value = try? list.decode(Int.self) {
                    values.append(value)
                } else if let text = try? list.decode(String.self) {
                    values.append(text.utf8.count)
                } else {
                    _ = try list.superDecoder()
                    rest += 1
                }
            }
        }
    }

    @Test("an 'init(from:)' may try one form after another: what failed is still there")
    func attempts() throws {
        let lenient = try decode(Lenient.self, #"[1,"ab",null,[],4]"#)
        #expect(lenient.values == [1, 2, 4] && lenient.rest == 2)
    }

    @Test("no JSON stops the program, whatever type it is decoded as", arguments: seeds(0..<400))
    func anyJSON(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        let value = random.value(depth: 4)
        _ = try? StateDecoder.decode(World.self, from: value)
        _ = try? StateDecoder.decode(Shapes.self, from: value)
        _ = try? StateDecoder.decode([String: Shapes.Expression].self, from: value)
        _ = try? StateDecoder.decode([Date?].self, from: value)
        _ = try? StateDecoder.decode([Int128: Decimal].self, from: value)
    }

    @Test(
        "a recorded state with one part exchanged is an error or a state, never a crash", arguments: seeds(0..<60))
    func exchanged(seed: UInt64) throws {
        var (shapes, random) = (RandomShapes(seed: seed), RandomJSON(seed: seed))
        var state = Shapes()
        for _ in 0..<40 { shapes.change(&state) }
        guard case .object(let members) = try JSONParser.parse(encodedText(state)) else { return }
        for (key, value) in members {
            var other = members
            other[key] = random.value(depth: 3)
            _ = try? StateDecoder.decode(Shapes.self, from: .object(other))
            other[key] = .array([value])
            _ = try? StateDecoder.decode(Shapes.self, from: .object(other))
        }
    }
}
