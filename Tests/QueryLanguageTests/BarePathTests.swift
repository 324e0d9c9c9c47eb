import Diagnostics
import JSONCore
import TestSupport
import Testing

@testable import QueryLanguage

/// Paths as people write them who do not know jq, and that no program of jq's means anything else for them.
@Suite struct BarePathTests {
    private static let state: JSONValue = [
        "cart": ["total": 12, "items": [["price": 3], ["price": 4]], "a-b": 1, "0": "zero"], "user": ["name": "Ada"],
    ]

    /// Each word names every member of its name at the top and one step below.
    private static let environment: QueryEnvironment = {
        var environment = QueryEnvironment()
        environment.paths = { word in
            guard case .object(let stores) = state else { return [] }
            if stores[word] != nil { return [JSONPointer([word])] }
            return stores.filter { $1.object?[word] != nil }.map { store, _ in JSONPointer([store, word]) }
        }
        return environment
    }()

    @Test(
        "a pointer is a term, and a word of the state a path",
        arguments: [
            ("/cart/total", ".cart.total"), ("/cart/total < 0", ".cart.total < 0"),
            ("/cart/total / 2", ".cart.total / 2"), ("24 / /cart/total", "24 / .cart.total"),
            ("/cart/items/0/price", ".cart.items[0].price"), ("/cart/items[1].price", ".cart.items[1].price"),
            ("/cart/0", ".cart[\"0\"]"), ("/cart/a-b", ".cart[\"a-b\"]"),
            ("[/cart/items/*/price]", "[.cart.items[].price]"),
            ("any(/cart/items/*/price; . > 3)", "any(.cart.items[].price; . > 3)"), ("/none/a // 5", ".none.a // 5"),
            (".cart | /total", ".cart | .total"), ("{x: /cart/total}", "{x: .cart.total}"),
            ("\"\\(/user/name)!\"", "\"\\(.user.name)!\""), ("/cart/total==12", ".cart.total==12"),
            ("path(/cart/items/0)", "path(.cart.items[0])"), ("/cart/total |= 1", ".cart.total |= 1"),
            ("cart.total", ".cart.total"), ("total + 1", ".cart.total + 1"), ("items[0].price", ".cart.items[0].price"),
            ("if total > 1 then name else 0 end", "if .cart.total > 1 then .user.name else 0 end"),
            ("def f: . / 2; total | f", ".cart.total / 2"), ("def total: 3; total", "3"),
            ("total as $t | .cart.items[] | .price < $t", ".cart.total as $t | .cart.items[] | .price < $t"),
        ])
    func reads(_ text: String, _ plain: String) throws {
        let (query, expected) = (try Query(text, in: Self.environment), try Query(plain))
        #expect(try query.all(of: Self.state) == expected.all(of: Self.state))
        #expect(
            query.footprint.paths.patterns.sorted() == expected.footprint.paths.patterns.sorted() || text.contains("0"))
    }

    @Test("behind a pipe and in an argument '.' is not the state, so a word there names no place of it")
    func inside() {
        for text in [".cart | total", "map(total)", "def f: total; f", ".cart.items[] | select(total > 1)"] {
            let error = #expect(throws: QuerySyntaxErrors.self) { try Query(text, in: Self.environment) }
            #expect(error?.diagnostic.help == ["write '.cart.total'"], "\(text)")
        }
    }

    @Test("a query is asked below a member, and so is what it says of the state before")
    func below() throws {
        let query = try Query("/total > $old.total", in: Self.environment, below: "cart")
        let old: JSONValue = ["cart": ["total": 5]]
        #expect(try query.all(of: Self.state, context: QueryContext(old: old, seq: 1)) == [true])
        #expect(query.footprint.paths.patterns == ["/cart/total"])
        #expect(try Query("/total", below: "cart").footprint.usesOld == false)
    }

    @Test("a division stays one, whatever stands around it")
    func division() throws {
        for (text, value) in [
            (".cart.total/3", 4), (".cart.total / 3", 4), ("12/3", 4), ("(12)/3", 4), ("[12][0]/3", 4),
        ]
            as [(String, JSONValue)]
        {
            #expect(try Query(text).all(of: Self.state) == [value], "\(text)")
        }
        for text in ["/", "/ 2", "// 1", "/=1", ".a /", "cart//"] {
            if let query = try? Query(text) { Issue.record("\(query.text)") }
        }
        #expect(throws: QuerySyntaxErrors.self) { try Query("/cart/~3x") }
        #expect(throws: QuerySyntaxErrors.self) { try Query("total") }
    }

    @Test("no program that is valid as it stands changes its meaning where every word names a place", arguments: 1...4)
    func validProgramsStay(seed: Int) throws {
        var queries = RandomStateQuery(seed: UInt64(seed))
        var every = QueryEnvironment()
        every.paths = { [JSONPointer([$0])] }
        for _ in 0..<200 {
            let text = queries.condition()
            let (plain, named) = (try Query(text), try Query(text, in: every))
            #expect(plain.footprint.paths.patterns == named.footprint.paths.patterns, "\(text)")
            #expect(
                Result { try plain.all(of: Self.state) }.isEqual(Result { try named.all(of: Self.state) }), "\(text)")
        }
    }
}

extension Result where Success == [JSONValue] {
    fileprivate func isEqual(_ other: Self) -> Bool {
        switch (self, other) {
        case (.success(let a), .success(let b)): a == b
        case (.failure(let a), .failure(let b)): "\(a)" == "\(b)"
        default: false
        }
    }
}
