public import JSONCore

/// Makes random JSON values from a seed: few keys, so that two values often share paths, and awkward scalars.
public struct RandomJSON {
    private var generator: SeededGenerator

    /// Starts the values of a seed.
    public init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// A number from 0 up to, not including, `bound`; 0 where that is empty.
    public mutating func below(_ bound: Int) -> Int {
        bound > 0 ? Int.random(in: 0..<bound, using: &generator) : 0
    }

    /// One of a few keys, some of them awkward.
    public mutating func key() -> String {
        let keys = [
            "a", "b", "c", "id", "name", "0", "1", "e\u{301}", "é", "x/y", "~t", "long key with \"quotes\"", "",
        ]
        return keys[below(keys.count)]
    }

    /// A scalar.
    public mutating func scalar() -> JSONValue {
        switch below(8) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2, 3: return .number(JSONNumber(below(5)))
        case 4:
            let texts = ["1.5", "-0", "1e3", "9007199254740993", "0.1", "-7", "123456789012345678901234567890"]
            return .number(JSONNumber(literal: texts[below(texts.count)]))
        default:
            let texts = [
                "", "a", "b", "é", "e\u{301}", "line\nbreak", "😀", "\u{7F}", "a long text that is no small string",
            ]
            return .string(texts[below(texts.count)])
        }
    }

    /// A value of at most `depth` levels.
    public mutating func value(depth: Int) -> JSONValue {
        guard depth > 0 else { return scalar() }
        switch below(5) {
        case 0, 1: return .object(object(depth: depth))
        case 2, 3: return .array((0..<below(6)).map { _ in value(depth: depth - 1) })
        default: return scalar()
        }
    }

    /// An object of at most `depth` levels.
    public mutating func object(depth: Int) -> JSONObject {
        var members = JSONObject()
        for _ in 0..<below(7) { members[key()] = value(depth: depth - 1) }
        return members
    }
}
