import Diagnostics
import JSONCore
import Synchronization
import Testing

@testable import QueryLanguage

/// What a program may name beside the language itself.
@Suite struct EnvironmentTests {
    private static func environment(_ values: [(String, JSONValue)], definitions: String...) throws -> QueryEnvironment
    {
        var environment = QueryEnvironment()
        for (name, value) in values { environment.name(name, value) }
        for (index, text) in definitions.enumerated() {
            environment.add(try Definitions(text: text, name: "\(index).jq", in: environment))
        }
        return environment
    }

    @Test("a named value is a constant: a member that it names is read, and nothing else")
    func footprint() throws {
        let environment = try Self.environment([("store", "cart"), ("limit", 7), ("path", ["a", "b"])])
        func patterns(_ text: String) throws -> [String] { try Query(text, in: environment).footprint.paths.patterns }
        #expect(try patterns(".[$store].total > $limit") == ["/cart/total"])
        #expect(try patterns("getpath($path) == $limit") == ["/a/b"])
        #expect(try Query("$limit + 1", in: environment).form == .constant)
    }

    @Test("values of any size and kind are named, and inner names hide them")
    func values() throws {
        let rows = JSONValue.array((0..<10_000).map { .number(JSONNumber($0)) })
        let environment = try Self.environment([("rows", rows), ("x", ["a": [1]]), ("seq", "mine"), ("x", 2)])
        #expect(try Query("$rows | length", in: environment).first(of: .null) == 10_000)
        #expect(try Query("[$x, (3 as $x | $x), $seq]", in: environment).first(of: .null) == [2, 3, "mine"])
        #expect(try Query("[$rows[]] == $rows", in: environment).first(of: .null) == true)
        #expect(throws: QuerySyntaxErrors.self) { try Query("$y", in: environment) }
    }

    @Test(
        "the text before a line's JSON is known only to queries that are asked of lines, and its name is free in others"
    )
    func prefix() throws {
        var environment = QueryEnvironment()
        #expect(throws: QuerySyntaxErrors.self) { try Query("$prefix", in: environment) }
        environment.readsLines = true
        let context = QueryContext(prefix: "10:00 ")
        #expect(try Query("$prefix", in: environment).first(of: .null, context: context) == "10:00 ")
        #expect(try Query("$prefix", in: Self.environment([("prefix", 3)])).first(of: .null) == 3)
    }

    @Test("definitions may name values and the definitions of earlier files; of two of one name the later counts")
    func definitions() throws {
        let environment = try Self.environment(
            [("rate", 2)], definitions: "def price: .p * $rate; def f(g): g + 1;",
            "def total: price + f(1); def price: 0;")
        #expect(try Query("[total, price]", in: environment).first(of: ["p": 5]) == [12, 0])
        #expect(environment.definitions[1].query(named: "total")?.footprint.paths.patterns == ["/p"])
        #expect(throws: QuerySyntaxErrors.self) { try Definitions(text: "def a: $none;", name: "x.jq") }
    }

    @Test("names at the top have a place only where they stand in the query itself")
    func places() throws {
        let environment = try Self.environment([], definitions: "def far: .cart.total; def of(f): f | far; def r: r;")
        let names = try Query(".near | of(.here)", in: environment).footprint.topLevelNames
        #expect(names.map(\.name) == ["near"])
        #expect(try Query("far", in: environment).footprint.topLevelNames.isEmpty)
        #expect(try Query("of(.here)", in: environment).footprint.topLevelNames.map(\.name) == ["here"])
    }

    @Test("'debug' and 'stderr' print where the environment says")
    func messages() throws {
        let sink = Printed()
        var environment = QueryEnvironment()
        environment.messages = { sink.add($0) }
        #expect(try Query("debug | stderr | debug(\"at \\(.)\")", in: environment).first(of: 1) == 1)
        #expect(sink.text == "[\"DEBUG:\",1]\n1[\"DEBUG:\",\"at 1\"]\n")
    }

    private final class Printed: Sendable {
        private let held = Mutex("")
        var text: String { held.withLock { $0 } }
        func add(_ text: String) { held.withLock { $0 += text } }
    }

    @Test(
        "what cannot be meant is told from the text",
        arguments: [
            ("118", QueryForm.constant), ("1 < 2", .constant),
            ("\"a\" | length", .constant), ("[range(3)] | add", .constant), ("error(\"x\")", .constant),
            (".", .question), (".a", .question), ("$seq", .question), ("$old.a", .question), ("type", .question),
            (".a = 1", .assignment(target: 0..<2, value: 5..<6, isPlain: true)),
            (".b | .a += 1", .assignment(target: 5..<7, value: 11..<12, isPlain: false)),
            ("(.a = 1).a", .question), (".a == 1", .question),
            (".x as $x | .a |= $x", .assignment(target: 11..<13, value: 17..<19, isPlain: false)),
        ])
    func forms(_ text: String, _ form: QueryForm) throws { #expect(try Query(text).form == form) }
}

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

