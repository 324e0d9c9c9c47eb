import JSONCore
import Platform
import Synchronization
import TestSupport
import Testing

@testable import QueryLanguage

/// Nothing that a query or an input holds may hang, trap or grow without bound.
@Suite struct LimitTests {
    private func failure(
        _ program: String, steps: Int = 1_000_000, size: Int = 1 << 20
    ) throws -> QueryError? {
        let query = try Query(program)
        let context = QueryContext(limits: QueryLimits(steps: steps, size: size))
        return SystemThread.run(stackSize: 64 << 20) {
            do {
                _ = try query.all(of: .null, context: context)
                return nil
            } catch let error as QueryError {
                return error
            } catch {
                return nil
            }
        }
    }

    @Test(
        "endless programs end with the step limit",
        arguments: [
            "[repeat(1)] | length", "def f: f; f", "until(false; .)", "last(range(1e300))", "[while(true; . + 1)]",
            "def f: (1, 2) | f; f", "first(range(0; infinite) | select(. < 0))", "reduce repeat(1) as $x (0; . + $x)",
        ])
    func endless(_ program: String) throws {
        let error = try failure(program, steps: 200_000)
        #expect(error == .limit(.steps) || error == .limit(.size) || error == .limit(.callDepth))
    }

    @Test("calls nested too deeply end with the depth limit", arguments: ["def f: 1 + f; f", "def f: [f]; f"])
    func deepCalls(_ program: String) throws {
        #expect(try failure(program, steps: 100_000_000) == .limit(.callDepth))
    }

    /// Ten outputs, ten times as many for each further one of these in a row.
    private static let ten = "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)"

    private static func row(of parts: Int, _ part: String, by separator: String) -> String {
        Array(repeating: part, count: parts).joined(separator: separator)
    }

