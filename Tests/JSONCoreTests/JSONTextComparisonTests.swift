import JSONCore
import TestSupport
import Testing

@Suite("Comparing a value with a JSON text in place")
struct JSONTextComparisonTests {
    private func matches(_ value: JSONValue, jsonText text: [UInt8]) -> Bool {
        text.withUnsafeBytes { value.matches(jsonText: $0) }
    }

    @Test(
        "only a text that parses to the value matches it, and a compact one without escapes does",
        arguments: seeds(0..<60))
    func said(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<20 {
            let value = random.value()
            let text = Array(value.text().utf8)
            let state = try JSONParser.parse(text, order: .ascending)
            if !text.contains(0x5C) { #expect(matches(state, jsonText: text), "seed \(seed): \(value.text())") }
            var other = text
            for _ in 0...random.below(2) {
                let place = random.below(other.count)
                other[place] = Array(#"{}[]",:0123-.eE tnu"#.utf8)[random.below(19)]
            }
            guard matches(state, jsonText: other) else { continue }
            guard let parsed = try? JSONParser.parse(other) else {
                Issue.record("seed \(seed): \(String(decoding: other, as: UTF8.self)) is no JSON")
                continue
            }
            #expect(
                parsed == state,
                "seed \(seed): \(String(decoding: other, as: UTF8.self))")
        }
    }

    @Test(
        "another value, another notation of a number and names with escapes are not taken for the same in place",
        arguments: [
            ("5", "05"), ("-5", "-05"), ("[0]", "[00]"), ("1", "1.0"), ("1", "10"), ("10", "1"), ("0", "-0"),
            ("1.5", "1.50"), (#""a""#, #""\u0062""#),
            (#"{"a":1}"#, #"{"\u0061":1}"#), (#"{"a":1,"b":1}"#, #"{"a":1,"a":1}"#),
            ("[1]", "[1,2]"),
            ("[1,2]", "[1]"), (#"{"a":1}"#, #"{"a":1,"b":2}"#), (#"{"a":1,"b":2}"#, #"{"a":1}"#), ("{}", "[]"),
            ("[]", "{}"), ("null", "nul"), ("true", "truex"), (#"{"a":1}"#, #"{"b":1}"#), (#""""#, #""a""#),
            ("9223372036854775807", "9223372036854775807"),
        ])
    func unsure(value: String, text: String) throws {
        #expect(!matches(try JSONParser.parse(Array(value.utf8)), jsonText: Array(text.utf8)))
    }

    @Test(
        "as far as a set of paths reads it, a text says what it parses to, and nothing else",
        arguments: seeds(0..<60))
    func pruned(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<20 {
            let (state, other) = (random.state(), random.state())
            let node = random.pathSet(hitting: state).pruningNode
            let text = Array("[\(state.text()),".utf8)
            let end = text.withUnsafeBytes { state.pruned(to: node).end(ofTextAt: 1, in: $0, pruning: node) }
            #expect(end == text.count - 1 || text.contains(0x5C), "seed \(seed): \(state.text())")
            let isOther = text.withUnsafeBytes { other.pruned(to: node).end(ofTextAt: 1, in: $0, pruning: node) } == nil
            #expect(isOther || other.pruned(to: node) == state.pruned(to: node), "seed \(seed): \(state.text())")
        }
    }

    @Test(
        "members of many are found in whatever order the text has them, and none twice",
        arguments: [1, 16, 17, 40, 64, 65, 129, 1000])
    func many(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let members = (0..<count).map { (key: "member \($0)", value: JSONValue.number(JSONNumber($0))) }
        let state = JSONValue.object(JSONObject(members)).ascending()
        #expect(matches(state, jsonText: Array(state.text().utf8)))
        for _ in 0..<20 {
            var shuffled = members.shuffled(using: &random)
            func text() -> [UInt8] {
                Array(
                    "{\(shuffled.map { "\(JSONValue.string($0.key).text()):\($0.value.text())" }.joined(separator: ","))}"
                        .utf8)
            }
            #expect(matches(state, jsonText: text()))
            shuffled.append(shuffled[Int.random(in: 0..<count, using: &random)])
            #expect(!matches(state, jsonText: text()))
            shuffled.removeFirst()
            #expect(matches(state, jsonText: text()) == (Set(shuffled.map(\.key)).count == count))
            shuffled.removeFirst()
            #expect(!matches(state, jsonText: text()))
        }
    }

    @Test("white space between tokens is as good, and so is another order of members")
    func forms() throws {
        let value = try JSONParser.parse(Array(#"{"a":[1,-2,"x"],"b":{"c":null,"d":true}}"#.utf8))
        let text = Array(#" { "b" : { "d" : true , "c" : null } , "a" : [ 1 , -2 , "x" ] } "#.utf8)
        #expect(matches(value, jsonText: text))
    }
}
