import Diagnostics
package import JSONCore

/// What of a state a person probably meant by a path at which nothing is.
package struct NearestPath {
    /// How many segments of a path may be slips.
    private static let slips = 2
    private static let tried = 3

    /// The help for a path at which nothing is; none where nothing there is like it.
    package static func help(for pattern: PathPattern, in state: JSONValue, _ scope: StoreScope) -> [String] {
        guard let typed = pattern.pointer, let nearest = path(like: typed, in: state) else { return [] }
        return ["write '\(scope.pattern(of: nearest))'"]
    }

    /// What is known of the array that a path leads into and past, as "'/cart/items' has 2 elements".
    package static func notes(for pattern: PathPattern, in state: JSONValue, _ scope: StoreScope) -> [String] {
        guard let typed = pattern.pointer else { return [] }
        var value = state
        for (depth, segment) in typed.segments.enumerated() {
            if case .array(let elements) = value, JSONPointer.arrayIndex(segment).map({ $0 >= elements.count }) ?? false
            {
                let path = scope.text(of: JSONPointer(Array(typed.segments.prefix(depth))))
                return ["'\(path)' has \(elements.count.counted("element"))"]
            }
            guard let part = JSONPointer([segment]).value(in: value) else { return [] }
            value = part
        }
        return []
    }

    /// The nearest path at which something is; nil where none is near.
    package static func path(like typed: JSONPointer, in state: JSONValue) -> JSONPointer? {
        if let found = correct(typed.segments[...], in: state, slips: slips) { return JSONPointer(found) }
        // The store's name may be missing.
        guard case .object(let stores) = state else { return nil }
        for (store, part) in stores where typed.value(in: part) != nil { return JSONPointer([store] + typed.segments) }
        return nil
    }

    /// The path with at most so many of its names replaced by similar ones that are there.
    private static func correct(_ path: ArraySlice<String>, in value: JSONValue, slips: Int) -> [String]? {
        guard let first = path.first else { return [] }
        func correct(by name: String, _ part: JSONValue, slips: Int) -> [String]? {
            Self.correct(path.dropFirst(), in: part, slips: slips).map { [name] + $0 }
        }
        if let part = JSONPointer([first]).value(in: value), let rest = correct(by: first, part, slips: slips) {
            return rest
        }
        guard slips > 0, case .object(let object) = value else { return nil }
        for name in SimilarNames.nearest(to: first, in: object.keys, limit: tried) {
            if let part = object[name], let rest = correct(by: name, part, slips: slips - 1) { return rest }
        }
        return nil
    }
}
