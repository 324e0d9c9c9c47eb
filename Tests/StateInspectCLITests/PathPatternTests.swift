import JSONCore
import Testing

@testable import StateInspectCLI

@Suite("Paths as they are typed")
struct PathPatternTests {
    private func pattern(_ text: String) throws -> PathPattern { try PathPattern(parsing: text, of: .path) }

    private func replace(_ path: String, _ value: JSONValue = .null, old: JSONValue? = nil) throws
        -> JSONPatch.Operation
    {
        .replace(try JSONPointer(parsing: path), value, old: old)
    }

    @Test(
        "a path is touched by a change at, above or below it",
        arguments: [
            ("/cart/total", "/total", true), ("/cart/total", "", true), ("/cart/total", "/total/net", true),
            ("/cart/total", "/totals", false), ("/session/total", "/total", false), ("", "/total", true),
            ("/*/total", "/total", true), ("/*/*", "/total", true), ("/cart/*/price", "/items", true),
            ("/cart/*/price", "/total/price", true), ("/cart/*/price", "/total/tax", false),
            ("/**/price", "/items/0/price", true), ("/**/price", "/items/0/price/net", true),
            ("/**/price", "/items/0/name", false), ("/cart/**", "/a/b", true), ("/cart/**", "", true),
            ("/session/**", "/a/b", false),
        ])
    func touching(_ path: String, _ change: String, _ expected: Bool) throws {
        #expect(try pattern(path).isTouched(by: replace(change), below: "cart") == expected)
    }

    @Test("above a '**' the values tell whether something below matches")
    func values() throws {
        let item = JSONValue.object(["items": .array([.object(["price": .null])])])
        #expect(try pattern("/**/price").isTouched(by: replace("", item), below: "cart"))
        #expect(try pattern("/**/price").isTouched(by: replace("", .null, old: item), below: "cart"))
        #expect(try !pattern("/**/price").isTouched(by: replace("", .null), below: "cart"))
        #expect(try pattern("/**/*/price").isTouched(by: replace("", item), below: "cart"))
    }

    @Test("adding, removing or moving an element touches its array")
    func elements() throws {
        let path = try pattern("/cart/items/0")
        let added = JSONPatch.Operation.add(try JSONPointer(parsing: "/items/3"), .null)
        let moved = JSONPatch.Operation.move(
            from: try JSONPointer(parsing: "/items/3"), to: try JSONPointer(parsing: "/items/2"))
        #expect(path.isTouched(by: added, below: "cart") && path.isTouched(by: moved, below: "cart"))
        #expect(try !path.isTouched(by: replace("/items/3"), below: "cart"))
        let member = JSONPatch.Operation.add(try JSONPointer(parsing: "/items/name"), .null)
        #expect(!path.isTouched(by: member, below: "cart"))
    }

    @Test("'~0', '~1' and '~2' are '~', '/' and '*'")
    func escapes() throws {
        #expect(try pattern("/a~1b/~2/~0").pointer?.segments == ["a/b", "*", "~"])
        #expect(try pattern("/a/*").pointer == nil)
        #expect(throws: UsageError.self) { try pattern("/a~3") }
        #expect(throws: UsageError.self) { try pattern("cart") }
        #expect(throws: UsageError.self) { try pattern(String(repeating: "/a", count: 65)) }
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
        let path = try pattern(String(repeating: "/**/a", count: count / 2))
        let change = try replace(String(repeating: "/a", count: 100) + "/b")
        _ = path.isTouched(by: change, below: "a")
        let deep = (0..<200).reduce(JSONValue.null) { value, _ in .object(["a": value]) }
        _ = path.isTouched(by: try replace("", deep), below: "a")
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
        func text(_ path: String) throws -> String { JQPath.text(of: try JSONPointer(parsing: path)) }
        #expect(try text("/cart/items/0/the name/1a") == #".cart.items[0]."the name"."1a""#)
        #expect(try text("/0") == ".[0]")
        #expect(try text("") == ".")
    }
}