    @Test("what is wrong in a file of definitions is told with its place")
    func problems() throws {
        #expect(throws: QuerySyntaxErrors.self) { try Definitions(text: "def a: b;", name: "x.jq") }
        #expect(throws: QuerySyntaxErrors.self) { try Definitions(text: "def a: 1; .", name: "x.jq") }
        #expect(throws: QuerySyntaxErrors.self) { try Definitions(text: "def a: 1", name: "x.jq") }
    }
}

/// The inputs of a program in a test: a list, at whose end reading may fail.
final class ListedInputs: Sendable {
    private let rest: Mutex<[JSONValue]>
    private let taken = Mutex(0)
    private let end: QueryInputs.Next
    private let name: String

    init(_ values: [Int], named name: String = "a.json", end: QueryInputs.Next = .end) {
        rest = Mutex(values.map { .number(JSONNumber($0)) })
        self.name = name
        self.end = end
    }

    /// How many were taken.
    var count: Int { taken.withLock { $0 } }

    var inputs: QueryInputs {
        QueryInputs {
            self.rest.withLock { rest in
                guard !rest.isEmpty else { return self.end }
                self.taken.withLock { $0 += 1 }
                return .value(rest.removeFirst())
            }
        } name: {
            self.count == 0 ? nil : self.name
        }
    }
}

@Suite("input, inputs and input_filename")
struct InputTests {
    private func outputs(_ text: String, _ listed: ListedInputs, of input: JSONValue = .null) throws -> [String] {
        var environment = QueryEnvironment.empty
        environment.inputs = listed.inputs
        return try Query(text, in: environment).all(of: input).map { $0.text() }
    }

    @Test(
        "each reads on when its value is wanted",
        arguments: [
            ("input", ["1"], 1), ("[inputs]", ["[1,2,3,4]"], 4), ("first(inputs)", ["1"], 1),
            ("[limit(2; inputs)], input", ["[1,2]", "3"], 3), ("input as $a | [$a, inputs]", ["[1,2,3,4]"], 4),
            ("inputs | [., input]", ["[1,2]", "[3,4]"], 4), ("[., input] | add", ["1"], 1),
            ("[inputs, inputs]", ["[1,2,3,4]"], 4), ("reduce inputs as $x (0; . + $x)", ["10"], 4),
            ("foreach inputs as $x (0; . + $x)", ["1", "3", "6", "10"], 4),
            ("label $f | inputs | if . > 2 then break $f else . end", ["1", "2"], 3),
            ("def f: input; f, f", ["1", "2"], 2),
            ("input_filename, (input | input_filename)", ["null", "\"a.json\""], 1),
            ("if false then input else 7 end", ["7"], 0), ("try error(input) catch .", ["1"], 1),
            ("[inputs] | try input catch .", ["\"No more inputs\""], 4), ("[.[]?, inputs] | length", ["4"], 4),
        ] as [(String, [String], Int)])
    func reading(_ text: String, _ expected: [String], _ count: Int) throws {
        let listed = ListedInputs([1, 2, 3, 4])
        #expect(try outputs(text, listed) == expected, "\(text)")
        #expect(listed.count == count, "\(text)")
    }

    @Test("an input is not a path of the program's own input")
    func noPath() {
        #expect(throws: QueryError.self) { try outputs("path(input | .a)", ListedInputs([1])) }
        #expect(throws: QueryError.self) { try outputs("input.a = 1 | .", ListedInputs([1])) }
    }

    @Test("what cannot be read ends the program, and 'try' does not catch it")
    func unreadable() {
        for text in [
            "[inputs]", "try ([inputs]) catch 1", "[inputs?]", "1, (input, input)", "input as $x | input // 1",
        ] {
            #expect(throws: QueryError.unreadInput, "\(text)") {
                try outputs(text, ListedInputs([1], end: .unreadable))
            }
        }
    }

    @Test("a program takes as many steps for each input as for one")
    func budget() throws {
        var environment = QueryEnvironment.empty
        environment.inputs = ListedInputs(Array(repeating: 1, count: 200)).inputs
        let query = try Query("reduce inputs as $x (0; . + ([range(40)] | length))", in: environment)
        let context = QueryContext(limits: QueryLimits(steps: 2_000, size: 1 << 20))
        #expect(try query.all(of: .null, context: context).map { $0.text() } == ["8000"])
        #expect(throws: QueryError.limit(.steps)) {
            try Query("reduce range(200) as $x (0; . + ([range(40)] | length))").all(of: .null, context: context)
        }
    }

    @Test("over a run they are refused with where they belong", arguments: ["input", "[inputs]", "input_filename"])
    func overRun(_ text: String) throws {
        do {
            _ = try Query(text)
            Issue.record("\(text) compiled")
        } catch {
            let diagnostic = try #require(error.diagnostics.first)
            #expect(diagnostic.code == "query.left-out")
            #expect(diagnostic.notes.contains { $0.contains("'query'") }, "\(diagnostic)")
        }
    }

    @Test("they read nothing of the state")
    func footprint() throws {
        var environment = QueryEnvironment.empty
        environment.inputs = ListedInputs([1]).inputs
        let query = try Query("[inputs | .a], input_filename, .b", in: environment)
        #expect(query.footprint.paths.patterns == ["/b"])
    }
}
