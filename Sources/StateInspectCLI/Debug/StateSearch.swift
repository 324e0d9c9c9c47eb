import JSONCore
import TimeTravel

/// Looks for a text in the names and values of a state.
///
/// Small letters stand for large ones too, unless the text has a large one.
struct StateSearch {
    private let pattern: TextPattern

    init(_ text: String) {
        pattern = TextPattern(text, ignoringCase: !text.contains(where: \.isUppercase))
    }

    /// Whether a name or a value's text has it.
    func matches(_ candidate: String) -> Bool { (try? pattern.matches(candidate)) == true }

    /// The next place after another whose name or own value has the text, in the order in which places are shown; the
    /// first follows the last.
    ///
    /// - Returns: the place, and whether the search went on at the other end.
    /// - Complexity: O(n) in the size of the state.
    func next(
        in state: JSONValue, from place: JSONPointer, _ direction: SessionDirection
    ) -> (path: JSONPointer, isWrapped: Bool)? {
        var found: [JSONPointer] = []
        var count = 0
        var here: Int?
        visit(state, JSONPointer()) { path, isMatch in
            if UTF8Order.equal(path.text, place.text) { here = count }
            if isMatch { found.append(path) }
            if isMatch, here == nil { count += 1 }
        }
        guard !found.isEmpty else { return nil }
        // How many lie before the place, and whether it is one itself.
        let before = here ?? 0
        let isMatch = before < found.count && UTF8Order.equal(found[before].text, place.text)
        let index = direction == .forward ? before + (isMatch ? 1 : 0) : before - 1
        return (found[(index + found.count) % found.count], !found.indices.contains(index))
    }

    private func visit(_ value: JSONValue, _ path: JSONPointer, _ note: (JSONPointer, Bool) -> Void) {
        func below(_ name: String, _ member: JSONValue, isNamed: Bool) {
            let place = JSONPointer(path.segments + [name])
            note(place, isNamed && matches(name) || isLeafMatch(member))
            visit(member, place, note)
        }
        switch value {
        case .object(let object): for (key, member) in object { below(key, member, isNamed: true) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { below(String(index), element, isNamed: false) }
        case .null, .bool, .number, .string: break
        }
    }

    private func isLeafMatch(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .object: false
        case .string(let text): matches(text)
        case .null, .bool, .number: matches(value.text())
        }
    }
}
