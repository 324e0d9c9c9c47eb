import JSONCore
import Testing

@testable import QueryLanguage

/// Files of definitions: derived values and invariants.
@Suite struct DefinitionsTests {
    static let text = """
        # what the badge shows
        def price(i): i.price * i.count;
        def total: [.cart.items[] | price(.)] | add // 0;
        def badge: .cart.items | length;
        def canCheckOut: .user != null and total > 0;
        """

    @Test("each definition without parameters is a query of its own")
    func queries() throws {
        let definitions = try Definitions(text: Self.text, name: "shop.jq")
        #expect(definitions.zeroArgumentNames == ["total", "badge", "canCheckOut"])
        let state: JSONValue = ["cart": ["items": [["price": 2, "count": 3], ["price": 1, "count": 1]]], "user": 1]
        #expect(try definitions.query(named: "total")?.first(of: state) == 7)
        #expect(try definitions.query(named: "badge")?.first(of: state) == 2)
        #expect(try definitions.query(named: "canCheckOut")?.first(of: state) == true)
        #expect(definitions.query(named: "price") == nil)
    }

    @Test("a definition reads as a query of its own, with the definitions that it calls")
    func texts() throws {
        let definitions = try Definitions(text: Self.text, name: "shop.jq")
        #expect(definitions.text(of: "badge") == ".cart.items | length")
        let full = try #require(definitions.text(of: "canCheckOut"))
        #expect(
            full == "def price(i): i.price * i.count; def total: [.cart.items[] | price(.)] | add // 0; "
                + ".user != null and total > 0")
        let state: JSONValue = ["cart": ["items": [["price": 2, "count": 3]]], "user": 1]
        #expect(try Query(full).first(of: state) == true)
        let lines = try Definitions(text: "def a:\n  .x # why\n  > 0;\ndef b:\n  .x\n  > 0;", name: "x.jq")
        #expect(lines.text(of: "a") == ".x # why\n> 0")
        #expect(lines.text(of: "b") == ".x > 0")
        #expect(lines.text(of: "c") == nil)
    }

    @Test("a definition's footprint holds what the ones it calls read")
    func footprints() throws {
        let definitions = try Definitions(text: Self.text, name: "shop.jq")
        #expect(
            definitions.query(named: "total")?.footprint.paths.patterns
                == ["/cart/items/*/count", "/cart/items/*/price"])
        #expect(definitions.query(named: "badge")?.footprint.paths.patterns == ["/cart/items"])
        #expect(
            definitions.query(named: "canCheckOut")?.footprint.paths.patterns
                == ["/cart/items/*/count", "/cart/items/*/price", "/user"])
        #expect(definitions.callees(of: "canCheckOut") == ["total"])
    }

    @Test("what is called through functions with parameters counts as called")
    func calleesThroughHelpers() throws {
        let text = """
            def total: .cart.total;
            def limit: .limit;
            def over(x): x > limit;
            def twice(f): f | f;
            def bad: over(total);
            def plain: twice(.a);
            def over(x): x;
            def other: over(1);
            """
        let definitions = try Definitions(text: text, name: "shop.jq")
        #expect(definitions.callees(of: "bad") == ["total", "limit"])
        #expect(definitions.callees(of: "plain") == [])
        #expect(definitions.callees(of: "other") == [])
        #expect(definitions.ownPaths(of: "bad").patterns == [])
    }

    @Test("a query may call definitions")
    func callsDefinitions() throws {
        let definitions = try Definitions(text: Self.text, name: "shop.jq")
        let query = try Query("total < 0", in: QueryEnvironment(definitions: [definitions]))
        #expect(try query.first(of: ["cart": ["items": []]]) == false)
    }

    @Test("what is wrong in a file of definitions is told with its place")
    func problems() throws {
        #expect(throws: QuerySyntaxErrors.self) { try Definitions(text: "def a: b;", name: "x.jq") }
        #expect(throws: QuerySyntaxErrors.self) { try Definitions(text: "def a: 1; .", name: "x.jq") }
        #expect(throws: QuerySyntaxErrors.self) { try Definitions(text: "def a: 1", name: "x.jq") }
    }
}
