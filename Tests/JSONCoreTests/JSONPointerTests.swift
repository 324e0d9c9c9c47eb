import Foundation
import JSONCore
import TestSupport
import Testing

@Suite("JSON pointers")
struct JSONPointerTests {
    @Test(
        "the examples of RFC 6901 §5 point at what they say",
        arguments: [
            ("/foo", ["bar", "baz"] as JSONValue), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3),
            ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
        ])
    func examples(text: String, expected: JSONValue) throws {
        let document: JSONValue = [
            "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7,
            "m~n": 8,
        ]
        let pointer = try JSONPointer(parsing: text)
        #expect(pointer.value(in: document) == expected)
        #expect(pointer.text == text)
        #expect(try JSONPointer(parsing: "").value(in: document) == document)
    }

    @Test(
        "what is no pointer is refused with its place",
        arguments: [
            ("foo", JSONPointerError.Fact.missingSlash, 0), ("/a~", .badEscape, 2), ("/é/~2", .badEscape, 4),
            ("/~~0", .badEscape, 1), ("~0", .missingSlash, 0),
        ])
    func errors(text: String, fact: JSONPointerError.Fact, offset: Int) {
        #expect(throws: JSONPointerError(text: text, fact: fact, offset: offset)) { try JSONPointer(parsing: text) }
    }

    @Test("~01 is ~1 and not a slash")
    func escapeOrder() throws {
        #expect(try JSONPointer(parsing: "/~01/~10").segments == ["~1", "/0"])
        #expect(JSONPointer(["~1", "/0", ""]).text == "/~01/~10/")
    }

    @Test(
        "an index is ASCII digits without a sign or a leading zero",
        arguments: [
            ("0", 0), ("10", 10), ("9223372036854775807", Int.max), ("99999999999999999999999999999999", Int.max),
            ("00", nil), ("01", nil), ("-1", nil), ("+1", nil), ("1e0", nil), ("", nil), ("-", nil), (" 1", nil),
            ("\u{661}", nil), ("\u{FF11}", nil),
        ] as [(String, Int?)])
    func indices(segment: String, expected: Int?) { #expect(JSONPointer.arrayIndex(segment) == expected) }

    @Test(
        "a pointer to nothing has no value",
        arguments: ["/a/2", "/a/01", "/a/-", "/a/0/x", "/b", "/a/99999999999999999999"])
    func missing(text: String) throws {
        #expect(try JSONPointer(parsing: text).value(in: ["a": [1, 2]]) == nil)
    }

    @Test("pointers are compared by bytes")
    func byteEquality() {
        #expect(JSONPointer(["\u{E9}"]) != JSONPointer(["e\u{301}"]))
        #expect(Set([JSONPointer(["\u{E9}"]), JSONPointer(["e\u{301}"]), JSONPointer(["\u{E9}"])]).count == 2)
    }

    @Test("a pointer's text reads back as the pointer", arguments: seeds(0..<300))
    func roundTrip(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let pointer = JSONPointer((0..<random.below(5)).map { _ in random.key() + random.key() })
        #expect(try JSONPointer(parsing: pointer.text) == pointer)
    }
}

