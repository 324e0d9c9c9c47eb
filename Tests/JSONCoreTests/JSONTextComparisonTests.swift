import JSONCore
import TestSupport
import Testing

@Suite("Telling in place whether a text says a value")
struct JSONTextComparisonTests {
    private func isSaid(_ value: JSONValue, by text: [UInt8]) -> Bool { text.withUnsafeBytes { value.isSaid(by: $0) } }

    /// Whether an object of a text may have a name twice, of which the comparison is not asked.
    private func repeatsNames(_ value: JSONValue, _ text: [UInt8]) -> Bool {
        func names(_ value: JSONValue) -> Int {
            switch value {
            case .array(let elements): elements.reduce(0) { $0 + names($1) }
            case .object(let members): members.reduce(members.count) { $0 + names($1.value) }
            default: 0
            }
        }
        return text.count { $0 == 0x3A } != names(value)
    }

    @Test(
        "only a text that parses to the value says it, and a compact one without escapes does",
        arguments: 0..<60 as Range<UInt64>)
    func said(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<20 {
            let value = random.value()
            let text = Array(value.text().utf8)
            if !text.contains(0x5C) { #expect(isSaid(value, by: text), "seed \(seed): \(value.text())") }
            #expect(isSaid(value.object.map { .object($0.ascending()) } ?? value, by: text) || text.contains(0x5C))
            var other = text
            for _ in 0...random.below(2) {
                let place = random.below(other.count)
                other[place] = Array(#"{}[]",:0123-.eE tnu"#.utf8)[random.below(19)]
            }
            guard isSaid(value, by: other) else { continue }
            guard let parsed = try? JSONParser.parse(other) else {
                Issue.record("seed \(seed): \(String(decoding: other, as: UTF8.self)) is no JSON")
                continue
            }
            #expect(
                parsed == value || repeatsNames(parsed, other),
                "seed \(seed): \(String(decoding: other, as: UTF8.self))")
        }
    }

    @Test(
        "another value, another notation and what has escapes are not told in place",
        arguments: [
            ("1", "1.0"), ("1", "10"), ("10", "1"), ("0", "-0"), ("1.5", "1.50"), (#""a""#, #""\u0061""#),
            ("[1]", "[1,2]"),
            ("[1,2]", "[1]"), (#"{"a":1}"#, #"{"a":1,"b":2}"#), (#"{"a":1,"b":2}"#, #"{"a":1}"#), ("{}", "[]"),
            ("[]", "{}"), ("null", "nul"), ("true", "truex"), (#"{"a":1}"#, #"{"b":1}"#), (#""""#, #""a""#),
            ("9223372036854775807", "9223372036854775807"),
        ])
    func unsure(value: String, text: String) throws {
        #expect(!isSaid(try JSONParser.parse(Array(value.utf8)), by: Array(text.utf8)))
    }

    @Test("white space between tokens is as good, and so is another order of members")
    func forms() throws {
        let value = try JSONParser.parse(Array(#"{"a":[1,-2,"x"],"b":{"c":null,"d":true}}"#.utf8))
        #expect(isSaid(value, by: Array(#" { "b" : { "d" : true , "c" : null } , "a" : [ 1 , -2 , "x" ] } "#.utf8)))
    }
}
