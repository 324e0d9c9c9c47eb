import JSONCore
import Platform
import TestSupport
import Testing

@testable import QueryLanguage

/// What programs give, beyond what jq's own suite holds.
@Suite struct EvaluationTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var program: String
        var input: String
        var outputs: [String]

        init(_ program: String, _ input: String, _ outputs: String...) {
            self.program = program
            self.input = input
            self.outputs = outputs
        }

        var testDescription: String { program }
    }

    static func texts(_ program: String, _ input: String) throws -> [String] {
        try Query(program).all(of: JSONTextReader.read(input)).map { $0.text() }
    }

    static let order: [Example] = [
        Example("[(1,2) + (10,20)]", "null", "[11,12,21,22]"),
        Example("[{a:(1,2),b:(3,4)} | [.a,.b]]", "null", "[[1,3],[1,4],[2,3],[2,4]]"),
        Example(#"["a\(1,2)b\(3,4)"]"#, "null", #"["a1b3","a2b3","a1b4","a2b4"]"#),
        Example("[.[(0,1):(2,3)]]", "[1,2,3]", "[[1,2],[1,2,3],[2],[2,3]]"),
        Example("[.[0,1][0,1]]", "[[1,2],[3,4]]", "[1,3,2,4]"), Example("[pow(2,3;1,2)]", "null", "[2,3,4,9]"),
        Example("[range(0,1;3,4)]", "null", "[0,1,2,0,1,2,3,1,2,1,2,3]"),
        Example("[(1,null,2) // (3,4)]", "null", "[1,2]"),
        Example("[foreach (1,2) as $x ((0,10); (.+$x,.+100))]", "null", "[1,100,102,200,11,110,112,210]"),
        Example("(.a,.b) = (1,2)", "{}", #"{"a":1,"b":1}"#, #"{"a":2,"b":2}"#),
        Example("def f(g): g | g; [f((1,2) as $x | (., .) | . + $x)]", "0", "[2,2,3,3,2,2,3,3,3,3,4,4,3,3,4,4]"),
    ]

    static let numbers: [Example] = [
        Example(".", "100000000000000000000000001", "100000000000000000000000001"),
        Example("[., -.]", "1.000", "[1.000,-1.000]"),
        Example("1e1000, -1e1000 | . + 0", "null", "1.7976931348623157e+308", "-1.7976931348623157e+308"),
        Example(
            "1/3, 1e17 + 0, 123456789012 * 10, 0.00001 * 1, 3.0 + 0", "null",
            "0.3333333333333333", "1e+17", "1234567890120", "1e-05", "3"),
        Example("[9007199254740993 == 9007199254740992, 9007199254740993 + 0]", "null", "[false,9007199254740992]"),
        Example("[5, -5 | . % 3, . % -3]", "null", "[2,2,-2,-2]"),
        Example("nan < nan, ([nan] | sort), (nan > 1)", "null", "true", "[null]", "false"),
    ]

    static let control: [Example] = [
        Example("[limit(3; repeat(1))]", "null", "[1,1,1]"),
        Example("label $f | 1, (label $g | 2, break $f, 3), 4", "null", "1", "2"),
        Example("[.[] as [$a] ?// $a | $a]", "[[1],2]", "[1,2]"),
        Example("reduce .[] as [$a] ?// {a:$a} (0; . + $a)", #"[[1],{"a":2}]"#, "3"),
        Example("reduce .[] as [$a] ?// {a:$a} ?// $a (0; . + $a)", #"[[1],{"a":2},4]"#, "7"),
        Example("[foreach .[] as [$a] ?// {a:$a} (0; . + $a; .)]", #"[[1],{"a":2}]"#, "[1,3]"),
        Example("[foreach .[] as {a:$a} ?// [$a,$b] (0; . + $a; [., $b])]", #"[[1,5],{"a":2}]"#, "[[1,5],[3,null]]"),
        Example(#"reduce . as {("a","b"):$q} ?// $r (0; .+$q)"#, #"{"a":1,"b":2}"#, "3"),
        Example("reduce . as {(empty):$q} ?// $r (0; .+1)", "{}", "0"),
        Example(#"[label $o | reduce . as {("a", break $o):$q} ?// $r (0; .+1)]"#, #"{"a":1}"#, "[2]"),
        Example("[path(. as {a:$q} | $q)]", #"{"a":{"b":1}}"#, #"[["a"]]"#),
        Example("[path(. as [$a] | $a)]", "[5]", "[[0]]"), Example("[path(. as [[$a]] | $a)]", "[[5]]", "[[0,0]]"),
        Example("[path(. as {a:{b:$q}} | $q | .c)]", "{}", #"[["a","b","c"]]"#),
        Example("[path(. as {$a} | $a[])]", #"{"a":[1,2]}"#, #"[["a",0],["a",1]]"#),
        Example(##"(. as {a:$q} | $q) |= "X""##, #"{"a":{"b":1},"c":2}"#, #"{"a":"X","c":2}"#),
        Example("del(. as {a:$x} | $x)", #"{"a":1,"b":2}"#, #"{"b":2}"#),
        Example("(.[] | . as [$x] | $x) += 1", "[[1],[2]]", "[[2],[3]]"),
        Example(#"[path(. as {("a","c"):$q} ?// {a:$q} | $q)]"#, #"{"a":{"b":1},"c":2}"#, #"[["a"],["c"]]"#),
        Example("[path(. as [$a] ?// {a:$a} | $a)]", #"{"a":1}"#, #"[["a"]]"#),
        Example(##"try path(. as {a:$q} | .b | $q) catch "none""##, #"{"a":1,"b":2}"#, ##""none""##),
        Example("def f: if . < 100000 then . + 1 | f else . end; f", "0", "100000"),
        Example("def f($n; g): if $n == 0 then g else f($n - 1; g + 1) end; f(50; 0)", "null", "50"),
        Example("last(range(100000))", "null", "99999"),
        Example("reduce range(100000) as $i ([]; . + [$i]) | length", "null", "100000"),
        Example("reduce range(20000) as $i ({}; .[\"k\\($i)\"] = $i) | length", "null", "20000"),
        Example("try error catch .", "null", "null"),
        Example(".a.b |= empty", #"{"a":{"b":1,"c":2}}"#, #"{"a":{"c":2}}"#),
        Example("[1|truncate_stream([[0],1],[[1,0],2],[[1,0]],[[1]])]", "null", "[[[0],2],[[0]]]"),
    ]

    /// What other implementations of the language get wrong, as libjq 1.8 has it.
    static let corners: [Example] = [
        Example("{a, \"b\": 1,}", #"{"a":2}"#, #"{"a":2,"b":1}"#),
        Example("{$__loc__,} | keys", "null", #"["__loc__"]"#),
        Example("group_by(.a, .b), unique_by(.a, .b)", "[]", "[]", "[]"),
        Example("def f($g; $g): $g; [f(1; 2, 3)]", "null", "[2,3]"),
        Example("def f($g; $g): $g; [f(1, 4; 2, 3)]", "null", "[2,3,2,3]"),
        Example("def f($g; $g): if $g > 3 then $g else f(9; $g + 1) end; [f(8; 1, 2)]", "null", "[4,4]"),
        Example("def f($a; g; $a): [$a, g]; f(1; 2; 3)", "null", "[3,2]"),
        Example(".[:1] as $x | path($x.[0])", "[0]", "[0]"), Example(". as $x | path($x.a)", #"{"a":1}"#, #"["a"]"#),
        Example(".a as $x | .a | [paths($x | .b)]", #"{"a":{"b":1}}"#, #"[["b"]]"#),
        Example(". as $x | $x.a |= 2", #"{"a":1}"#, #"{"a":2}"#),
        Example("try path([0] | .[0]) catch \"no path\"", "[0]", #""no path""#),
        Example(".a as $x | try path($x.b) catch \"no path\"", #"{"a":{"b":1}}"#, #""no path""#),
        Example("reduce (0, 1) as $p (.; .[$p]) += 1", "[[1,2]]", "[[1,3]]"),
        Example("[path(foreach (0, 1) as $p (.; .[$p]))]", "[[1,2]]", "[[0],[0,1]]"),
        Example("[.] | @csv, @tsv, @sh", #""a\u0000b""#, #""\"a\\0b\"""#, #""a\\0b""#, #""'a\\0b'""#),
        Example("@html, @text, @json", #""\u0000<""#, #""\\0&lt;""#, #""\u0000<""#, #""\"\\u0000<\"""#),
        Example("[scalb(-2.5; 2.5), scalb(1; 3), scalb(8; -3), scalb(1; -infinite)]", "null", "[null,8,1,0]"),
        Example("[scalbln(-2.5; 2.5), ldexp(2.5; 2.5)]", "null", "[-10,10]"),
        Example("[range(9223372036854775700; 9223372036854775805; 10)]", "null", "[9223372036854775700]"),
        Example("[range(9223372036854775805; 9223372036854775700; -10)]", "null", "[9223372036854775805]"),
        Example("[range(9223372036854775700; 9223372036854775805; -10)]", "null", "[]"),
        Example("[range(9223372036854775700; 9223372036854775805)]", "null", "[]"),
        Example("[range(0; 10; 3), range(1; 0; -0.5), limit(2; range(nan; 1; 1))]", "null", "[0,3,6,9,1,0.5]"),
    ]

    /// Functions that call themselves, by the shapes of their bodies.
    static let recursion: [Example] = [
        Example("def f: if . == 0 then empty else 1 + (. - 1 | f) end; [. | f]", "3", "[]"),
        Example("def f: if empty then 1 else 1 + (. | f) end; [f]", "null", "[]"),
        Example("def f: if . >= 10 then . else (. + 1 | f) | . * 1 end; f", "0", "10"),
        Example("def f: if type == \"array\" then (.[0] | f) + 1 else 0 end; f", "[[[1]]]", "3"),
        Example("def f: if . == 0 then error(\"end\") else 1 + (. - 1 | f) end; try f catch .", "4", "\"end\""),
        Example("def f: if . > 4 then . else [., (. + 1 | f)] end; f", "0", "[0,[1,[2,[3,[4,5]]]]]"),
        Example("def f: if . == 0 then 0 else (. - 1, . - 1 | f) end; [f] | length", "3", "8"),
        Example("def f: if . <= 0 then . else ((. - 1 | f) as $x | $x + 1 | . * 1) end; f", "7", "7"),
        Example("def f: (if . <= 0 then 0 else 1 + (. - 1 | f) end) | .; f", "6", "6"),
        Example("def f: if (. > 2, . > 1) then . else (. + 1 | f) end; [f]", "0", "[3,3,2,3,3,2,3,3,2,3,3,2]"),
        Example(
            "def f: if . == 0 then \"even\" elif . == 1 then \"odd\" else \"x\" + (. - 2 | f) end; .[] | f", "[5,6]",
            "\"xxodd\"", "\"xxxeven\""),
    ]

    @Test(
        "orders of outputs, numbers, control, recursion and corners of the language are jq's",
        arguments: order + numbers + control + recursion + corners)
    func outputs(_ example: Example) throws {
        #expect(
            try LargeStack.run { Result { try Self.texts(example.program, example.input) } }.get() == example.outputs)
    }

    static let errors: [Example] = [
        Example(".a", "1", "Cannot index number with string (\"a\")"),
        Example(".[]", "5", "Cannot iterate over number (5)"),
        Example(". + \"a\"", "{}", "object ({}) and string (\"a\") cannot be added"),
        Example("{(.): 1}", "1", "Cannot use number (1) as object key"),
        Example("getpath([\"a\", null])", "{}", "Cannot index null with null (null)"),
        Example("error({a: 1})", "null", "(not a string): {\"a\":1}"),
        Example(
            ". - 1", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]",
            "array ([1,2,3,4,5,6,7,8,9,10,11,...]) and number (1) cannot be subtracted"),
        Example("test(\"(\")", "\"a\"", "Regex failure: end pattern with unmatched parenthesis"),
        Example("test(\"a\"; \"q\")", "\"a\"", "q is not a valid modifier string"),
        Example("keys", "1", "number (1) has no keys"),
        Example("range(\"a\")", "null", "Range bounds must be numeric"),
    ]

    @Test("run-time errors are worded as in jq", arguments: errors)
    func runTimeErrors(_ example: Example) throws {
        let query = try Query(example.program)
        do {
            _ = try query.all(of: JSONTextReader.read(example.input))
            Issue.record("no error")
        } catch let error as QueryError {
            #expect(error.message == example.outputs[0])
        }
    }

    @Test("what a commit's context gives is seen by its variables")
    func contextVariables() throws {
        var environment = QueryEnvironment()
        environment.name("limit", 9)
        let query = try Query("[$old.a, .a, $seq, $store, $at.line, $name, $time, $limit]", in: environment)
        let context = QueryContext(
            old: ["a": 1], seq: 7, store: "cart", at: ["line": 42], name: "add", time: "2026-01-01T00:00:00Z")
        let expected: JSONValue = [1, 2, 7, "cart", 42, "add", "2026-01-01T00:00:00Z", 9]
        #expect(try query.first(of: ["a": 2], context: context) == expected)
        #expect(query.footprint.usesOld && query.footprint.usesCommit)
    }

    @Test("an evaluation stops when its taker wants no more")
    func stopsEarly() throws {
        var seen = 0
        try Query("repeat(1)").evaluate(.null) { _ in
            seen += 1
            return seen < 3
        }
        #expect(seen == 3)
    }
}

/// Equal numbers have one text inside of strings, however a journal wrote them.
@Suite struct NumberTextTests {
    /// The ways in which a program makes text of a number.
    private static let forms = [
        "tojson", "tostring", "@text", "@json", #""\(.)""#, #"@base64 "\(.)" | @base64d"#, "[.] | join(\"\")",
        "[.] | @csv",
        "[.] | @tsv", "@sh", "{(tostring): 1} | keys[0]", "[.] | tojson | .[1:-1]", "{a: .} | tojson | .[5:-1]",
        "tojson | ltrimstr(\"x\")", "try error(.) catch tojson", ". as [$a] ?// $a | $a | tojson",
        "tojson | fromjson | tojson", "tostring | tonumber | tostring", "[., .] | map(tojson) | unique[0]",
    ]

    @Test(
        "the same number has the same text in each form",
        arguments: [
            ("100", ["1E2", "1e2", "1e+2", "100.0", "10e1", "0.1E3", "1000e-1"]), ("1.5", ["1.50", "15e-1", "0.15E1"]),
            ("1", ["1.0", "1.000", "100e-2", "0.001e3"]), ("0", ["0.0", "0e5", "0E-9"]), ("-0", ["-0.0", "-0e3"]),
            ("-0.01", ["-1e-2", "-0.010"]), ("1e-05", ["0.00001", "1E-5", "10e-6"]), ("1e+17", ["1E17", "1.0e17"]),
            ("123456", ["1.23456e5", "123456.0"]), ("12345678901234567890123", ["1.2345678901234567890123E22"]),
            ("1E+1000", ["1e1000", "10E999", "0.1e1001"]), ("-1.5E-400", ["-15e-401", "-0.15e-399"]),
            (
                "0.12345678901234567890123456789",
                ["0.123456789012345678901234567890", "12.345678901234567890123456789e-2"]
            ),
            ("13911860366432393", ["13911860366432393.0", "1.3911860366432393E16"]),
        ])
    func equalNumbers(_ text: String, _ spellings: [String]) throws {
        for spelling in [text] + spellings {
            let number = JSONValue.number(JSONNumber(literal: spelling))
            for form in Self.forms {
                #expect(try Query(form).first(of: number) == .string(text), "\(spelling) by \(form)")
            }
            #expect(number.text() == spelling, "what is given out as it is keeps its text")
            #expect(try Query(".").first(of: number)?.text() == spelling)
        }
    }

    @Test("the text reads back as the same number, and is its own text", arguments: seeds(0..<200))
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let spelling = Self.randomNumber(&generator)
        let number = JSONNumber(literal: spelling)
        let text = NumberText.json(number)
        #expect(JSONNumber(literal: text) == number, "\(spelling) is \(text)")
        #expect(NumberText.json(JSONNumber(literal: text)) == text)
        // The same number with a zero more, or its point elsewhere.
        let other = spelling.contains { "eE".contains($0) } ? spelling : spelling + "e0"
        #expect(NumberText.json(JSONNumber(literal: other)) == text, "\(other)")
    }

    private static func randomNumber(_ generator: inout SeededGenerator) -> String {
        func digits(_ most: Int) -> String {
            (0..<Int.random(in: 1...most, using: &generator)).map { _ in
                String(Int.random(in: 0...9, using: &generator))
            }.joined()
        }
        var text = Bool.random(using: &generator) ? "-" : ""
        let whole = digits(25).drop { $0 == "0" }
        text += whole.isEmpty ? "0" : whole
        if Bool.random(using: &generator) { text += "." + digits(20) }
        guard Bool.random(using: &generator) else { return text }
        return text + ["e", "E", "e+", "E-", "e-"][Int.random(in: 0..<5, using: &generator)] + digits(3)
    }
}
