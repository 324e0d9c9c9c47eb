/// Work that a query does in one go, and what it has to cost in steps, so that no number of rounds of it takes long or much
/// memory: a step stands for about a tenth of a microsecond, and for under three bytes that are kept.
///
/// The test holds each against its steps; `Benchmarks hostile` runs each until the limit ends it, and measures.
public struct HostileQuery: Sendable, CustomStringConvertible {
    /// What makes the input of the work, of null.
    public let setup: String
    /// The work.
    public let work: String
    /// How many steps the work takes at least.
    public let steps: Int

    init(_ setup: String, _ work: String, steps: Int) {
        self.setup = setup
        self.work = work
        self.steps = steps
    }

    /// The work again and again, until a limit ends it.
    public var endless: String { "(\(setup)) as $in | range(1e9) | $in | \(work) | empty" }
    /// The setup and the work.
    public var description: String { "\(setup) | \(work)" }

    /// Whole queries that are to be ended by a limit.
    public static let endless: [String] = [
        "[3,1] | sort_by(range(1e8))", "[3,1] | group_by(range(1e8))", "[3,1] | unique_by(range(1e8))",
        "[3,1] | min_by(range(1e8))", "[range(1e6)] | sort_by(range(1e3))", "foreach range(1e9) as $i (0; . + $i)",
        "last(foreach range(1e9) as $i (0; . + $i))", "reduce range(1e9) as $i (0; . + $i)", "debug(range(1e9))",
        "range(1e9) | stderr", "[range(1e9)]", "reduce range(60) as $i ([1]; . + .)",
        "reduce range(60) as $i ([1]; [., .]) | [paths] | length",
        "[range(1e9) | {a: .}] | length", "[range(1e9) | [.]] | length",
        "[range(1e9) | tostring + \"0123456789abcdef\"] | length", "[range(1e9) | [[[.]]]] | length",
        "[range(3e7)] as $a | [range(3e7)] as $b | [$a, $b]", "[range(1e9) | .5 + .] | length",
        "last(range(1e9))", "first(range(1e9) | select(. < 0))", "[limit(1e9; repeat(1))]",
        "[range(1e9) | try error catch .]",
        "range(1e9) | .a? | empty", "def f: . + 1 | f; 0 | f", "def f: 1 + f; f", "last(recurse(. + 1; true))",
        "0 | until(false; . + 1)", "last(0 | while(true; . + 1))", "range(1e9)",
        "range(1e9) | {a: [.]}", "[range(1e5)] | combinations(3) | empty", "[range(1e9)] | tojson",
        "reduce range(1e9) as $i ({}; .[\"k\\($i)\"] = $i) | length",
        "reduce range(1e9) as $i ([]; .[$i] = [$i]) | length",
        "range(1e9) as [$a] ?// $a | empty", "range(1e9) | . as {a: $x} ?// $x | $x | empty",
        "label $f | range(1e9) | if . < 0 then break $f else empty end", "any(range(1e9); . < 0)",
        "[range(1e9) | tojson | fromjson] | length", "reduce range(1e9) as $i (\"\"; . + \"abcdefghij\") | length",
        "range(1e9) | todate | empty", "range(1e9) | strftime(\"%A, %B %d, %Y\") | empty",
        "range(1e9) | \"2015-03-05T23:51:47Z\" | fromdate | empty", "range(1e9) | \"abc\" | test(\"b\") | empty",
        "range(1e9) | \"a,b\" | split(\", *\"; null) | empty", "range(1e9) | @html \"<\\(.)>\" | empty",
        "range(1e9) | tostring | ascii_downcase | ltrimstr(\"x\") | empty", "range(1e9) | builtins | empty",
        "range(1e9) | pow(.; 1.5) | lgamma | empty", "range(1e9) | [1, .] | sort | empty",
        "range(1e9) | {a: 1} | to_entries | from_entries | empty",
        "range(1e9) | {a: 1} | with_entries(.value += 1) | empty",
        "range(1e9) | [[1], [2]] | flatten | empty", "range(1e9) | [1, 2] | join(\",\") | empty",
        "range(1e9) | [1, [2]] | [paths] | empty", "range(1e9) | [1, [2]] | tostream | empty",
        "range(1e9) | {a: {b: 1}} | del(.a.b) | empty", "range(1e9) | {a: {b: 1}} | .a.b |= . + 1 | empty",
        "range(1e9) | [1, 2] | indices(1) | empty", "range(1e9) | \"abc\" | sub(\"b\"; \"x\") | empty",
        "range(1e9) | walk(.) | empty", "range(1e9) | [.] | walk(if type == \"number\" then . + 1 else . end) | empty",
        "range(1e9) | \"1.5\" | tonumber | empty", "range(1e9) | splits(\"a\")? | empty",
        "range(1e9) | tostring | ltrimstr(\"1\") | empty",
        "range(1e9) | getpath([\"a\", \"b\"])? | empty", "range(1e9) | @base64 | @base64d | empty",
        "range(1e9) | [limit(3; 1, 2, 3, 4)] | empty", "range(1e9) | [.[]?] | empty", "range(1e9) | .[0:1]? | empty",
        "range(1e9) | [splits(\"a\"; \"b\")?] | empty", "[range(1e6)] | [.[] as $x | .[] as $y | $x] | length",
        "range(1e9)" + String(repeating: " | . + 1", count: 400) + " | empty",
        "range(1e9) | ." + String(repeating: " + 1", count: 900) + " | empty",
        "range(1e9) | [" + Array(repeating: "1", count: 900).joined(separator: ", ") + "] | empty",
        "range(1e9) | if " + (0..<200).map { ". == -\($0)" }.joined(separator: " or ") + " then 1 else empty end",
    ]

