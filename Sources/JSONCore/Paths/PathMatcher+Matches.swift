extension PathMatcher {
    /// Where the paths match in a value, in document order; what lies inside a match is not told.
    ///
    /// - Complexity: O(*n* · *m*) for the *n* parts of the value that are not inside a match, and paths of *m* steps.
    package func matches(in value: JSONValue) -> [JSONPointer] {
        var matches: [JSONPointer] = []
        var path: [String] = []
        collect(value, at: root, &path, into: &matches)
        return matches
    }

    /// What matches at and below a place that a walk has come to, in document order.
    ///
    /// - Parameters:
    ///   - value: what stands there.
    ///   - path: the place's path.
    package func matches(in value: JSONValue, at place: Place, path: [String]) -> [JSONPointer] {
        var matches: [JSONPointer] = []
        var path = path
        collect(value, at: place, &path, into: &matches)
        return matches
    }

    private func collect(
        _ value: JSONValue, at place: Place, _ path: inout [String], into matches: inout [JSONPointer]
    ) {
        if place.rests.isEmpty { return }
        if isMatch(place) { return matches.append(JSONPointer(path)) }
        func collect(_ part: JSONValue, of key: String) {
            path.append(key)
            self.collect(part, at: below(place, key), &path, into: &matches)
            path.removeLast()
        }
        switch value {
        case .object(let object): for (key, part) in object { collect(part, of: key) }
        case .array(let elements): for (index, part) in elements.enumerated() { collect(part, of: String(index)) }
        default: return
        }
    }

    /// Whether something at or below a place matches.
    func hasMatch(in value: JSONValue, at place: Place) -> Bool {
        if place.rests.isEmpty { return false }
        if isMatch(place) { return true }
        switch value {
        case .object(let object): return object.contains { key, part in hasMatch(in: part, at: below(place, key)) }
        case .array(let elements):
            return elements.enumerated().contains { index, part in hasMatch(in: part, at: below(place, String(index))) }
        default: return false
        }
    }
}