@Suite("Replacing a part by the text of its path")
struct PointerTextTests {
    /// Whether a pointer's text is of the kind that is taken: ASCII, not the root's, nothing escaped.
    private func isPlain(_ text: String) -> Bool {
        text.hasPrefix("/") && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "~") }
    }

    private func replaced(
        _ value: JSONValue, at text: String, with new: JSONValue, expecting old: String? = nil,
        pruning node: PathSet.Node
    ) -> JSONValue? {
        var result = value
        let isDone = Array(text.utf8).withBytes { path in
            guard let old else { return result.replace(atPlainPointer: path, with: new, pruning: node) }
            let tape = JSONTape()
            defer { withExtendedLifetime(tape) {} }
            return Array(old.utf8).withBytes { old in
                guard let token = try? tape.read(old) else { return false }
                return result.replace(atPlainPointer: path, with: new, expecting: token, pruning: node)
            }
        }
        if !isDone { #expect(result == value, "changed, though it was not done: \(text)") }
        return isDone ? result : nil
    }

    @Test("it does what the operation does, or nothing", arguments: seeds(0..<40))
    func sameAsOperation(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        var (done, left) = (0, 0)
        for _ in 0..<200 {
            let state = random.state()
            let set = random.chance(30) ? .everything : random.pathSet(hitting: state)
            let node = set.pruningNode
            let pruned = state.pruned(to: node)
            var path = random.path(in: state)
            if random.chance(15) { path.append(random.key()) }
            let pointer = JSONPointer(path)
            guard isPlain(pointer.text) else { continue }
            let new = random.value(depth: 2).ascending()
            var expected = pruned
            var patched = PatchedValue(taking: &expected)
            let isRead = try? JSONPatch.Operation.replace(pointer, new, old: nil)
                .apply(to: &patched, pruning: node, order: .ascending)
            expected = patched.take()
            if let found = replaced(pruned, at: pointer.text, with: new, pruning: node) {
                #expect(
                    isRead == true && found == expected, "seed \(seed): \(pointer.text) of \(pruned.text()), \(set)")
                done += 1
            } else {
                // It is left to the operation, which must say what is wrong, or have nothing to write.
                #expect(isRead != true, "seed \(seed): \(pointer.text) of \(pruned.text()), \(set)")
                left += 1
            }
        }
        #expect(done > 20 && left > 0)
    }

    @Test("only what is expected to be there is replaced", arguments: seeds(0..<20))
    func expected(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<100 {
            let state = random.state()
            let pointer = JSONPointer(random.path(in: state))
            guard isPlain(pointer.text), let found = pointer.value(in: state) else { continue }
            let other = random.value(depth: 2)
            let expected = found == other
            #expect((replaced(state, at: pointer.text, with: 7, expecting: found.text(), pruning: .all)) != nil)
            let isDone = replaced(state, at: pointer.text, with: 7, expecting: other.text(), pruning: .all) != nil
            #expect(isDone == expected || !isDone, "\(other.text()) for \(found.text())")
        }
    }

    @Test("keys are told apart by all of their bytes, however long they are")
    func keys() {
        let keys = [
            "a", "b", "ab", "abcdefg", "abcdefgh", "abcdefgi", "abcdefghi", "abcdefghijklmno", "abcdefghijklmnp",
            "abcdefghijklmnop", "abcdefghijklmnopq", "\u{E9}", "\0", "a\0",
        ]
        for count in [3, keys.count] {
            let object = JSONObject(keys.prefix(count).enumerated().map { (key: $1, value: .number(JSONNumber($0))) })
            for key in keys where isPlain("/" + key) {
                var expected = object
                let isThere = expected[key] != nil
                if isThere { expected[key] = "new" }
                let found = replaced(.object(object), at: "/" + key, with: "new", pruning: .all)
                #expect(found == (isThere ? .object(expected) : nil), "\(key) of \(count)")
            }
        }
    }

    @Test("what shares the value is left as it is")
    func shared() throws {
        let value = try JSONParser.parse(#"{"a":[{"b":1},{"b":2}],"c":{"d":[1]}}"#)
        let changed = try #require(replaced(value, at: "/a/1/b", with: 3, pruning: .all))
        #expect(value.text() == #"{"a":[{"b":1},{"b":2}],"c":{"d":[1]}}"#)
        #expect(changed.text() == #"{"a":[{"b":1},{"b":3}],"c":{"d":[1]}}"#)
        for path in ["/a/2/b", "/a/01/b", "/a/-", "/a/b", "/c/d/0/x", "/x", "/", "//", "/a/99999999999999999999"] {
            #expect(replaced(value, at: path, with: 3, pruning: .all) == nil, "\(path)")
        }
    }
}

