/// Makes random queries over the states that `JournalMaker` makes: their stores and keys, so that footprints are neither
/// empty nor everything.
public struct RandomStateQuery {
    private var random: SeededGenerator

    /// Starts the queries of a seed.
    public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private static let roots = [
        ".cart", ".user", ".[\"a b\"]", ".[\"é\"]", ".feed", ".cart.a", ".user[0]?", ".feed.b?",
    ]
    private static let steps = [
        ".a?", ".b?", "[\"0\"]?", "[\"a/b\"]?", "[\"m~n\"]?", "[\"\"]?", "[0]?", "[-1]?", "[]?", "[1:]?", "[\"é\"]?",
    ]

    /// In these `P` is a path from the root, `F` a filter for any value, `V` a value and `Q` a condition.
    private static let filters = [
        "length?", "keys?", "type", "add?", "map(.a?)?", "map(select(.a?) | .b?)?", "to_entries?", "has(\"a\")?", ".a?",
        "first?", "last?", "select(.a?)", "sort?", "unique?", "min?", "max?", "any?", "all?", "[.. | numbers]",
        "[paths] | length",
        "with_entries(select(.key == \"a\"))?", "del(.a?)?", "del(.a.b?)?", "[tostream]", "group_by(.a?)?",
        "map_values(.a?)?",
        "reverse?", "tojson", "getpath([\"a\", 0])?", "pick(.a)?", "index(\"a\")?", "not", "[.[]? | .a?]", "flatten?",
        "[limit(1; .[]?)]", "(. as [$x] | $x)?", "(. as {a: $x, b: [$y]} | [$x, $y])?", "(.a = 1)?", "(.a |= length?)?",
        "((.a, .b) = 0)?", "\"\\(.)\"", "[.[]?] | length", "(keys[0] as $k | .[$k])?", "first(.[]?)", "values",
        "numbers",
        "to_entries[0]?.value.b?", "(F | F)", "(F, F)", "[F]", "{a: F, b: F} | .a", "(F // F)",
        "(if F then F else F end)",
        "isempty(.[]?)", "(reduce .[]? as $x (0; . + 1))", "(reduce .[]? as $x (null; . // $x))",
        "(label $l | .[]? | ., break $l)",
        "path(.a[0]?)?", "tostring", "(.a += 1)?", "walk(.)", "sort_by(.a?)?", "(try error(F) catch .)", "@json",
        "(F == F)",
    ]
    private static let values = [
        "P", "P", "P", "P | F", "P | F", "1", "\"a\"", "null", "[V, V]", "{a: V, b: V}", "(V // V)",
        "(if V then V else V end)",
        "(def f(g): g | .a?; f(V))", "(P as $x | V)", "(P as $x | $x | F)", "first(V, V)",
        "(reduce P as $i (0; . + 1))",
        "([V] | length)", "(try V catch \"x\")", "[P] | F", "(. | F)", "(del(P) | P)", "((P = 1) | P)",
        "((P |= F) | P)",
    ]
    private static let conditions = [
        "V == V", "V != V", "V < V", "(V | not)", "(Q and Q)", "(Q or Q)", "([V] | length > 1)", "any(P; F)",
        "all(P; F)", "V",
        "(V | length? > 1)", "isempty(V)", "(V | type == \"object\")", "(V | tojson | length > 9)",
        "(V | IN(null, 1, \"a\"))",
    ]

    /// A condition that is at most so deep.
    public mutating func condition(depth: Int = 3) -> String { fill(pick(Self.conditions), depth) }

    private mutating func pick(_ forms: [String]) -> String { forms[Int.random(in: 0..<forms.count, using: &random)] }

    private mutating func path() -> String {
        var result = pick(Self.roots)
        for _ in 0..<Int.random(in: 0...2, using: &random) { result += pick(Self.steps) }
        return result
    }

    private mutating func part(_ kind: Character, _ depth: Int) -> String? {
        switch kind {
        case "P": path()
        case "F": depth <= 0 ? ".a?" : fill(pick(Self.filters), depth)
        case "V": depth <= 0 ? path() : fill(pick(Self.values), depth)
        case "Q": depth <= 0 ? path() : fill(pick(Self.conditions), depth)
        default: nil
        }
    }

    private mutating func fill(_ form: String, _ depth: Int) -> String {
        var result = ""
        for character in form {
            if let part = part(character, depth - 1) { result += "(\(part))" } else { result.append(character) }
        }
        return result
    }
}
