public import JSONCore

/// Makes small random values, patches that apply to them, and sets of paths that hit them.
public struct RandomJSON {
    /// Where its choices come from.
    public var generator: SeededGenerator

    /// Starts the values of a seed.
    public init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Few keys, so that paths meet; indices, `-`, escapes and two spellings of one letter among them.
    public static let keys = ["a", "b", "c", "id", "0", "1", "-", "*", "a/b", "~", "\u{E9}", "e\u{301}", ""]

    /// A number from 0 up to, not including, a bound.
    public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    /// True in so many of a hundred cases.
    public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    /// One of the keys.
    public mutating func key() -> String { RandomJSON.keys[below(RandomJSON.keys.count)] }

    /// A scalar.
    public mutating func scalar() -> JSONValue {
        switch below(6) {
        case 0: .null
        case 1: .bool(chance(50))
        case 2: .string(key())
        case 3: .number(JSONNumber(literal: "9007199254740993"))
        default: .number(JSONNumber(below(4)))
        }
    }

    /// A value of at most so many levels.
    public mutating func value(depth: Int = 4) -> JSONValue {
        switch depth == 0 ? 0 : below(5) {
        case 1, 2: return .array((0..<below(5)).map { _ in value(depth: depth - 1) })
        case 3, 4:
            var members = JSONObject()
            for _ in 0..<below(5) { members[key()] = value(depth: depth - 1) }
            return .object(members)
        default: return scalar()
        }
    }

    /// A value that is a container, as states are, its members ascending.
    public mutating func state() -> JSONValue {
        var members = JSONObject()
        for _ in 0..<(1 + below(5)) { members[key()] = value() }
        return JSONValue.object(members).ascending()
    }

    /// A path to a part of the value that is there; empty for the whole.
    public mutating func path(in value: JSONValue) -> [String] {
        var path: [String] = []
        var value = value
        while chance(80) {
            switch value {
            case .array(let elements) where !elements.isEmpty:
                let index = below(elements.count)
                path.append(String(index))
                value = elements[index]
            case .object(let members) where !members.isEmpty:
                let key = members.keys[below(members.count)]
                path.append(key)
                value = members[key] ?? .null
            default: return path
            }
        }
        return path
    }

    /// A path of something that is there, in which any step may have become a wildcard; not that of the whole.
    package mutating func pattern(in value: JSONValue) -> PathSteps {
        var path: [String] = []
        while path.isEmpty { path = self.path(in: value) }
        return PathSteps(
            path.map { key in
                switch below(10) {
                case 0: .one
                case 1: .any
                default: .key(key)
                }
            })
    }

    /// An operation of the kinds that a journal has, which applies to the value.
    public mutating func journalOperation(on state: JSONValue) -> JSONPatch.Operation {
        let path = JSONPointer(path(in: state))
        let part = path.value(in: state) ?? .null
        switch (below(4), part) {
        case (0, .array(let elements)):
            return .add(path.appending(String(below(elements.count + 1))), value(depth: 2).ascending())
        case (0, .object): return .add(path.appending(key()), value(depth: 2).ascending())
        case (1, .array(let elements)) where !elements.isEmpty:
            let (from, to) = (below(elements.count), below(elements.count))
            return .move(from: path.appending(String(from)), to: path.appending(String(to)))
        case (2, _) where !path.segments.isEmpty: return .remove(path, old: part)
        default: return .replace(path, value(depth: 2).ascending(), old: part)
        }
    }

    /// A set of a few paths that hit a value, by name and by wildcard.
    public mutating func pathSet(hitting state: JSONValue) -> PathSet {
        var set = PathSet.nothing
        for _ in 0..<below(4) {
            var path = path(in: state).map { PathSet.Segment.key($0) }
            if chance(30) { path.append(.key(key())) }
            for index in path.indices where chance(30) { path[index] = .each }
            set.insert(path, reading: chance(20) ? .shallow : .all)
        }
        return set
    }
}

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
        "(if V then V else V end)", "(def f(g): g | .a?; f(V))", "(P as $x | V)", "(P as $x | $x | F)", "first(V, V)",
        "(reduce P as $i (0; . + 1))",
        "([V] | length)", "(try V catch \"x\")", "[P] | F", "(. | F)", "(del(P) | P)", "((P = 1) | P)",
        "((P |= F) | P)",
    ]
    private static let conditions = [
        "V == V", "V != V", "V < V", "(V | not)", "(Q and Q)", "(Q or Q)", "([V] | length > 1)", "any(P; F)",
        "all(P; F)", "V", "(V | length? > 1)", "isempty(V)", "(V | type == \"object\")", "(V | tojson | length > 9)",
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
