import JSONCore
import TestSupport
import Testing

@testable import QueryLanguage

/// What a query can read, told from its text alone.
@Suite struct FootprintTests {
    static let examples: [(String, [String])] = [
        (".cart.total < 0", ["/cart/total"]), (".cart.items | length", ["/cart/items"]),
        (".cart.items[].price", ["/cart/items/*/price"]),
        ("[.items[] | select(.done) | .name]", ["/items/*/done", "/items/*/name"]),
        (".items | map(.price) | add", ["/items/*/price"]), (".items[0].name", ["/items/*/name"]),
        (".items[1:] | map(.name)", ["/items/*/name"]),
        (".a // .b", ["/a", "/b"]),
        ("if .a then .b else .c end", ["/a", "/b", "/c"]), (".a as $x | .b | . + $x", ["/a", "/b"]),
        ("def f: .a; f | .b", ["/a/b"]), ("def f(g): g | .x; f(.y)", ["/y/x"]), ("{p: .a, q: .b} | .p", ["/a"]),
        ("[.a, .b] | .[0]", ["/a", "/b"]), (".user as {$name, id: $i} | [$name, $i]", ["/user/id", "/user/name"]),
        ("reduce .items[] as $i (0; . + $i.price)", ["/items/*/price"]), ("getpath([\"a\", \"b\"])", ["/a/b"]),
        (".a | .. | numbers", ["/a"]), ("1", []), (".", [""]), (".[$seq]", ["/*"]),
        (".items[\"a\" + \"b\"]", ["/items/ab"]), (".items[.chosen | tostring].name", ["/chosen", "/items/*/name"]),
        (".items | keys", ["/items"]), (".user | to_entries | map(.key)", ["/user"]),
        (".user | to_entries[].value.age", ["/user/*/age"]), (".cart | has(\"total\")", ["/cart/total"]),
        (".cart | del(.log) | .total", ["/cart/log", "/cart/total"]),
        (".cart | del(.items[0].tags) | .total", ["/cart/items/*/tags", "/cart/total"]),
        (".items | map(select(.done).name)", ["/items/*/done", "/items/*/name"]),
        (".a as $x | $x.b", ["/a/b"]), ("(.a, .b) | .c", ["/a/c", "/b/c"]), ("(.a // .b).c", ["/a/c", "/b/c"]),
        ("if .on then .a else .b end | .c", ["/a/c", "/b/c", "/on"]),
        ("def f(g): g | .x; f(.y), f(.z)", ["/y/x", "/z/x"]),
        ("def f($v): $v.x; f(.y)", ["/y/x"]), (".a | with_entries(.value = 1) | keys", ["/a"]),
        (".cart.count += 1 | .cart.total", ["/cart/count", "/cart/total"]),
        (".cart.x = .b | .cart.total", ["/b", "/cart/total", "/cart/x"]),
        (".items | map(.price |= . * 2) | map(.name)", ["/items/*/name", "/items/*/price"]),
        ("[paths]", [""]), ("path(.a[].b)", ["/a/*/b"]), ("pick(.a.b)", ["/a/b"]), ("{a: 1, a: .x} | .a", ["/x"]),
        ("keys[] as $k | .[$k].total", ["/*/total"]), ("[.items[].id] | length", ["/items"]), (".a.b?.c", ["/a/b/c"]),
        (".items | first | .id", ["/items/*/id"]), (".items | reverse | .[0].id", ["/items/*/id"]),
        ("try .a.b catch .c", ["/a/b"]),
        (".. | .a?", [""]), (".a | tojson | length", ["/a"]), ("[limit(2; .items[].id)]", ["/items/*/id"]),
        ("any(.items[]; .done)", ["/items/*/done"]),
        ("first(.items[] | select(.id == 3)).name", ["/items/*/id", "/items/*/name"]),
        (".items | sort_by(.rank) | .[0].name", ["/items/*/name", "/items/*/rank"]),
        ("def f: if .next then .next | f else .value end; .list | f", ["/list"]), ("\"\\(.a) \\(.b)\"", ["/a", "/b"]),
        ("$old.a != .a", ["/a"]),
    ]

    @Test("the footprint is as tight as the paths allow", arguments: examples)
    func tight(_ example: (String, [String])) throws {
        #expect(try Query(example.0).footprint.paths.patterns == example.1)
    }

    @Test(
        "of what is compared with a scalar only its kind is read, and a scalar itself",
        arguments: [
            (".cart == null", "/cart"), ("null != .cart", "/cart"), (".cart.total < 0", "/cart/total"),
            (".cart.total >= $seq", "/cart/total"), (".cart == (.lines | length)", "/cart"),
            (".cart > \"a\"", "/cart"), (".[\"cart\"] == true", "/cart"),
        ])
    func comparedWithScalar(_ text: String, _ path: String) throws {
        let paths = try Query(text).footprint.paths
        #expect(paths.relation(ofPointer: try JSONPointer(parsing: path)) == .above)
        #expect(paths.relation(ofPointer: try JSONPointer(parsing: path + "/total")) == .outside)
    }

    @Test("of containers that are compared all is read", arguments: [".cart == {}", ".cart == []", ".cart == .other"])
    func comparedWithContainer(_ text: String) throws {
        #expect(try Query(text).footprint.paths.relation(of: ["cart", "total"]) == .inside)
    }

    @Test("top-level names are known with their places")
    func topLevelNames() throws {
        let names = try Query(".cart.total < .limit").footprint.topLevelNames
        #expect(names.map(\.name) == ["cart", "limit"])
        #expect(names.map(\.range) == [0..<5, 14..<20])
    }

