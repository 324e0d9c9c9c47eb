package import JSONCore

/// What was there before a record changed the state.
///
/// Keeping a whole state makes each array that is changed be copied; for most commits the few values that they replace are enough.
package enum StateBefore {
    /// The values at the places that it replaced, nil for none; nothing else was changed.
    case values([(place: JSONPointer, value: JSONValue?)])
    /// The whole state.
    case state(JSONValue)

    /// The state before, by the one after.
    func state(before state: JSONValue) -> JSONValue {
        switch self {
        case .state(let before): return before
        case .values(let values):
            var before = state
            for (place, value) in values.reversed() {
                guard let value else { continue }
                _ = try? JSONPatch.Operation.replace(place, value, old: nil).apply(
                    to: &before, pruning: .all, order: .ascending)
            }
            return before
        }
    }

    /// Whether what a node reads is the same after.
    ///
    /// - Complexity: that of what was replaced; where a whole state is kept, of what is not shared.
    func isSame(in state: JSONValue, reading node: PathSet.Node) -> Bool {
        switch self {
        case .state(let before): return state.equals(before, reading: node)
        case .values(let values):
            return values.allSatisfy { place, before in
                guard let part = node.part(at: place, of: state) else { return true }
                let after = place.value(in: state)
                guard let before, let after else { return (before == nil) == (after == nil) }
                return after.equals(before, reading: part)
            }
        }
    }
}

extension PathSet.Node {
    /// What is read at a place of a value; nil where nothing is.
    fileprivate func part(at place: JSONPointer, of value: JSONValue) -> PathSet.Node? {
        var (node, value) = (self, Optional(value))
        for segment in place.segments {
            let next: PathSet.Node?
            if case .array(let elements)? = value {
                next = node.element
                let index = JSONPointer.arrayIndex(segment) ?? .max
                value = index < elements.count ? elements[index] : nil
            } else {
                next = node.node(forKey: segment)
                value = value?.member(segment)
            }
            guard let next else { return nil }
            node = next
        }
        return node
    }
}
