import Diagnostics
import JSONCore
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@testable import StateInspectCLI

@Suite("Paths as they are typed")
struct PathPatternTests {
    private func pattern(_ text: String) throws -> PathPattern { try PathPattern(parsing: text, of: .path) }

    @Test("'~0', '~1' and '~2' are '~', '/' and '*'")
    func escapes() throws {
        #expect(try pattern("/a~1b/~2/~0").pointer?.segments == ["a/b", "*", "~"])
        #expect(try pattern("/a/*").pointer == nil)
        #expect(throws: UsageError.self) { try pattern("/a~3") }
        #expect(throws: UsageError.self) { try pattern(String(repeating: "/a", count: 65)) }
    }

    @Test(
        "three spellings are one path",
        arguments: [
            (
                "/cart/items/0",
                ["cart/items/0", "cart.items[0]", ".cart.items[0]", ".cart.items.0", #".["cart"].items[0]"#]
            ),
            ("", [".", ""]), ("/cart", ["cart", ".cart", ".[\"cart\"]", #""cart""#, #"["cart"]"#]),
            ("/cart/*/price", ["cart/*/price", "cart.*.price", ".cart[].price", ".cart[*].price"]),
            ("/**/price", ["**/price", ".**.price"]), ("/0", ["0", ".[0]", "[0]", ".0"]),
            ("/my-store/a b", ["my-store/a b", "my-store.a b", #".my-store."a b""#]),
            ("/~2/~2~2", [#"."*"."**""#, #".["*"]["**"]"#]), ("/cart/a.b", ["cart/a.b", #"cart."a.b""#]),
            ("/a~1b/~0", [#"."a/b".~"#, #".["a/b"]["~"]"#]), ("/\"", [#"."\"""#, #".["\u0022"]"#, "/\""]),
            ("/é/日本", ["é.日本", ".é.日本", #".é["\u65e5本"]"#]),
        ])
    func spellings(_ pointer: String, _ texts: [String]) throws {
        for text in texts + [pointer] {
            #expect(try pattern(text).steps == pattern(pointer).steps, "\(text)")
            #expect(try pattern(text).text == pointer, "\(text)")
        }
    }

    @Test("a path of any names reads back as it is printed, in each spelling", arguments: seeds(1..<21))
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let parts = ["a", "*", "~", "/", ".", "\"", "[", "]", "0", "\\", " ", "é", "\u{301}", "\n", "~2", "**"]
        for _ in 0..<100 {
            let names = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (0..<Int.random(in: 1...3, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
            }
            let path = JSONPointer(names)
            #expect(try pattern(PathPattern(path).text).pointer?.segments == names, "seed \(seed), \(names)")
            #expect(try pattern(JQPath.text(of: path, in: .null)).pointer?.segments == names, "seed \(seed), \(names)")
        }
    }

    @Test(
        "what is no path says why",
        arguments: [
            (".cart/items", "not with both"), ("cart.items/0", "not with both"), (".cart.", "a name after each '.'"),
            ("..", "a name after each '.'"), (".items[-1]", "from the front"), (".items[0", "hold an index"),
            (".items[a]", "hold an index"), (#"."a"#, "hold an index"), (".a\"b\"", "hold an index"),
            (".items[01]", "hold an index"), ("/a~3", "'~' is written '~0'"), ("a~3", "'~' is written '~0'"),
            (String(repeating: "a.", count: 65) + "a", "at most 64"),
        ])
    func refused(_ text: String, _ expected: String) {
        let error = #expect(throws: UsageError.self) { try pattern(text) }
        #expect(error?.diagnostic.message.contains(expected) == true, "\(text): \(error?.diagnostic.message ?? "")")
    }

    @Test("what is ignored is taken out of a state, elements become null")
    func removing() throws {
        let state = try JSONParser.parse(#"{"a":{"t":1,"u":2},"b":[{"t":3},4]}"#)
        func without(_ path: String) throws -> String { try pattern(path).removing(from: state).text() }
        #expect(try without("/a/t") == #"{"a":{"u":2},"b":[{"t":3},4]}"#)
        #expect(try without("/*/t") == #"{"a":{"u":2},"b":[{"t":3},4]}"#)
        #expect(try without("/**/t") == #"{"a":{"u":2},"b":[{},4]}"#)
        #expect(try without("/b/1") == #"{"a":{"t":1,"u":2},"b":[{"t":3},null]}"#)
        #expect(try without("/none/x") == state.text())
        #expect(try without("") == "null")
    }

    @Test("a pathological pattern ends", arguments: [20, 60])
    func pathological(_ count: Int) throws {
        let path = PathMatcher([try pattern(String(repeating: "/**/a", count: count / 2)).steps])
        _ = path.touch(at: Array(repeating: "a", count: 100) + ["b"], [.null])
        let deep = (0..<200).reduce(JSONValue.null) { value, _ in .object(["a": value]) }
        _ = path.touch(at: ["a"], [deep])
    }

    @Test(
        "globs",
        arguments: [
            ("*", "", true), ("*", "abc", true), ("a*c", "abc", true), ("a*c", "abcd", false), ("?", "é", true),
            ("a?c", "ac", false), ("*Success", "requestSuccess", true), ("*a*b*", "xxaxxbxx", true), ("", "a", false),
        ])
    func globs(_ glob: String, _ text: String, _ expected: Bool) {
        #expect(Glob(glob).matches(text) == expected)
    }

    @Test("a path as the query language writes it")
    func queryPaths() throws {
        func text(_ path: String, _ state: JSONValue) throws -> String {
            JQPath.text(of: try JSONPointer(parsing: path), in: state)
        }
        let state = try JSONParser.parse(#"{"cart":{"items":[{}],"byID":{"18":{}}}}"#)
        #expect(try text("/cart/items/0/the name/1a", state) == #".cart.items[0]."the name"."1a""#)
        #expect(try text("/cart/byID/18/price", state) == #".cart.byID."18".price"#)
        #expect(try text("/0", [1]) == ".[0]")
        #expect(try text("/0", .null) == #"."0""#)
        #expect(try text("", state) == ".")
    }
}