    /// Runs a query and tells everything that can be seen of it; nil if a limit was reached.
    private func observed(_ query: Query, _ state: JSONValue) -> String? {
        var seen: [String] = []
        let context = QueryContext(limits: QueryLimits(steps: 20_000, size: 10_000))
        do {
            try query.evaluate(state, context: context) { value in
                seen.append(ValueText.json(value))
                return seen.count < 50
            }
        } catch .limit {
            return nil
        } catch {
            seen.append("error: " + error.message)
        }
        return seen.joined(separator: "\n")
    }

    @Test("nothing outside of the footprint can change what a query gives", arguments: seeds(0..<20))
    func sound(_ seed: Int) throws {
        var values = RandomJSON(seed: UInt64(seed))
        var queries = RandomQuery(seed: UInt64(seed) &+ 1_000)
        for _ in 0..<25 {
            let text = queries.filter(depth: 4)
            let query = try Query(text)
            for _ in 0..<4 {
                let state = values.state()
                guard let whole = observed(query, state) else { continue }
                let paths = query.footprint.paths
                if let pruned = observed(query, state.pruned(to: paths)) {
                    #expect(pruned == whole, "seed \(seed): \(text) on \(ValueText.json(state)), \(paths.patterns)")
                }
                var other = state
                scramble(&other, [], outside: paths, &values)
                if let changed = observed(query, other) {
                    #expect(changed == whole, "seed \(seed): \(text) on \(ValueText.json(state)), \(paths.patterns)")
                }
            }
        }
    }

    /// Replaces values outside of the set by others, and adds members there.
    private func scramble(
        _ value: inout JSONValue, _ path: [String], outside set: PathSet, _ random: inout RandomJSON
    ) {
        switch set.relation(of: path) {
        case .inside: return
        case .outside: value = random.value(depth: 2)
        case .above:
            if case .object(var members) = value {
                for key in members.keys {
                    _ = members.modify(key) { scramble(&$0, path + [key], outside: set, &random) }
                }
                let key = random.key()
                if members[key] == nil, set.relation(of: path + [key]) == .outside { members[key] = random.scalar() }
                value = .object(members)
            } else if case .array(var elements) = value {
                for index in elements.indices {
                    scramble(&elements[index], path + [String(index)], outside: set, &random)
                }
                value = .array(elements)
            }
        }
    }
}

/// Makes random programs over the keys that `RandomJSON` uses.
struct RandomQuery {
    private var random: RandomJSON
    private var variables = 0

    init(seed: UInt64) { random = RandomJSON(seed: seed) }

    private static let leaves = [
        ".", ".a", ".b", ".c", ".id", ".name", ".a?", ".b.c?", ".[0]?", ".[1:]?", ".[]?", ".a[]?", "1", "\"a\"", "null",
        "true", "length?", "type", "keys?", "not", "empty", "$old?", "$seq", "tostring", "values", "first?", "add?",
        ".[\"a\",\"b\"]?", "to_entries?", "arrays", "scalars", "reverse?", "min?", "paths?", "(.a, .b)?", "error?",
    ]

    private static let forms = [
        "(F | F)", "(F, F)", "(F // F)", "[F]", "{a: F, b: F}", "(if F then F else F end)", "(F as $x | F)", "(F == F)",
        "(F < F)?", "map(F)?", "select(F)", "first(F)", "(try F catch F)", "(reduce F as $x (F; F))", "[limit(2; F)]",
        "any(F; F)", "(F and F)", "(F | .[F]?)", "(F | .a?)", "(def g: F; g | g)", "(def h(p): p | p; h(F))",
        "(F | has(\"a\"))?", "(F | length)?", "(F | keys)?", "(F | to_entries | map(.value)?)?", "(F | from_entries)?",
        "del(.a.b?, .[0]?)?",
        "(keys[]? as $k | .[$k])?", "(F | .a = F)?", "(F | .b |= F)?", "(F | .a.c += F)?", "pick(.a)?", "[path(F)]?",
        "(.a?, .b?) |= F",
        "({a: F, a: F} | .a)", "({a: \"x\"} | .a = F | . as $k | F | .[$k.a]?)?", "(F | reverse)?", "(F // F | .a?)",
        "(.[F | tostring]?)",
        "sort_by(F)?", "with_entries(F)?", "((F) += 1)?", "(F |= F)?", "min_by(F)?", "group_by(F)?", "(F + F)?",
        "[.[]? | F]", "isempty(F)", "({a: F, c: F} | F)", "([F, F] | F)", "(. as {a: $x} | F)?", "(. as [$x] | F)?",
        "(foreach F as $x (F; F; F))", "[recurse(.a?, .b?; F)]", "del(F)?", "(label $l | F | (., break $l))",
        "(F as [$x] ?// $x | F)", "getpath([\"a\", \"b\"])?", "\"x\\(F)\"", "last(F)", "[paths(F)]", "walk(F)", "$x",
        "(def r: if type == \"object\" then .a | r else F end; r)", "until(true; F)", "([F] | unique)", "(F | not)",
    ]

    /// A program that is at most so deep.
    mutating func filter(depth: Int) -> String { "null as $x | " + part(depth: depth) }

    private mutating func part(depth: Int) -> String {
        if depth == 0 || random.below(4) == 0 { return Self.leaves[random.below(Self.leaves.count)] }
        var result = ""
        for character in Self.forms[random.below(Self.forms.count)] {
            if character == "F" { result += part(depth: depth - 1) } else { result.append(character) }
        }
        return result
    }
}
