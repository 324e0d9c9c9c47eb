/// Several paths with wildcards (``PathSteps``), walked at once from the root of a value.
///
/// A place in the walk is the set of the paths' remainders that still fit, so a `**` that can be taken in many ways costs no
/// more than the paths are long.
package struct PathMatcher: Sendable {
    package struct Place: Sendable {
        var rests: [Rest]
    }

    /// What is left of one of the paths.
    struct Rest: Sendable, Equatable {
        var steps: ArraySlice<PathSteps.Step>
        /// Whether a `**` took part of the way: then it leads to any depth, and only values decide where to.
        var followsAny = false
    }

    /// How a path lies to the paths of the matcher.
    package enum Meeting: Sendable {
        /// Neither at, above nor below any.
        case outside
        /// The first `depth` segments are a match: the path is at or below that.
        case inside(depth: Int)
        /// Something below it may match; the walk goes on from there.
        case above(Place)
    }

    package enum Replacement {
        case value(JSONValue)
        /// A member goes away; an element becomes null, so that its array keeps its length.
        case nothing
    }

    package let root: Place

    /// Whether names match that Swift takes for equal, in whatever form of Unicode they are written.
    private let comparesText: Bool

    /// - Parameter comparesText: whether names are compared as text, not as bytes: for what must not be missed.
    package init(_ paths: [PathSteps], comparesText: Bool = false) {
        root = Place(rests: paths.map { Rest(steps: $0.steps[...]) })
        self.comparesText = comparesText
    }

    package var isEmpty: Bool { root.rests.isEmpty }

    /// The one path that can match, where there is one and it is spelt out.
    package var onlyPath: [String]? {
        guard root.rests.count == 1, let steps = root.rests.first?.steps else { return nil }
        var path: [String] = []
        for step in steps {
            guard case .key(let key) = step else { return nil }
            path.append(key)
        }
        return path
    }

    /// What a change must touch to touch a match, and perhaps more.
    ///
    /// Cheap to compare, for a first check of a line.
    package var paths: PathSet {
        var paths = PathSet.nothing
        for rest in root.rests {
            let front = rest.steps.prefix { $0 != .any && !(comparesText && PathMatcher.hasForms($0)) }
            paths.insert(front.map { if case .key(let key) = $0 { .key(key) } else { .each } })
        }
        return paths
    }

    package func isMatch(_ place: Place) -> Bool {
        place.rests.contains { $0.steps.allSatisfy { $0 == .any } }
    }

    package func below(_ place: Place, _ key: String) -> Place {
        var next = Place(rests: [])
        for rest in place.rests { step(rest, key, into: &next) }
        return next
    }

    /// Whether a name may be written in several forms of Unicode; of ASCII, three characters have other ones.
    private static func hasForms(_ step: PathSteps.Step) -> Bool {
        guard case .key(let key) = step else { return false }
        return key.utf8.contains {
            $0 >= 0x80 || $0 == UInt8(ascii: "K") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "`")
        }
    }

    private func step(_ rest: Rest, _ key: String, into next: inout Place) {
        guard let first = rest.steps.first else { return }
        var remaining = rest
        remaining.steps.removeFirst()
        switch first {
        case .one: append(remaining, to: &next)
        case .key(let expected):
            if comparesText ? expected == key : UTF8Order.equal(expected, key) { append(remaining, to: &next) }
        case .any:
            remaining.followsAny = true
            append(Rest(steps: rest.steps, followsAny: true), to: &next)
            if remaining.steps.isEmpty { append(remaining, to: &next) } else { step(remaining, key, into: &next) }
        }
    }

    private func append(_ rest: Rest, to next: inout Place) {
        if !next.rests.contains(rest) { next.rests.append(rest) }
    }

    package func meeting(_ path: [String]) -> Meeting {
        var place = root
        for (depth, key) in path.enumerated() {
            if isMatch(place) { return .inside(depth: depth) }
            place = below(place, key)
            if place.rests.isEmpty { return .outside }
        }
        return isMatch(place) ? .inside(depth: path.count) : .above(place)
    }

    /// Whether the elements of an array at a place are distinguished by their index: a path names one by its number.
    ///
    /// - Parameter index: the first element that matters: whether one is named that stands there or after it.
    package func distinguishesElements(at place: Place, from index: Int = 0) -> Bool {
        place.rests.contains { rest in
            guard case .key(let key)? = rest.steps.first(where: { $0 != .any }) else { return false }
            return JSONPointer.arrayIndex(key).map { $0 >= index } ?? false
        }
    }

    /// The elements of an array that may be, or hold, a match; nil where it may be any of them.
    func elements(at place: Place, of count: Int) -> [Int]? {
        var indices: [Int] = []
        for rest in place.rests {
            guard case .key(let key)? = rest.steps.first else { return nil }
            if let index = JSONPointer.arrayIndex(key), index < count, !indices.contains(index) {
                indices.append(index)
            }
        }
        return indices.sorted()
    }

    /// The value with every outermost match below a place replaced.
    ///
    /// - Complexity: O(*n* · *m*) for the *n* parts of the value that are not inside a match, and paths of *m* steps; of arrays
    ///   only the elements that the paths name count, where they name them.
    package func replacing(
        in value: JSONValue, at place: Place, _ body: (JSONValue) -> Replacement
    ) -> JSONValue {
        switch replaced(value, at: place, body) {
        case nil: value
        case .value(let value)?: value
        case .nothing?: .null
        }
    }

    private func replaced(_ value: JSONValue, at place: Place, _ body: (JSONValue) -> Replacement) -> Replacement? {
        if place.rests.isEmpty { return nil }
        if isMatch(place) { return body(value) }
        switch value {
        case .object(let object): return replaced(object, at: place, body)
        case .array(let elements): return replaced(elements, at: place, body)
        default: return nil
        }
    }

    private func replaced(_ object: JSONObject, at place: Place, _ body: (JSONValue) -> Replacement) -> Replacement? {
        var kept: JSONObject?
        for (key, part) in object {
            switch replaced(part, at: below(place, key), body) {
            case nil: break
            case .value(let part)?:
                if kept == nil { kept = object }
                kept?[key] = part
            case .nothing?:
                if kept == nil { kept = object }
                kept?.removeValue(forKey: key)
            }
        }
        return kept.map { .value(.object($0)) }
    }

    private func replaced(
        _ elements: JSONArray, at place: Place, _ body: (JSONValue) -> Replacement
    ) -> Replacement? {
        var kept: JSONArray?
        for index in self.elements(at: place, of: elements.count) ?? Array(elements.indices) {
            switch replaced(elements[index], at: below(place, String(index)), body) {
            case nil: break
            case .value(let part)?:
                if kept == nil { kept = elements }
                kept?[index] = part
            case .nothing?:
                if kept == nil { kept = elements }
                kept?[index] = .null
            }
        }
        return kept.map { .value(.array($0)) }
    }
}
