public import JSONCore

/// Makes small random values, patches that apply to them, and sets of paths that hit them.
public struct RandomJSON {
    /// Where its choices come from.
    public var generator: SeededGenerator

    /// Starts the values of a seed.
    public init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

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
        case 1, 2:
            return .array((0..<below(5)).map { _ in value(depth: depth - 1) })
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
        case (0, .object):
            return .add(path.appending(key()), value(depth: 2).ascending())
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
