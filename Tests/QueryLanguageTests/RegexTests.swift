import JSONCore
import Platform
import TestSupport
import Testing

@testable import QueryLanguage

/// What regular expressions can, and what is said about what they cannot.
@Suite struct RegexTests {
    private func output(_ program: String) throws -> [String] {
        try Query(program).all(of: .null).map { ValueText.json($0) }
    }

    @Test(
        "Oniguruma's rarer forms match as in jq",
        arguments: [
            (#""foo" | test("(?<n>o)\\g<n>")"#, "true"), (#""ab" | test("\\g<1>(a)")"#, "false"),
            (#""aab" | [match("\\g<1>(a)b").string]"#, #"["aab"]"#),
            (#""x1y2" | [match("(?<d>\\d)|\\g<d>y"; "g").string]"#, #"["1","2"]"#),
            (#""e\u0301x" | [match("\\X"; "g").string]"#, "[\"e\u{301}\",\"x\"]"),
            (#""a\r\nb" | [match("\\X"; "g").length]"#, "[1,2,1]"), (#""🇩🇪👩‍👧" | [match("\\X"; "g").length]"#, "[2,3]"),
            (#""a\nb" | [match("\\N"; "g").string]"#, #"["a","b"]"#),
            (#""a\nb" | [match("\\O"; "g").string] | length"#, "3"),
            (#""gamma" | [match("a|am"; "gl").string]"#, #"["am","a"]"#),
            (#""xaabaaab" | [match("a+"; "gl").string]"#, #"["aaa"]"#),
            (#""\u0531" | test("\\p{Armenian}")"#, "true"), (#""a\nb" | test("a.b"; "m")"#, "true"),
            (#""a" | test("a{,2}")"#, "false"),
        ])
    func matches(_ example: (String, String)) throws {
        #expect(try output(example.0) == [example.1], "\(example.0)")
    }

    @Test(
        "what is left out is an error that says so",
        arguments: [
            ("(?<p>\\\\((?:[^()]|\\\\g<p>)*\\\\))", "recursive calls of groups are left out"),
            ("\\\\g<0>", "recursive calls of groups are left out"), ("\\\\g<x>", "undefined name <x> call"),
            ("(?~b)", "absent operators (?~…) are left out"), ("(a)(?(1)b|c)", "conditions (?(…)…) are left out"),
            ("(?{x})", "callouts (?{…}) are left out"),
            ("\\\\y", "text segment boundaries (\\\\y, \\\\Y) are left out"),
            ("\\\\p{Foo}", "invalid character property name {Foo}"), ("(?P<x>a)", "undefined group option"),
        ])
    func leftOut(_ example: (String, String)) throws {
        let message = "Regex failure: " + example.1
        let outputs = try output("try (\"a\" | test(\"\(example.0)\")) catch .")
        #expect(outputs == [ValueText.json(.string(message.replacingOccurrences("\\\\", "\\")))], "\(example.0)")
    }

    @Test("an expression that no engine can answer quickly ends with an error, not with time")
    func budget() throws {
        let outputs = try output(#"try ("a" * 200 | test("(a+)+\\1+b")) catch ."#)
        #expect(outputs == [#""the regular expression needs too many steps on this text""#])
    }

    @Test(
        "a search takes no more steps than are left of the evaluation",
        arguments: ["(a*)*\\\\1b", "^(?=(a+)+$)(a|aa)+\\\\1b", "(?>a+|aa)*\\\\1?(a+)+b", "(a+)+\\\\1+b"])
    func budgetOfEvaluation(_ pattern: String) throws {
        let query = try Query("[\"a\" * 200 | test(\"\(pattern)\")]")
        let context = QueryContext(limits: QueryLimits(steps: 100_000, size: 1 << 20))
        let outcome = Result { () throws(QueryError) in try query.first(of: .null, context: context) }
        #expect(outcome == .success([false]) || outcome == .failure(.limit(.steps)), "\(pattern)")
    }

    @Test("a run at the beginning of an expression is tried once, and finds what it should")
    func leadingRun() throws {
        #expect(try output(#""aaab aab@ ab@x" | [match("[ab]+@"; "g").offset]"#) == ["[5,10]"])
        #expect(
            try output(#""11a22b" | [match("(?<n>\\d+)b").string], [match("\\d+(?<=2)b").string]"#) == [
                #"["22b"]"#, #"["22b"]"#,
            ])
        #expect(
            try output(#""aab" | [match("(a+)b\\1?"; "g").string], [match("a+?b").string]"#) == [
                #"["aab"]"#, #"["aab"]"#,
            ])
    }
}

extension String {
    /// All of a text replaced, without Foundation.
    fileprivate func replacingOccurrences(_ text: String, _ other: String) -> String {
        StringFunctions.parts(of: self, between: text).compactMap(\.string).joined(separator: other)
    }
}

/// What a query costs is bounded in steps, whatever it is made of: never in time, which says something of the machine only.
@Suite struct HostileQueryTests {
    /// What the query comes to with so many steps; nil where it is done before that.
    private func limit(_ program: String, on input: JSONValue, steps: Int) throws -> QueryLimit? {
        var environment = QueryEnvironment()
        environment.messages = { _ in }
        let query = try Query(program, in: environment)
        let context = QueryContext(limits: QueryLimits(steps: steps, size: QueryLimits.standard.size))
        let outcome = LargeStack.run { () -> Result<Void, QueryError> in
            Result { () throws(QueryError) in try query.evaluate(input, context: context) { _ in true } }
        }
        guard case .failure(.limit(let limit)) = outcome else { return nil }
        return limit
    }

    @Test("work on many parts, or that makes many, costs steps by its size", arguments: HostileQuery.all)
    func steps(_ hostile: HostileQuery) throws {
        let input = try #require(try LargeStack.run { Result { try Query(hostile.setup).first(of: .null) } }.get())
        // A program of its own that only looks at its input needs no limits, as its text bounds its work: here it is a round of a loop.
        let program = "range(1) as $round | \(hostile.work)"
        #expect(try limit(program, on: input, steps: hostile.steps - 1) != nil)
    }

    @Test("a query without end is ended by a limit", arguments: HostileQuery.endless)
    func endless(_ program: String) throws {
        // Few steps, as they are slow in debug: `Benchmarks hostile` lets each run until the limit of the command ends it.
        #expect(try limit(program, on: .null, steps: 30_000) != nil)
    }

    @Test("an output costs by its parts where a query gives many of them")
    func outputs() throws {
        let input = try #require(try Query("[range(100) | [range(1000)]]").first(of: .null))
        #expect(try limit("range(1000) as $i | .", on: input, steps: 10_000_000) == .steps)
        // One output is what a query asks for, however large.
        #expect(try limit(".", on: input, steps: 1_000) == nil)
    }
}