    private static let list = "[range(1e5)]"
    private static let text = "\"ab\" * 5e4"
    private static let nested = "reduce range(40) as $i (1; [., .])"
    private static let deep = "reduce range(2000) as $i (1; [.])"
    private static let pairs = "[range(100) | [[range(1000)]]]"
    private static let object = "[range(1e4) | {key: \"k\\(.)\", value: .}] | from_entries"
    private static let digits = "(\"1\" * 60000 + \".5\") | tonumber"

    /// Each kind of node and built-in that looks at more than one part of its input, or makes more than one.
    public static let all: [HostileQuery] = [
        // Keys, and comparisons of values that are deeply the same.
        HostileQuery("[3, 1]", "sort_by(range(1e5))", steps: 500_000),
        HostileQuery("[3, 1]", "group_by(range(1e5))", steps: 500_000),
        HostileQuery(pairs, "sort", steps: 40_000), HostileQuery(pairs, "unique", steps: 40_000),
        HostileQuery(pairs, "group_by(.)", steps: 40_000), HostileQuery(pairs, "min", steps: 40_000),
        HostileQuery("[\(pairs), \(pairs)]", ".[0] == .[1]", steps: 40_000),
        HostileQuery("[\(pairs), \(pairs)]", ".[0] < .[1]", steps: 40_000),
        HostileQuery("[\(pairs), \(pairs)]", ".[0] - .[1]", steps: 80_000),
        HostileQuery("[\(pairs), \(pairs)]", ".[0] as $x | .[1] | index($x)", steps: 40_000),
        HostileQuery(pairs, "bsearch([[range(1000)]])", steps: 200), HostileQuery(list, "sort", steps: 400_000),
        HostileQuery("[range(100) | \"x\" * 1e5]", "sort", steps: 100_000),
        HostileQuery(nested, ". - .", steps: 1_000_000),
        HostileQuery("{a: 1} | \(nested.replacing("[., .]", "{a: ., b: .}"))", ". * .", steps: 1_000_000),
        HostileQuery("[\(nested), \(nested)]", "unique", steps: 1_000_000),
        HostileQuery("reduce range(40) as $i ([]; [., .])", "flatten", steps: 1_000_000),
        HostileQuery("[\(deep), \(deep)]", "try (.[0] == .[1]) catch 0", steps: 1_000),
        // Places in arrays and texts.
        HostileQuery(list, ".[[1, 2]]", steps: 49_000), HostileQuery(list, "indices(1)", steps: 50_000),
        HostileQuery(list, "index([1, 2])", steps: 50_000), HostileQuery(text, ".[0:1]", steps: 3_000),
        HostileQuery(text, ".[{\"start\": 0, \"end\": 1}]", steps: 3_000),
        HostileQuery(text, "indices(\"a\")", steps: 100_000),
        HostileQuery(text, "length", steps: 3_000), HostileQuery(list, ".[1:]", steps: 200_000),
        // Paths.
        HostileQuery("[range(9999) | 0]", ". as $p | null | getpath($p)", steps: 2_000),
        HostileQuery("[range(9999) | 0]", ". as $p | null | setpath($p; 1)", steps: 50_000),
        HostileQuery(deep, "[path(..)] | length", steps: 10_000_000),
        HostileQuery(deep, "(.. | select(false)) |= 1", steps: 400_000),
        HostileQuery(deep, "[paths] | length", steps: 10_000_000),
        HostileQuery(list, "to_entries", steps: 1_000_000), HostileQuery(object, "with_entries(.)", steps: 200_000),
        HostileQuery(object, "keys", steps: 40_000), HostileQuery(object, "del(.[])", steps: 40_000),
        HostileQuery(list, "del(.[range(0; 1e5; 2)])", steps: 200_000),
        HostileQuery(list, "[tostream]", steps: 1_000_000),
        HostileQuery(object, "map_values(. + 1)", steps: 20_000),
        // Containers.
        HostileQuery("null", "[range(1e5)]", steps: 600_000), HostileQuery(list, "map([.])", steps: 2_600_000),
        HostileQuery(list, "map({a: .})", steps: 3_600_000), HostileQuery(list, "reverse", steps: 200_000),
        HostileQuery(list, "[., .] | transpose", steps: 400_000), HostileQuery(list, ". + [1]", steps: 200_000),
        HostileQuery(list, "group_by(.)", steps: 1_000_000), HostileQuery(list, "walk(.)", steps: 300_000),
        HostileQuery("[range(1e5) | [.]]", "range(1e5) as $i | [.]", steps: 1_000_000),
        // Texts.
        HostileQuery(text, "explode", steps: 200_000), HostileQuery(text, "explode | implode", steps: 200_000),
        HostileQuery(text, "split(\"b\")", steps: 100_000), HostileQuery(text, ". / \"b\"", steps: 100_000),
        HostileQuery(text, "split(\"\")", steps: 200_000), HostileQuery(text, "ascii_upcase", steps: 12_000),
        HostileQuery("\" \" * 1e5", "trim", steps: 40_000), HostileQuery(text, "@html", steps: 40_000),
        HostileQuery(text, "@uri", steps: 40_000), HostileQuery(text, "[.] | @csv", steps: 40_000),
        HostileQuery(text, "[.] | @sh", steps: 40_000), HostileQuery(text, "@base64", steps: 25_000),
        HostileQuery(text, "@base64 | @base64d", steps: 50_000), HostileQuery(text, "format(\"html\")", steps: 40_000),
        HostileQuery(text, "@html \"\\(.)\"", steps: 40_000), HostileQuery(text, "ltrimstr(\"a\")", steps: 12_000),
        HostileQuery(text, "\"x\\(.)\"", steps: 12_000), HostileQuery(list, "tojson", steps: 60_000),
        HostileQuery(list, "join(\",\")", steps: 100_000),
        HostileQuery("\"[\" + \"[0],\" * 1e5 + \"0]\"", "fromjson", steps: 600_000),
        HostileQuery(digits, ". + 1", steps: 5_000), HostileQuery(digits, ". < 2", steps: 5_000),
        HostileQuery(digits, "floor", steps: 5_000),
        // Searches.
        HostileQuery("\"ab\" * 1000", "test(\"(.*)\\\\1\\\\1\\\\1c\")", steps: 30_000),
        HostileQuery("\"a\" * 1e5", "try test(\"(?:a?){200}b\") catch 0", steps: 400_000),
        HostileQuery("\"x\" * 1e5", "match(\"((((((.*))))))\")", steps: 80_000),
        HostileQuery("\"x\" * 1e5", "[match(\"x\"; \"g\")] | length", steps: 1_600_000),
        HostileQuery("\"x\" * 1e4", "gsub(\"x\"; \"yyyyyyyyyyyyyyyyyyyyyyyy\")", steps: 100_000),
        HostileQuery("\"x\" * 1e4", "[sub(\"x\"; \"a\\(range(1000))\")] | length", steps: 1_000_000),
        HostileQuery("\"é\" * 2000", "test(\"(.*)\\\\1x\"; \"l\")", steps: 1_000),
        HostileQuery("\"a\" * 2e4", "test(\"(?<=a{1,50})b\")", steps: 20_000),
        // Messages and outputs.
        HostileQuery("null", "range(1000) | debug", steps: 100_000),
        HostileQuery("null", "range(1000) | stderr", steps: 100_000),
        HostileQuery("null", "range(1000) | try error(\"x\") catch .", steps: 10_000),
        // The size of what a loop repeats.
        HostileQuery("null", "range(1000) | ." + String(repeating: " | . + 1", count: 400), steps: 400_000),
        HostileQuery("null", "range(1000) | ." + String(repeating: " + 1", count: 400), steps: 100_000),
        HostileQuery(
            "null", "[range(1000)] | map(. + " + Array(repeating: "1", count: 400).joined(separator: " + ") + ")",
            steps: 100_000),
    ]
}

extension String {
    fileprivate func replacing(_ part: String, _ other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
