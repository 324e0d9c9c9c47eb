import Diagnostics
import JSONCore
import Synchronization
import Testing

@testable import QueryLanguage

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
            ("[inputs, inputs]", ["[1,2,3,4]"], 4),
            ("reduce inputs as $x (0; . + $x)", ["10"], 4),
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
