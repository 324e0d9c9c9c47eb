public import JSONCore

/// Patches as other writers make them.
extension JournalMaker {
    /// A value that grew larger is not copied any more.
    private static let copyLimit = 1_500

    /// A patch of some random operations, which is applied to a state.
    public mutating func foreignPatch(of state: inout JSONValue) -> JSONPatch {
        var operations: [JSONPatch.Operation] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let operation = foreignOperation(on: state)
            var next = state
            guard (try? JSONPatch([operation]).apply(to: &next, order: .ascending)) != nil else { continue }
            state = next
            operations.append(operation)
        }
        return JSONPatch(operations)
    }

    private mutating func foreignOperation(on state: JSONValue) -> JSONPatch.Operation {
        let place = path(in: state)
        let old = Int.random(in: 0..<10, using: &random) < 7 ? place.value(in: state) : nil
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: return .add(newPath(in: state), value(depth: 2))
        case 2: return .remove(place, old: old)
        case 3, 4: return .replace(place, value(depth: 2), old: old)
        case 5, 6: return .move(from: place, to: newPath(in: state))
        case 7 where state.text().utf8.count < JournalMaker.copyLimit: return .copy(from: place, to: newPath(in: state))
        default: return .test(place, place.value(in: state) ?? .null)
        }
    }

    /// A path to a part that is there; now and then the whole.
    private mutating func path(in state: JSONValue) -> JSONPointer {
        var path = JSONPointer()
        var part = state
        while Int.random(in: 0..<6, using: &random) > 0 {
            switch part {
            case .array(let elements):
                guard let index = elements.indices.randomElement(using: &random) else { return path }
                path = path.appending(String(index))
                part = elements[index]
            case .object(let members):
                guard let key = members.keys.randomElement(using: &random) else { return path }
                path = path.appending(key)
                part = members[key] ?? .null
            default: return path
            }
        }
        return path
    }

    /// A path to which something can be added: a place of an array, its end, or a member, which may be there already.
    private mutating func newPath(in state: JSONValue) -> JSONPointer {
        let place = path(in: state)
        switch place.value(in: state) {
        case .array(let elements)?:
            let index = Int.random(in: 0...elements.count, using: &random)
            return place.appending(Bool.random(using: &random) ? String(index) : "-")
        case .object?: return place.appending(["a", "b", "0", "a/b", "m~n", "*", "-"].randomElement(using: &random)!)
        default: return place
        }
    }
}
