import JSONCore
import TestSupport
import Testing

@testable import JSONCore

@Suite("A text taken apart, with nothing built")
struct JSONTapeTests {
    /// Calls a closure with the value that a text is; nil where the text is not JSON.
    private func read<Result>(_ text: [UInt8], _ body: (JSONToken) throws -> Result?) rethrows -> Result? {
        let tape = JSONTape()
        defer { withExtendedLifetime(tape) {} }
        return try text.withBytes { bytes in
            guard let token = try? tape.read(bytes) else { return nil }
            return try body(token)
        }
    }

    private func matches(_ value: JSONValue, _ text: [UInt8], pruning node: PathSet.Node = .all) -> Bool {
        read(text) { $0.matches(value, pruning: node) } ?? false
    }

    /// A text with a few bytes changed, put in or taken out.
    private func changed(_ text: [UInt8], _ random: inout RandomJSON) -> [UInt8] {
        var text = text
        for _ in 0...random.below(2) {
            let (place, byte) = (random.below(text.count), Array(#"{}[]",:0123-.eE\ ntabu/"#.utf8)[random.below(23)])
            switch random.below(4) {
            case 0 where text.count > 1: text.remove(at: place)
            case 1: text.insert(byte, at: place)
            case 2: text.insert(contentsOf: text[place..<min(text.count, place + 9)], at: place)
            default: text[place] = byte
            }
        }
        return text
    }

    // MARK: Parts

    /// Compares each part of a token with that of the value, and the part's text with what it says.
    private func expectParts(_ token: JSONToken, _ value: JSONValue, _ comment: Comment) throws {
        #expect(token.value() == value, comment)
        #expect(try JSONParser.parse(token.text) == value, comment)
        switch value {
        case .array(let elements):
            #expect(Array(token.elements).count == elements.count && token.count == elements.count, comment)
            for (part, element) in zip(token.elements, elements) { try expectParts(part, element, comment) }
        case .object(let members):
            for (name, part) in token.members {
                let name = try #require(name.string)
                #expect(token[name]?.value() == members[name], comment)
                if token[name]?.place == part.place { try expectParts(part, #require(members[name]), comment) }
            }
            #expect(token["no such member"] == nil || members["no such member"] != nil, comment)
        case .string(let text):
            #expect(token.string.map { UTF8Order.equal($0, text) } == true && token.says(text), comment)
        default: #expect(token.string == nil && token.count == 0, comment)
        }
    }

    @Test("each part says what it says alone, also of a text in which something was changed", arguments: seeds(0..<60))
    func parts(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var form = ForeignForm(seed: seed)
        for _ in 0..<20 {
            let value = random.value()
            for text in [Array(value.text().utf8), form.text(value)] {
                for text in [text, changed(text, &random), changed(text, &random)] {
                    let said = String(decoding: text, as: UTF8.self)
                    let parsed = try? JSONParser.parse(text)
                    let found: Void? = try read(text) { try expectParts($0, #require(parsed), "seed \(seed): \(said)") }
                    #expect((found != nil) == (parsed != nil), "seed \(seed): \(said)")
                }
            }
        }
    }

    @Test("a tape that read one text reads the next as a new one does", arguments: seeds(0..<20))
    func again(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let tape = JSONTape()
        for _ in 0..<40 {
            let value = random.value()
            let text = changed(Array(value.text().utf8), &random)
            let (parsed, found) = text.withBytes { bytes in
                (try? JSONParser.parse(bytes), (try? tape.read(bytes))?.value())
            }
            #expect(parsed == found, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test("of what is read only in part, that part is built, and nothing else is checked", arguments: seeds(0..<60))
    func pruned(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var form = ForeignForm(seed: seed)
        for _ in 0..<20 {
            let state = random.state()
            let node = random.pathSet(hitting: state).pruningNode
            let text = form.text(state)
            let built = try text.withBytes { try JSONParser.parse($0, pruning: node) }
            #expect(built == state.pruned(to: node), "seed \(seed): \(state.text())")
        }
        let damaged = Array(#"{"a":[1,tru,{"b":nul}],"c":2}"#.utf8)
        let node = PathSet.Node(members: [(key: "c", node: .all)])
        #expect(try damaged.withBytes { try JSONParser.parse($0, pruning: node) } == ["c": 2])
    }

    // MARK: Names

    /// The names that stand twice in an object, by what the text says of each object.
    private func hasRepeatedName(_ token: JSONToken) -> Bool {
        var names: Set<[UInt8]> = []
        for (name, _) in token.members where !names.insert(name.withBytes { Array($0) }).inserted { return true }
        return token.members.contains { hasRepeatedName($0.value) } || token.elements.contains { hasRepeatedName($0) }
    }

    @Test("a name that stands twice in one object is found, however it is written", arguments: seeds(0..<40))
    func repeated(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        var form = ForeignForm(seed: seed)
        var found = 0
        for _ in 0..<40 {
            let value = random.value()
            let text = changed(random.chance(50) ? Array(value.text().utf8) : form.text(value), &random)
            _ = read(text) { token in
                let isRepeated = hasRepeatedName(token)
                found += isRepeated ? 1 : 0
                #expect(
                    (token.repeatedName != nil) == isRepeated, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
            }
        }
        for text in [
            #"{"a":1,"\u0061":2}"#, #"[{"x":{"op":1,"path":2,"old":3,"op":4}}]"#, #"{"":1,"":2}"#,
            #"{"longname1":1,"longname2":2,"longname1":3}"#,
            "{" + (0..<90).map { #""\#(($0 * 37) % 89)":1"# }.joined(separator: ",") + "}",
        ] { #expect(read(Array(text.utf8)) { $0.repeatedName != nil } == true, "\(text)") }
    }

    @Test("the first name that stands twice is named")
    func first() {
        let text = #"{"a":{"x":1,"y":2,"y":3},"b":1,"a":2}"#
        #expect(read(Array(text.utf8)) { $0.repeatedName?.string } == "y")
    }

    // MARK: Comparing

    @Test("a value matches the texts that it is equal to, and no others", arguments: seeds(0..<60))
    func said(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var form = ForeignForm(seed: seed)
        for _ in 0..<20 {
            let value = random.value()
            let state = value.ascending()
            for text in [Array(value.text().utf8), form.text(value)] {
                let isTwice = read(text) { $0.repeatedName != nil } ?? false
                #expect(isTwice || matches(state, text), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
                let other = changed(text, &random)
                let parsed = try? JSONParser.parse(other)
                let isRepeated = read(other) { $0.repeatedName != nil } ?? false
                let isSame = matches(state, other)
                #expect(
                    isRepeated ? !isSame || parsed == state : isSame == (parsed == state),
                    "seed \(seed): \(String(decoding: other, as: UTF8.self))")
            }
        }
    }

    @Test(
        "another value is told apart from it, and another notation is not",
        arguments: [
            ("5", "05", false), ("-5", "-05", false), ("1", "10", false), ("1", "1.0", true), ("1.5", "1.50", true),
            (#""a""#, #""\u0062""#, false), (#""b""#, #""\u0062""#, true), (#"{"a":1}"#, #"{"\u0061":1}"#, true),
            (#"{"a":1,"b":1}"#, #"{"a":1,"a":1}"#, false), ("[1]", "[1,2]", false), ("[1,2]", "[1]", false),
            (#"{"a":1}"#, #"{"a":1,"b":2}"#, false), (#"{"a":1,"b":2}"#, #"{"a":1}"#, false), ("{}", "[]", false),
            ("[]", "{}", false), ("null", "nul", false), (#"{"a":1}"#, #"{"b":1}"#, false), (#""""#, #""a""#, false),
            ("9223372036854775807", "9223372036854775807", true), ("9223372036854775807", "9223372036854775808", false),
        ])
    func notations(value: String, text: String, isSame: Bool) throws {
        #expect(matches(try JSONParser.parse(Array(value.utf8)), Array(text.utf8)) == isSame)
    }

    @Test("as far as a set of paths reads it, a text matches what it parses to", arguments: seeds(0..<60))
    func prunedComparison(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<20 {
            let (state, other) = (random.state(), random.state())
            let node = random.pathSet(hitting: state).pruningNode
            let text = Array(state.text().utf8)
            #expect(matches(state.pruned(to: node), text, pruning: node), "seed \(seed): \(state.text())")
            let isSame = other.pruned(to: node) == state.pruned(to: node)
            #expect(matches(other.pruned(to: node), text, pruning: node) == isSame, "seed \(seed): \(state.text())")
        }
    }

    @Test(
        "members of many are found in whatever order the text has them, and none twice", arguments: [1, 16, 17, 40, 64])
    func many(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let members = (0..<count).map { (key: "member \($0)", value: JSONValue.number(JSONNumber($0))) }
        let state = JSONValue.object(JSONObject(members)).ascending()
        for _ in 0..<20 {
            var shuffled = members.shuffled(using: &random)
            func text() -> [UInt8] {
                Array(
                    "{\(shuffled.map { "\(JSONValue.string($0.key).text()):\($0.value.text())" }.joined(separator: ","))}"
                        .utf8)
            }
            #expect(matches(state, text()))
            shuffled.append(shuffled[Int.random(in: 0..<count, using: &random)])
            #expect(!matches(state, text()))
            shuffled.removeFirst()
            #expect(matches(state, text()) == (Set(shuffled.map(\.key)).count == count))
            shuffled.removeFirst()
            #expect(!matches(state, text()))
        }
    }

    // MARK: Text

    @Test("a text that is as it is written is what its value is written as", arguments: seeds(0..<100))
    func asWritten(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<40 {
            let value = random.value()
            let written = Array(value.text().utf8)
            #expect(read(written) { $0.isAsWritten } == true, "seed \(seed): \(value.text())")
            let other = changed(written, &random)
            guard read(other, \.isAsWritten) == true else { continue }
            #expect(
                Array(try JSONParser.parse(other).text().utf8) == other,
                "seed \(seed): \(String(decoding: other, as: UTF8.self))")
        }
    }
}
