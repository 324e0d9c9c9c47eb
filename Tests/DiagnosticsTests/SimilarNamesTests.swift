import Diagnostics
import Testing

@Suite("Names that a person probably meant")
struct SimilarNamesTests {
    @Test(
        "a slip of one or two characters finds the name",
        arguments: [
            ("crat", ["cart", "feed"], ["cart"]),
            ("catalog", ["catalogue", "cart"], ["catalogue"]),
            ("Cart", ["cart"], ["cart"]),
            ("bisct", ["bisect", "blame"], ["bisect"]),
        ])
    func slips(typed: String, names: [String], expected: [String]) {
        #expect(SimilarNames.nearest(to: typed, in: names) == expected)
    }

    @Test(
        "names that share nothing are not offered", arguments: ["x", "zzzz", "", String(repeating: "a", count: 1000)])
    func strangers(typed: String) {
        #expect(SimilarNames.nearest(to: typed, in: ["cart", "feed"]).isEmpty)
    }
}

@Suite("Control characters of untrusted text")
struct ControlCharacterTests {
    @Test(
        "everything that acts on a terminal is escaped",
        arguments: [
            ("\u{1B}[31mred", "\\u001b[31mred"), ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{9B}2J", "\\u009b2J"),
            ("a\u{202E}b", "a\\u202eb"), ("naïve 日本 👍", "naïve 日本 👍"), ("\u{2028}", "\\u2028"),
        ])
    func escapes(text: String, shown: String) {
        #expect(ControlCharacters.escaped(text) == shown)
    }
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