    @Test(
        "rows of commas, which multiply outputs without a loop, cost steps",
        arguments: [
            row(of: 12, ten, by: " | ") + " | empty", row(of: 12, ten, by: " + ") + " | empty",
            row(of: 12, ten + " as $x", by: " | ") + " | empty", "[path(." + row(of: 12, "[\(ten)]", by: "") + ")]",
            "del(." + row(of: 12, "[\(ten)]", by: "") + ")", "\"" + row(of: 12, "\\(\(ten))", by: "") + "\" | empty",
            "{" + (0..<12).map { "k\($0): \(ten)" }.joined(separator: ", ") + "} | empty",
            "delpaths([." + row(of: 12, "[\(ten)]", by: "") + "])",
            row(of: 12, "\(ten) and true", by: " | ") + " | empty",
        ])
    func commas(_ program: String) throws { #expect(try failure(program, steps: 100_000) == .limit(.steps)) }

    @Test(
        "work that grows with what it is given costs steps",
        arguments: [
            // Compiling expressions, and searching.
            #"range(1e9) | tostring as $n | "x" | test("a" * 2000 + $n) | empty"#,
            #"("a" * 1e6) as $text | range(1e9) | $text | test("b") | empty"#,
            // Functions and operators over large values.
            "[range(1e5)] as $x | range(1e9) | $x | sort | empty",
            "[range(1e5)] as $x | range(1e9) | $x | group_by(.) | empty",
            "[range(1e5)] as $x | range(1e9) | $x + [1] | empty",
            "[range(1e5)] as $x | range(1e9) | ($x | reverse) == $x | empty",
            #"("a" * 1e6) as $x | range(1e9) | $x | ascii_downcase | empty"#,
            #"("a" * 1e6) as $x | range(1e9) | $x | explode | empty"#,
            "[range(1e5)] as $x | range(1e9) | $x | tojson | empty", "[range(3e3)] | contains([range(3e3) | 2999])",
        ])
    func largeWork(_ program: String) throws { #expect(try failure(program) == .limit(.steps)) }

    @Test("a search of one sequence in another that repeats itself is no product of their lengths")
    func repeatedSearch() throws {
        let programs = [
            #"("a" * 1e5) | index("a" * 5e4 + "b")"#, #"("a" * 1e5) | indices("a" * 5e4) | length"#,
            #"("a" * 1e5) | split("a" * 5e4 + "b") | length"#, "[range(2e4) | 0] | index([range(1e4) | 0] + [1])",
        ]
        let outputs = try programs.map { try Query($0).first(of: .null).map { ValueText.json($0) } }
        #expect(outputs == ["null", "50001", "1", "null"])
    }

    @Test(
        "values of few parts, each many times over, are neither compared nor written without end",
        arguments: sampled([
            "def x: reduce range(40) as $i (1; [., .]); x == x", "def x: reduce range(40) as $i (1; [., .]); x < x",
            "reduce range(40) as $i (1; [., .])", "reduce range(40) as $i (1; {a: ., b: .})",
            "reduce range(40) as $i (1; [., .]) | tojson", "reduce range(40) as $i (1; [., .]) | flatten",
            "reduce range(40) as $i (1; [., .]) | . as $x | [range(1e5) | [[$x]]]",
        ]))
    func sharedParts(_ program: String) throws {
        let error = try failure(program, steps: 100_000_000)
        #expect(error == .limit(.steps) || error == .limit(.size))
    }

    private static let doubled = "reduce range(60) as $i ([1]; [., .])"

    @Test(
        "what is made of a value of few parts, each many times over, is paid for as it is built",
        arguments: sampled([
            "[paths] | length", "[paths(true)] | length", "[path(..)] | length", "[tostream] | length", "[..] | length",
            "walk(.) | length", "fromstream(tostream) | length", "del(..)", "(.. |= .)", "[getpath(paths)]",
            "[.. | tojson]", "debug", "stderr", "pick(..)", "[limit(1e9; ..)]", "to_entries | tojson",
        ]))
    func builtOfShared(_ program: String) throws {
        let error = try #require(try failure("\(Self.doubled) | \(program)"))
        #expect(error == .limit(.steps) || error == .limit(.size))
    }

    @Test("the message of an error that a program made has an end")
    func longMessages() throws {
        for program in ["\(Self.doubled) | error", "(\"é\" * 1e5) | error", "[\"x\" * 1e6] | error"] {
            let error = try #require(try failure(program))
            #expect(error.message.utf8.count < 70_000 && error.message.hasSuffix("..."), "\(program)")
        }
        #expect(try failure("\"x\" | error")?.message == "x")
    }

    @Test(
        "the steps of an evaluation bound the memory that it takes: what is built and copied is paid for",
        arguments: [
            "[range(1e4)] as $x | range(1e9) | $x | to_entries | empty",
            "[range(1e4)] as $x | range(1e9) | $x | .[0] = 1 | empty",
            "[range(1e4)] as $x | range(1e9) | $x | setpath([0]; 1) | empty",
            "[range(1e4)] as $x | {a: {b: $x}} as $o | range(1e9) | $o | .a.b[0] |= 1 | empty",
            "[range(1e4)] as $x | {a: $x} as $o | range(1e9) | $o | .a += [1] | empty",
            "[range(1e4)] as $x | range(1e9) | $x | del(.[0]) | empty",
            "[range(1e4)] as $x | range(1e9) | $x | .[1:] | empty",
            "[range(1e4)] as $x | range(1e9) | $x | keys | empty",
            "[range(1e4)] as $x | range(1e9) | [$x, $x] | add | empty",
            "[range(1e4)] as $x | range(1e9) | $x | group_by(.) | empty",
            "[[range(1e4)]] as $x | range(1e9) | $x | transpose | empty",
            "(reduce range(1e4) as $i ({}; .[\"k\\($i)\"] = $i)) as $o | range(1e9) | $o | .a = 1 | empty",
            "(reduce range(1e4) as $i ({}; .[\"k\\($i)\"] = $i)) as $o | range(1e9) | $o | del(.k1) | empty",
            "range(1e9) | null | .[100000] = 1 | empty", "range(1e9) | null | setpath([100000]; 1) | empty",
            #"("x" * 1e5) as $s | range(1e9) | $s | .[1:] | empty"#,
            #"("x" * 1e5) as $s | range(1e9) | $s + "y" | empty"#,
            #"("x" * 1e5) as $s | range(1e9) | "\($s)" | empty"#,
            #"("x" * 1e5) as $s | range(1e9) | $s | ltrimstr("x") | empty"#,
            #"("x" * 1e4) as $s | range(1e9) | $s | [match("x"; "g")] | empty"#,
            #"("x" * 1e4) as $s | range(1e9) | $s | gsub("x"; "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy") | empty"#,
            #"("[0]," * 1e4 + "0") as $t | range(1e9) | "[" + $t + "]" | fromjson | empty"#,
            #"range(1e9) | "x" * 1e6 | empty"#, "range(1e9) | {a: 1, b: 2, c: 3} | empty",
        ])
    func paidMemory(_ program: String) throws { #expect(try failure(program) == .limit(.steps)) }

    @Test("what is edited in place costs no copy each time")
    func editsInPlace() throws {
        for program in [
            "reduce range(1e4) as $i ([]; . + [$i]) | length", "reduce range(1e4) as $i ([]; .[$i] = $i) | length",
            "reduce range(1e4) as $i ({}; .a.b += [$i]) | .a.b | length",
            "reduce range(1e4) as $i ({}; .[\"k\\($i)\"] |= $i) | length",
        ] {
            let context = QueryContext(limits: QueryLimits(steps: 1_000_000, size: 1 << 20))
            #expect(try Query(program).first(of: .null, context: context) == 10_000, "\(program)")
        }
    }

    @Test("a number is no longer than one of a text")
    func numbersOfTexts() throws {
        let message = try Query(#"("1" * 70000) | try tonumber catch ."#).first(of: .null)
        #expect(message?.string?.hasSuffix("cannot be parsed as a number") == true)
    }

    @Test(
        "values grow no larger than the size limit, an array by its bytes, also as it doubles",
        arguments: [
            "[range(3e5)]", "reduce range(60) as $i ([1]; . + .)", "[range(1e5)] | [., ., .] | add",
            "[range(1e5) | (1, 2, 3)]", "[range(1e9)]", "reduce range(40) as $i (\"ab\"; . + .)",
        ])
    func largeArrays(_ program: String) throws {
        #expect(try failure(program, steps: 1_000_000_000) == .limit(.size))
    }

    @Test("a query that limits stop at state after state is not asked at the rest of them")
    func stoppedAtEveryState() throws {
        let rounds = Mutex(0)
        var environment = QueryEnvironment()
        environment.messages = { _ in rounds.withLock { $0 += 1 } }
        let query = try Query(".a | stderr | repeat(.)", in: environment)
        let copy = query.recompiled()
        let context = QueryContext(limits: QueryLimits(steps: 10_000, size: 1 << 20))
        var errors: [QueryError] = []
        for state in 0..<100 {
            do {
                try (state % 2 == 0 ? query : copy).evaluate(
                    .object(["a": .number(JSONNumber(state))]), context: context
                ) { _ in true }
            } catch { errors.append(error) }
        }
        #expect(errors.count == 100)
        #expect(errors.prefix(2) == [.limit(.steps), .limit(.steps)])
        #expect(errors.dropFirst(2).allSatisfy { $0 == .limit(.evaluations) })
        #expect(rounds.withLock { $0 } == 2)
        query.askAgain()
        #expect(throws: QueryError.limit(.steps)) { try query.evaluate([:], context: context) { _ in true } }
    }

    @Test("a limit that is reached in a few steps stops a query at many states before it is not asked any more")
    func stoppedSoon() throws {
        let query = try Query(".a + .a + .a")
        let context = QueryContext(limits: QueryLimits(steps: 10_000, size: 20))
        let long: JSONValue = ["a": "abcdefghi"]
        let short: JSONValue = ["a": "a"]
        for _ in 0..<20 { #expect(throws: QueryError.limit(.size)) { try query.first(of: long, context: context) } }
        #expect(try query.first(of: short, context: context) == "aaa")
    }

    @Test(
        "a query that gives the same at every state is evaluated once, whatever is wanted of it",
        arguments: ["[range(1000)] | length", "range(12) as $i | $i", "[range(1e9)]", "range(12), ({} | .[0])"])
    func constants(_ program: String) throws {
        let query = try Query(program)
        let first = QueryContext(limits: QueryLimits(steps: 50_000, size: 1 << 20))
        // No more than a plain program is charged.
        let later = QueryContext(limits: QueryLimits(steps: 1, size: 1))
        func outcome(_ context: QueryContext, upTo count: Int) -> ([JSONValue], QueryError?) {
            var outputs: [JSONValue] = []
            do {
                try query.evaluate(.null, context: context) { output in
                    outputs.append(output)
                    return outputs.count < count
                }
                return (outputs, nil)
            } catch { return (outputs, error) }
        }
        _ = outcome(first, upTo: 2)
        let whole = outcome(first, upTo: .max)
        #expect(outcome(later, upTo: .max) == whole)
        #expect(outcome(later, upTo: 3).0 == Array(whole.0.prefix(3)))
        #expect((try? query.first(of: .null, context: later)) == whole.0.first)
    }

    @Test("'try' does not catch a limit")
    func limitsAreNotCaught() throws {
        #expect(try failure("try repeat(empty, .) catch 1", steps: 10_000) == .limit(.steps))
    }

    @Test("chains of containers end with the nesting limit")
    func deepValues() throws {
        #expect(try failure("reduce range(1e6) as $i (null; [.])", steps: 1_000_000_000) == .limit(.valueDepth))
        #expect(try failure("reduce range(1e6) as $i (null; {a: .})", steps: 1_000_000_000) == .limit(.valueDepth))
    }

    @Test(
        "regular expressions that explode elsewhere answer at once",
        arguments: ["(a*)*b", "(a|aa)+$", "(a|a)*b", "(.*)*x", "(?:a?){30}a{30}", "^(([a-z])+.)+[A-Z]([a-z])+$"])
    func regexes(_ pattern: String) throws {
        let input = JSONValue.string(String(repeating: "a", count: 40))
        var environment = QueryEnvironment()
        environment.name("re", .string(pattern))
        #expect(try Query("test($re)", in: environment).first(of: input) != nil)
    }

    @Test(
        "a program that is nested too deeply is refused",
        arguments: [
            ("(", ")"), ("[", "]"), ("{a:", "}"), ("-", ""), ("1 + (", ")"), ("try ", ""), ("if ", "then 1 end"),
        ])
    func deepPrograms(_ brackets: (String, String)) throws {
        let program =
            String(repeating: brackets.0, count: 5_000) + "1" + String(repeating: brackets.1, count: 5_000)
        #expect(throws: QuerySyntaxErrors.self) { try Query(program) }
    }

    @Test("definitions that multiply when they are expanded still compile")
    func expansionBomb() throws {
        let definitions = (1...40).map { "def f\($0): f\($0 - 1) | f\($0 - 1);" }.joined(separator: " ")
        let query = try Query("def f0: .; " + definitions + " 1")
        #expect(try query.first(of: .null) == 1)
        _ = try Query("def f0: .; " + definitions + " f40")
    }

    @Test("nested loops do not multiply the footprint's work")
    func nestedLoops() throws {
        var program = "."
        for index in 0..<60 { program = "reduce .a\(index)[] as $x (.; \(program))" }
        // To follow every round of every loop would take 4 to the power of 60 of them: past a limit all counts as read.
        #expect(try Query(program).footprint.paths == .everything)
    }

    @Test(
        "odd arguments are errors or values, never traps",
        arguments: [
            ".[nan]", ".[1e300]", ".[-1e300]", ".[1e300:]", ".[:-1e300]", "[.[] = 1]", "setpath([1e300]; 1)",
            "implode", "[1e300] | implode", "1e300 | todate", "-1e300 | gmtime", "[1e300,0,0] | mktime",
            "1e18 | todate", "\"x\" * 1e300", "[limit(1e300; 1)]", "[skip(nan; 1)]", "ldexp(1; 1e300)",
            "flatten(1e300)",
            "[1] | combinations(1e300)?", "@base64d", "\"\\uD800\" | explode", "splits(\"\")?", "1 % 1e-300",
            "1e300 % 1e-300", "-9223372036854775808 % -1", "9223372036854775807 + 1, -(-9223372036854775808)",
            "-2 * 4611686018427387904, -9223372036854775808 * 1, (. * 0 - 9223372036854775808)?",
            "[range(0; 1; 1e-300)] | first?",
            "tojson | fromjson", "[1,2] | .[0:1e300] = [3]", "delpaths([[1e300]])", "nth(1e300; 1)", "strftime(\"%\")",
            "[1,2,3] | .[-5:] |= map(. + 1)", "\"\" | test(\"[\")?", "\"\" | test(\"\\\\\")?",
            "\"\" | strptime(\"%\")?",
            "infinite | tostring, todate?", "abs?", "-0 | abs, tostring", "getpath([1e300])", "input_line?",
        ])
    func oddArguments(_ program: String) throws {
        guard let query = try? Query(program) else { return }
        let context = QueryContext(limits: QueryLimits(steps: 100_000, size: 1 << 16))
        for input: JSONValue in [.null, 1, "a", [1, 2], ["a": 1], 1e300, -1.5, [[-1], 2e10]] {
            do throws(QueryError) {
                let outputs = try query.all(of: input, context: context)
                #expect(outputs.count <= 100_000, "\(program)")
            } catch {
                #expect(!error.message.isEmpty, "\(program)")
            }
        }
    }

    @Test(
        "the holes that jq 1.8.2 closed are closed here",
        arguments: [
            // Path depth in setpath, getpath and delpaths.
            ("try setpath([range(10001) | 0]; 1) catch .", "\"Path too deep\""),
            ("try getpath([range(10001) | 0]) catch .", "\"Path too deep\""),
            ("try delpaths([[range(10001) | 0]]) catch .", "\"Path too deep\""),
            // An embedded NUL ends neither a JSON text nor a number.
            ("try (\"[1]\\u0000x\" | fromjson) catch \"refused\"", "\"refused\""),
            ("try (\"1\\u00002\" | tonumber) catch \"refused\"", "\"refused\""),
            ("\"a\\u0000b\" | length", "3"), ("\"a\\u0000b\" | [match(\".\"; \"g\").offset] | length", "3"),
            // _strindices checks what it is given.
            ("try ([1] | _strindices(\"a\")) catch \"refused\"", "\"refused\""),
            ("try (\"a\" | _strindices(1)) catch \"refused\"", "\"refused\""),
            // Deep containment, merging, equality and comparison.
            (
                "reduce range(10001) as $_ ({}; {a: .}) | . as $x | try contains($x) catch .",
                "\"Containment check too deep\""
            ),
            ("reduce range(10001) as $_ ({}; {a: .}) | . as $x | try ($x * $x) catch . | type", "\"string\""),
            (
                "reduce range(10001) as $_ ([]; [.]) | . as $x | try (($x == [$x]) | type) catch .",
                "\"Equality check too deep\""
            ),
            // Code points out of range.
            ("[1114112, -1, 55296] | implode | explode", "[65533,65533,65533]"),
            ("try ([nan] | implode) catch \"refused\"", "\"refused\""),
        ])
    func closedHoles(_ example: (String, String)) throws {
        let outputs = try LargeStack.run { Result { try Query(example.0).all(of: .null) } }.get()
        #expect(outputs.map { ValueText.json($0) } == [example.1], "\(example.0)")
    }

    @Test("a number longer than numbers may be is refused in a program")
    func longNumbers() throws {
        #expect(throws: QuerySyntaxErrors.self) { try Query(String(repeating: "9", count: 100_000)) }
        let text = JSONValue.string(String(repeating: "9", count: 100_000))
        _ = try? Query("tonumber, fromjson").all(of: text)
    }
}
