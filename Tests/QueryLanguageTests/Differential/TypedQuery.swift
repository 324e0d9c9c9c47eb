import JSONCore
import TestSupport

/// Makes random programs whose parts fit together, so that most of them get somewhere.
struct TypedQuery {
    private struct Form {
        var text: String
        var version: Int
        var isLeaf: Bool
    }

    private var random: RandomJSON
    private let version: Int

    /// - Parameter version: the minor version of the jq that must know every form.
    init(seed: UInt64, version: Int) {
        random = RandomJSON(seed: seed)
        self.version = version
    }

    private static let forms: [Character: [Form]] = {
        var table: [Character: [Form]] = [:]
        for line in QueryForms.text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let kind = parts[0].first, let version = Int(parts[1]) else { continue }
            table[kind, default: []].append(
                Form(text: String(parts[2]), version: version, isLeaf: !parts[2].contains("§")))
        }
        return table
    }()

    /// A program that is at most so deep.
    mutating func program(depth: Int) -> String {
        let kinds: [Character] =
            version >= 8 ? ["n", "b", "s", "a", "o", "v", "z", "z", "z"] : ["n", "b", "s", "a", "o", "v"]
        return part(kinds[random.below(kinds.count)], depth: depth)
    }

    private mutating func part(_ kind: Character, depth: Int) -> String {
        let known = (Self.forms[kind] ?? []).filter { $0.version <= version }
        let leaves = known.filter(\.isLeaf)
        let choices = depth <= 0 && !leaves.isEmpty ? leaves : known
        guard !choices.isEmpty else { return "null" }
        var result = ""
        var isPlaceholder = false
        for character in choices[random.below(choices.count)].text {
            if isPlaceholder {
                result += part(character, depth: depth - 1)
                isPlaceholder = false
            } else if character == "§" {
                isPlaceholder = true
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// A state of the shape that the forms expect.
    mutating func state() -> JSONValue {
        let names = ["beta", "alpha", "gamma delta", "é \"q\"", "foo-bar 42", "", "Alpha, b", "a😀b"]
        func number(_ random: inout RandomJSON) -> JSONValue {
            let literals = ["1", "2", "3", "-1", "2.5", "10", "0.1", "1000", "0", "7"]
            return .number(JSONNumber(literal: literals[random.below(literals.count)]))
        }
        func name(_ random: inout RandomJSON) -> JSONValue { .string(names[random.below(names.count)]) }
        let items = (0..<random.below(4) + 1).map { _ -> JSONValue in
            var item: JSONObject = ["id": .number(JSONNumber(random.below(4)))]
            item["name"] = name(&random)
            item["tags"] = .array((0..<random.below(3)).map { _ in .string(["x", "y", "z"][random.below(3)]) })
            item["price"] = number(&random)
            if random.chance(40) { item["none"] = random.scalar() }
            return .object(item)
        }
        return [
            "items": .array(items), "total": number(&random),
            "user": ["name": name(&random), "admin": .bool(random.chance(50)), "none": .null],
            "grid": [[1, 2], .array([number(&random)]), []],
            "when": .number(JSONNumber(random.below(2_000_000_000))), "date": "2015-03-05T23:51:47Z",
            "text": name(&random), "nums": .array((0..<random.below(5)).map { _ in number(&random) }),
            "words": .array((0..<random.below(5)).map { _ in name(&random) }),
            "deep": ["a": [["b": ["c": [1, [2]]]]]],
        ]
    }
}
