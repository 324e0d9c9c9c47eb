import JSONCore
import TimeTravel

extension [StateChange] {
    /// The places of the changes, those first that say the most by themselves: what the session's stops ask about, then numbers
    /// that changed their sign, other numbers, other single values, and last what was added, removed or moved.
    func prominent(read: (JSONPointer) -> Bool) -> [JSONPointer] {
        map { (path: $0.path, rank: ($0.prominence, read($0.path))) }.enumerated()
            .sorted { a, b in
                let (left, right) = (a.element.rank, b.element.rank)
                if left.1 != right.1 { return left.1 }
                return left.0 == right.0 ? a.offset < b.offset : left.0 > right.0
            }.map(\.element.path)
    }
}

extension StateChange {
    fileprivate var prominence: Int {
        // Of what is redacted only the hash is there.
        guard case .replaced(let new, let old?) = kind, path.segments.last != "$redacted" else { return 0 }
        switch (old, new) {
        case (.number(let old), .number(let new)):
            let zero = JSONNumber(0)
            return (old < zero) != (new < zero) ? 4 : 3
        case (.object, _), (.array, _), (.null, _), (_, .object), (_, .array), (_, .null): return 1
        default: return 2
        }
    }
}

extension JSONPointer {
    /// Whether one of two places is the other one or lies in it.
    func isRelated(to other: JSONPointer) -> Bool {
        let count = Swift.min(segments.count, other.segments.count)
        return JSONPointer(Array(segments.prefix(count))) == JSONPointer(Array(other.segments.prefix(count)))
    }
}
