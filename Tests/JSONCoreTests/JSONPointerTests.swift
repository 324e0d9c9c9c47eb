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
    func indices(segment: String, expected: Int?) {
        #expect(JSONPointer.arrayIndex(segment) == expected)
    }

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
