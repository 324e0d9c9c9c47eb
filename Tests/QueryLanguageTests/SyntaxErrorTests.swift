import Diagnostics
import JSONCore
import TestSupport
import Testing

@testable import QueryLanguage

/// What is said about a program that does not parse: what, where, and what to write instead.
@Suite struct SyntaxErrorTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var program: String
        var message: String
        /// The text under the first caret.
        var marked: String
        var help: String?

        init(_ program: String, _ message: String, marks marked: String, help: String? = nil) {
            self.program = program
            self.message = message
            self.marked = marked
            self.help = help
        }

        var testDescription: String { program }
    }

    static let examples: [Example] = [
        Example("select(.cart.total > 100", "this '(' is never closed", marks: "(", help: "add ')' at the end"),
        Example("[.a, {b: 1]", "this '{' is closed by ']'", marks: "{"),
        Example(".a | lenght", "there is no function 'lenght/0'", marks: "lenght", help: "write 'length'"),
        Example("map(.a; .b)", "'map' takes 1 argument, not 2", marks: "map(.a; .b)"),
        Example(". as $total | $totl", "there is no variable '$totl'", marks: "$totl", help: "write '$total'"),
        Example(".a && .b", "there is no operator '&&'", marks: "&&", help: "write 'and'"),
        Example(".a || .b", "there is no operator '||'", marks: "||", help: "write 'or'"),
        Example(".a === 1", "there is no operator '==='", marks: "===", help: "write '=='"),
        Example("!.a", "there is no operator '!'", marks: "!", help: "write '… | not'"),
        Example(".a == 'x'", "strings are written in double quotes", marks: "'x'"),
        Example("\"abc", "this string is never closed", marks: "\""),
        Example("\"a\\qb\"", "'\\q' is no escape", marks: "\\q"),
        Example("@base46", "there is no format '@base46'", marks: "@base46", help: "write '@base64'"),
        Example("input", "'input' is left out of questions over a run", marks: "input"),
        Example("{a:1,,}", "did not expect ',' here", marks: ",", help: "expected a member"),
        Example("{,}", "did not expect ',' here", marks: ",", help: "expected a member"),
        Example("", "the query is empty", marks: ""), Example("  # nothing", "the query is empty", marks: ""),
        Example("def f: 1;", "the query is empty", marks: ""),
        Example("cart.total < 0", "there is no function 'cart/0'", marks: "cart", help: "write '.cart.total'"),
        Example(
            ".a + cart.items[0].id", "there is no function 'cart/0'", marks: "cart", help: "write '.cart.items[0].id'"),
        Example("cart.", "did not expect the end of the query here", marks: ""),
        Example("cart < 0", "there is no function 'cart/0'", marks: "cart", help: "write 'cbrt'"),
        Example("$ENV.PATH", "'$ENV' is left out of the language", marks: "$ENV"),
        Example("now", "'now' is left out of the language", marks: "now"),
        Example("import \"a\" as a; .", "'import' is left out of the language", marks: "import"),
        Example("break $x", "there is no label '$x' around this", marks: "break $x"),
        Example("{(1): 2}", "a number (1) cannot be an object's key", marks: "1"),
        Example(".a ]", "did not expect ']' here", marks: "]"),
        Example(".cart.items[", "this '[' is never closed", marks: "[", help: "add ']' at the end"),
        Example("if .a then 1", "this 'if' is never closed", marks: "if", help: "add 'end' at the end"),
        Example("if .a 1 end", "did not expect '1' here", marks: "1", help: "expected 'then'"),
        Example("if .a == 1 then 2 else 3", "this 'if' is never closed", marks: "if", help: "add 'end' at the end"),
        Example(".a = = 1", "'=' assigns and cannot stand here", marks: "=", help: "write '==' to compare"),
        Example(
            ".foo-bar", "there is no function 'bar/0'", marks: "bar",
            help: "write '.[\"foo-bar\"]' for a member with a hyphen in its name"),
        Example(
            ".items.map(.a)", "a member cannot be called", marks: "(",
            help: "write '… | map(…)' to call the function 'map'"),
        Example(
            ".a.length()", "a member cannot be called", marks: "(",
            help: "write '… | length(…)' to call the function 'length'"),
        Example(".a ? .b : .c", "there is no operator '? :'", marks: ":", help: "write 'if … then … else … end'"),
        Example(".a not", "did not expect 'not' here", marks: "not", help: "write '… | not'"),
        Example("map(.a length)", "did not expect 'length' here", marks: "length", help: "write '… | length'"),
        Example(".a <> .b", "there is no operator '<>'", marks: "<>", help: "write '!='"),
        Example(".a := 1", "there is no operator ':='", marks: ":=", help: "write '='"),
        Example("2 ** 3", "there is no operator '**'", marks: "**", help: "write 'pow(a; b)'"),
        Example("len(.a)", "there is no function 'len/1'", marks: "len(.a)", help: "write 'length'"),
        Example(".a | filter(.b)", "there is no function 'filter/1'", marks: "filter(.b)", help: "write 'select'"),
        Example("to_entires", "there is no function 'to_entires/0'", marks: "to_entires", help: "write 'to_entries'"),
        Example("select(.a, .b; .c)", "'select' takes 1 argument, not 2", marks: "select(.a, .b; .c)"),
        Example(
            "reduce .a as x (0; 1)", "did not expect 'x' here", marks: "x",
            help: "expected a variable as '$x', '[' or '{'"),
        Example(
            "reduce .a as $x 0; 1", "did not expect '0' here", marks: "0", help: "expected '(' and the start value"),
        Example("foreach .a as $x (0)", "did not expect ')' here", marks: ")", help: "expected ';'"),
        Example("label x | 1", "did not expect 'x' here", marks: "x", help: "expected a label as '$out'"),
        Example(
            "def f: 1", "did not expect the end of the query here", marks: "",
            help: "expected ';' at the end of the definition of 'f'"),
        Example("def f 1; f", "did not expect '1' here", marks: "1", help: "expected ':' and the body of 'f'"),
        Example(".a |", "did not expect the end of the query here", marks: "", help: "expected a filter"),
        Example("[1, 2, ]", "did not expect ']' here", marks: "]", help: "expected a filter"),
        Example("{a 1}", "did not expect '1' here", marks: "1", help: "expected '}'"),
        Example(".a[1:2:3]", "did not expect ':' here", marks: ":", help: "expected ']'"),
        Example("and .b", "did not expect 'and' here", marks: "and", help: "expected a filter"),
        Example("end", "did not expect 'end' here", marks: "end", help: "expected a filter"),
        Example("include \"a\"; 1", "'include' is left out of the language", marks: "include"),
        Example("halt_error", "'halt_error' is left out of the language", marks: "halt_error"),
        Example("1 == 2 == 3", "did not expect '==' here", marks: "=="),
    ]

    private func errors(_ program: String) -> QuerySyntaxErrors? {
        do {
            _ = try Query(program)
            return nil
        } catch {
            return error
        }
    }

    @Test("a problem names what is wrong, where, and the remedy", arguments: examples)
    func problem(_ example: Example) throws {
        let diagnostic = try #require(errors(example.program)?.diagnostic)
        #expect(diagnostic.message == example.message)
        guard case .source(let excerpt)? = diagnostic.place else {
            Issue.record("no place")
            return
        }
        let mark = try #require(excerpt.marks.first).range
        #expect(String(decoding: Array(example.program.utf8)[mark], as: UTF8.self) == example.marked)
        if let help = example.help { #expect(diagnostic.help == [help]) }
    }

    @Test("several problems are told at once, in the order of the text")
    func severalProblems() throws {
        let found = try #require(errors(".a && foo | $b == 'x' | bar(1)"))
        #expect(
            found.diagnostics.map(\.code) == [
                "query.foreign-operator", "query.undefined-function", "query.undefined-variable", "query.single-quotes",
                "query.undefined-function",
            ])
    }

    @Test("a built-in with an argument too many is refused", arguments: ["range(1; 2; 3; 4)", "_sub(1; 2; 3; 4)"])
    func tooManyArguments(_ program: String) {
        #expect(errors(program)?.diagnostics.map(\.code) == ["query.wrong-arity"])
    }

    @Test("every text, however random, parses or is refused with a message", arguments: 0..<UInt64(200))
    func randomText(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "(", ")", "[", "]", "{", "}", "|", ",", ":", ";", "\"", "\\(", "'", ".", "..", "$x", "if", "then", "end",
            "def",
            "reduce", "as", "try", "1", "?//", "//=", "-", "a", "@csv", "#", "\n", "é", "\u{0}", "label", "foreach",
            "=",
        ]
        let text = (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }.joined(separator: Bool.random(using: &generator) ? " " : "")
        guard let found = errors(text) else { return }
        #expect(!found.diagnostics.isEmpty && found.diagnostics.allSatisfy { !$0.message.isEmpty }, "\(text)")
    }
}

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
        { #expect(try Query(text).all(of: Self.state) == [value], "\(text)") }
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
