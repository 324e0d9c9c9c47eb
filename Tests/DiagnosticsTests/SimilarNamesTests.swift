import Diagnostics
import Testing

@Suite("Names that a person probably meant")
struct SimilarNamesTests {
    @Test(
        "a slip of one or two characters finds the name",
        arguments: [
            ("crat", ["cart", "feed"], ["cart"]), ("catalog", ["catalogue", "cart"], ["catalogue"]),
            ("Cart", ["cart"], ["cart"]), ("bisct", ["bisect", "blame"], ["bisect"]),
        ])
    func slips(typed: String, names: [String], expected: [String]) {
        #expect(SimilarNames.nearest(to: typed, in: names) == expected)
    }

    @Test(
        "names that share nothing are not offered", arguments: ["x", "zzzz", "", String(repeating: "a", count: 1000)])
    func strangers(typed: String) { #expect(SimilarNames.nearest(to: typed, in: ["cart", "feed"]).isEmpty) }
}

@Suite("Control characters of untrusted text")
struct ControlCharacterTests {
    @Test(
        "everything that acts on a terminal is escaped",
        arguments: [
            ("\u{1B}[31mred", "\\u001b[31mred"), ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{9B}2J", "\\u009b2J"),
            ("a\u{202E}b", "a\\u202eb"), ("naïve 日本 👍", "naïve 日本 👍"), ("\u{2028}", "\\u2028"),
        ])
    func escapes(text: String, shown: String) { #expect(ControlCharacters.escaped(text) == shown) }
}

@Suite("Places in a typed text")
struct SourceExcerptTests {
    @Test("lines and columns count from one, columns in scalars")
    func lineAndColumn() {
        let excerpt = SourceExcerpt(name: "query", text: "é.a\n.b", marks: [])
        #expect(excerpt.lineAndColumn(of: 0) == (1, 1))
        #expect(excerpt.lineAndColumn(of: 2) == (1, 2))
        #expect(excerpt.lineAndColumn(of: 5) == (2, 1))
        #expect(excerpt.lineAndColumn(of: 999) == (2, 3))
    }
}

@Suite("What may be shown")
struct ControlCharactersTests {
    @Test(
        "what acts on a terminal, reorders text or is invisible is written as an escape",
        arguments: [
            (0x07, #"\u0007"#), (0x0A, #"\n"#), (0x1B, #"\u001b"#), (0x7F, #"\u007f"#), (0x9B, #"\u009b"#),
            (0xAD, #"\u00ad"#), (0x34F, #"\u034f"#), (0x180E, #"\u180e"#), (0x200B, #"\u200b"#), (0x2800, #"\u2800"#),
            (0x200D, #"\u200d"#),
            (0x202E, #"\u202e"#), (0x2028, #"\u2028"#), (0x206A, #"\u206a"#), (0x2066, #"\u2066"#),
            (0xFE0F, #"\ufe0f"#),
            (0xFEFF, #"\ufeff"#), (0xFFF9, #"\ufff9"#), (0xFFFB, #"\ufffb"#), (0xFFFE, #"\ufffe"#),
            (0xFFFF, #"\uffff"#),
            (0xE0041, #"\udb40\udc41"#), (0xE01EF, #"\udb40\uddef"#), (0x1FFFE, #"\ud83f\udffe"#),
        ] as [(UInt32, String)])
    func escapes(_ value: UInt32, _ expected: String) throws {
        let text = "a" + String(try #require(Unicode.Scalar(value))) + "b"
        #expect(ControlCharacters.escaped(text) == "a" + expected + "b")
    }

    @Test(
        "what is seen stays as it is", arguments: ["", "plain", "żółć", "日本語", "e\u{301}", "👩🏽", "❤️", "👨‍👩‍👧", "a\u{A0}b"])
    func shown(_ text: String) { #expect(ControlCharacters.escaped(text) == text) }

    @Test("a joiner that joins nothing, and a selector that selects nothing, are seen")
    func alone() {
        #expect(ControlCharacters.escaped("👨\u{200D}x") == #"👨\u200dx"#)
        #expect(ControlCharacters.escaped("x\u{FE0F}") == #"x\ufe0f"#)
        #expect(ControlCharacters.escaped("\u{FE0F}\u{FE0F}") == #"\ufe0f\ufe0f"#)
    }

    @Test("JSON keeps its lines and its meaning")
    func json() {
        #expect(ControlCharacters.escapedJSON("[\n\t\"\u{9B}31m\"]\n") == "[\n\t\"\\u009b31m\"]\n")
    }
}
