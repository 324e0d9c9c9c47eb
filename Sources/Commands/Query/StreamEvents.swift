import JSONCore

/// The events of a value as `tostream` gives them, one at a time: no more is held than the way to the present part.
struct StreamEvents: IteratorProtocol {
    private enum Level {
        case array(elements: [JSONValue], next: Int)
        case object(JSONObject.Iterator)

        /// The key and value of the next part; nil after the last.
        mutating func next() -> (JSONValue, JSONValue)? {
            switch self {
            case .array(let elements, let next):
                guard next < elements.count else { return nil }
                self = .array(elements: elements, next: next + 1)
                return (.number(JSONNumber(next)), elements[next])
            case .object(var members):
                guard let (key, value) = members.next() else { return nil }
                self = .object(members)
                return (.string(key), value)
            }
        }
    }

    private var levels: [Level] = []
    /// The way to the part that was reached last; in a container one key longer than the way to it.
    private var path: [JSONValue] = []
    private var reached: JSONValue?

    /// The events of a value.
    init(_ value: JSONValue) { reached = value }

    mutating func next() -> JSONValue? {
        while true {
            if let value = reached.take() {
                guard let level = Self.level(of: value) else { return .array([.array(path), value]) }
                levels.append(level)
            }
            guard !levels.isEmpty else { return nil }
            if let (key, part) = levels[levels.count - 1].next() {
                path.removeSubrange((levels.count - 1)...)
                path.append(key)
                reached = part
                continue
            }
            path.removeSubrange(levels.count...)
            levels.removeLast()
            return .array([.array(path)])
        }
    }

    private static func level(of value: JSONValue) -> Level? {
        switch value {
        case .array(let elements) where !elements.isEmpty: .array(elements: elements, next: 0)
        case .object(let members) where !members.isEmpty: .object(members.makeIterator())
        default: nil
        }
    }
}
