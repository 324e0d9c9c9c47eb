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
            let way = JSONPatch(
                values.reversed().compactMap { place, value in value.map { .replace(place, $0, old: nil) } })
            try? way.apply(to: &before, order: .ascending)
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
                guard let (after, part) = state.part(at: place, pruning: node) else { return true }
                return before.map { after.equals($0, reading: part) } ?? false
            }
        }
    }
}
