import JSONCore
import TestSupport

/// Makes random states from a seed: few keys, so that programs and states meet, and awkward scalars.
struct RandomValues {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A number from 0 up to, not including, `bound`.
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &generator) }

    private mutating func one<Element>(of elements: [Element], or fallback: Element) -> Element {
        elements.randomElement(using: &generator) ?? fallback
    }

    /// One of the keys that random programs ask for, or another.
    mutating func key() -> String { one(of: ["a", "b", "c", "id", "name", "0", "e\u{301}", "é", "x/y", ""], or: "a") }

    /// A scalar.
    mutating func scalar() -> JSONValue {
        let texts = ["1.5", "-0", "1e3", "9007199254740993", "-7", "123456789012345678901234567890"]
        switch below(8) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2, 3: return .number(JSONNumber(below(5)))
        case 4: return .number(JSONNumber(literal: one(of: texts, or: "0")))
        default:
            return .string(
                one(of: ["", "a", "b", "é", "e\u{301}", "line\nbreak", "😀", "longer than a small string"], or: ""))
        }
    }

    /// A value of at most `depth` levels.
    mutating func value(depth: Int) -> JSONValue {
        guard depth > 0 else { return scalar() }
        switch below(5) {
        case 0, 1: return .object(object(depth: depth))
        case 2, 3: return .array((0..<below(6)).map { _ in value(depth: depth - 1) })
        default: return scalar()
        }
    }

    /// An object of at most `depth` levels.
    mutating func object(depth: Int) -> JSONObject {
        var members = JSONObject()
        for _ in 0..<below(7) { members[key()] = value(depth: depth - 1) }
        return members
    }
}