@Suite("Numbers")
struct JSONNumberTests {
    @Test(
        "a number keeps its text",
        arguments: [
            "0", "-0", "1", "-1", "1.0", "1.10", "1e3", "1E+3", "0.1e-7", "9007199254740993", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "18446744073709551616", "1e400",
        ])
    func text(literal: String) throws {
        #expect(JSONNumber(literal: literal).text == literal)
        #expect(try JSONParser.parse("[\(literal)]").text() == "[\(literal)]")
    }

    @Test(
        "notation is no difference",
        arguments: [
            ("1", "1.0"), ("1000", "1e3"), ("0", "-0"), ("0", "0e999"), ("0.5", "5e-1"), ("10", "100E-1"),
            ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
        ])
    func equalNotations(a: String, b: String) {
        let (x, y) = (JSONNumber(literal: a), JSONNumber(literal: b))
        #expect(x == y)
        #expect(!(x < y) && !(y < x))
        #expect(x.hashValue == y.hashValue)
    }

    @Test(
        "literals are compared exactly, beyond what a double holds",
        arguments: [
            ("9007199254740992", "9007199254740993"), ("9223372036854775806", "9223372036854775807"),
            ("9223372036854775807", "9223372036854775808"), ("-9223372036854775809", "-9223372036854775808"),
            ("1e400", "1.1e400"), ("-1e400", "1e-400"), ("0", "1e-400"), ("-1e-400", "0"),
            ("100000000000000000000000000000", "100000000000000000000000000001"),
            ("0.1", "0.10000000000000000000001"), ("1e-1000000000000000000000", "1"), ("1", "1e1000000000000000000000"),
        ])
    func exactOrder(small: String, large: String) {
        let (x, y) = (JSONNumber(literal: small), JSONNumber(literal: large))
        #expect(x < y)
        #expect(!(y < x))
        #expect(x != y)
    }

    @Test("the order of decimals is that of scaled integers", arguments: seeds(0..<500))
    func orderModel(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        func literal() -> (text: String, scaled: Int) {
            let (mantissa, exponent) = (random.below(400) - 200, random.below(7) - 3)
            var scaled = mantissa
            for _ in 0..<(exponent + 3) { scaled *= 10 }
            return ("\(mantissa)e\(exponent)", scaled)
        }
        let (a, b) = (literal(), literal())
        let (x, y) = (JSONNumber(literal: a.text), JSONNumber(literal: b.text))
        #expect((x < y) == (a.scaled < b.scaled), "\(a.text), \(b.text)")
        #expect((x == y) == (a.scaled == b.scaled), "\(a.text), \(b.text)")
        #expect(x != y || x.hashValue == y.hashValue)
        #expect(x.integerValue == (a.scaled.isMultiple(of: 1_000) ? a.scaled / 1_000 : nil))
    }

    @Test(
        "an integer is exact or none",
        arguments: [
            ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("9223372036854775808", nil),
            ("9.223372036854775807e18", Int.max), ("-922337203685477580.8e1", Int.min), ("1.5", nil), ("1.0", 1),
            ("1e3", 1_000), ("0e99999999999999999999", 0), ("1e99999999999999999999", nil), ("1e19", nil), ("-0", 0),
        ] as [(String, Int?)])
    func integers(literal: String, expected: Int?) {
        #expect(JSONNumber(literal: literal).integerValue == expected)
    }

    @Test("a computed double equals a literal as a double does, and not-a-number equals nothing")
    func doubles() {
        #expect(JSONNumber(0.1) == JSONNumber(literal: "0.1"))
        #expect(JSONNumber(9_007_199_254_740_992.0) == JSONNumber(literal: "9007199254740993"))
        #expect(JSONNumber(Double.nan) != JSONNumber(Double.nan))
        #expect(JSONNumber(Double.nan) < JSONNumber(literal: "-1e400"))
        #expect(JSONNumber(2.0).integerValue == 2)
        #expect(JSONNumber(Double.infinity).integerValue == nil)
    }
}
