extension PathMatcher {
    /// Where the paths match in a value, in document order.
    ///
    /// Matches inside a match are left out.
    ///
    /// - Complexity: O(*n* · *m*) for the *n* parts of the value that are not inside a match, and paths of *m* steps.
    package func matches(in value: JSONValue) -> [JSONPointer] {
        matches(in: value, at: root, path: []).map(\.path)
    }

    /// What matches at and below a place that a walk has come to, in document order, each with its value.
    package func matches(
        in value: JSONValue, at place: Place, path: [String]
    ) -> [(path: JSONPointer, value: JSONValue)] {
        var matches: [(JSONPointer, JSONValue)] = []
        var path = path
        collect(value, at: place, &path, into: &matches)
        return matches
    }

    private func collect(
        _ value: JSONValue, at place: Place, _ path: inout [String], into matches: inout [(JSONPointer, JSONValue)]
    ) {
        if place.rests.isEmpty { return }
        if isMatch(place) { return matches.append((JSONPointer(path), value)) }
        func collect(_ part: JSONValue, of key: String) {
            path.append(key)
            self.collect(part, at: below(place, key), &path, into: &matches)
            path.removeLast()
        }
        switch value {
        case .object(let object): for (key, part) in object { collect(part, of: key) }
        case .array(let elements):
            for index in self.elements(at: place, of: elements.count) ?? Array(elements.indices) {
                collect(elements[index], of: String(index))
            }
        default: return
        }
    }

    package func hasMatch(in value: JSONValue, at place: Place) -> Bool {
        if place.rests.isEmpty { return false }
        if isMatch(place) { return true }
        switch value {
        case .object(let object): return object.contains { key, part in hasMatch(in: part, at: below(place, key)) }
        case .array(let elements):
            let indices = self.elements(at: place, of: elements.count) ?? Array(elements.indices)
            return indices.contains { hasMatch(in: elements[$0], at: below(place, String($0))) }
        default: return false
        }
    }
}
