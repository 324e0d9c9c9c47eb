package import JSONCore
package import JournalFormat

/// Which parts of one store's state are kept out of the journal, and the key under which they are hashed.
package struct RedactionPaths: Sendable {
    /// What may follow in a path, for a part to be redacted; none of the steps left means this very part.
    package private(set) var patterns: [ArraySlice<PathSteps.Step>]
    let key: RedactionKey

    package init(_ patterns: [ArraySlice<PathSteps.Step>], key: RedactionKey) {
        self.patterns = patterns
        self.key = key
    }

    /// Whether nothing is redacted.
    package var isEmpty: Bool { patterns.isEmpty }

    /// Whether the part itself is redacted, and so everything in it.
    package var isMatch: Bool { patterns.contains { $0.allSatisfy { $0 == .any } } }

    /// The names that may come next and matter each in its own way.
    var names: [String] { patterns.flatMap { RedactionPaths.names(in: $0) } }

    /// What is redacted below a member; nil for one with none of ``names``.
    package func below(member name: String?) -> RedactionPaths {
        below { step in
            guard case .key(let expected) = step, let name else { return false }
            return UTF8Order.equal(expected, name)
        }
    }

    /// What is redacted below some member, whichever that is.
    package func belowAnyMember() -> RedactionPaths { below { _ in true } }

    /// What is redacted below an element of an array.
    ///
    /// A step that is an index stands for every element, because an insertion or a removal before it moves others to its
    /// place, and a `move` in a patch has no value to hide.
    func belowElement() -> RedactionPaths {
        below { step in
            guard case .key(let expected) = step else { return false }
            return JSONPointer.arrayIndex(expected) != nil
        }
    }

    /// Whether a place is redacted, or lies above or below what is.
    package func touch(_ segments: some Sequence<String>) -> Bool {
        var paths = self
        for segment in segments {
            if paths.isMatch { return true }
            paths = paths.below(member: segment)
        }
        return !paths.isEmpty
    }

    /// What either redacts.
    package func union(_ other: RedactionPaths) -> RedactionPaths {
        RedactionPaths(patterns + other.patterns, key: key)
    }

    /// The names of the members that are redacted, as far as they are known.
    package var memberNames: [String] { patterns.compactMap(RedactionPaths.memberName) }

    /// The last name in a pattern that is not an index.
    package static func memberName(_ pattern: ArraySlice<PathSteps.Step>) -> String? {
        for case .key(let name) in pattern.reversed() where JSONPointer.arrayIndex(name) == nil { return name }
        return nil
    }

    /// Adds a part of the store's state.
    package mutating func insert(_ segments: [String]) {
        let pattern = segments.map { PathSteps.Step.key($0) }[...]
        if !patterns.contains(pattern) { patterns.append(pattern) }
    }

    private func below(_ matches: (PathSteps.Step) -> Bool) -> RedactionPaths {
        var next: [ArraySlice<PathSteps.Step>] = []
        for pattern in patterns { RedactionPaths.step(pattern, matches, into: &next) }
        return RedactionPaths(next, key: key)
    }

    private static func step(
        _ pattern: ArraySlice<PathSteps.Step>, _ matches: (PathSteps.Step) -> Bool,
        into next: inout [ArraySlice<PathSteps.Step>]
    ) {
        guard let first = pattern.first else { return }
        switch first {
        case .any:
            append(pattern, to: &next)
            step(pattern.dropFirst(), matches, into: &next)
        case .one: append(pattern.dropFirst(), to: &next)
        case .key: if matches(first) { append(pattern.dropFirst(), to: &next) }
        }
    }

    /// Each way on only once, so that many `**` do not multiply.
    private static func append(_ pattern: ArraySlice<PathSteps.Step>, to next: inout [ArraySlice<PathSteps.Step>]) {
        if !next.contains(pattern) { next.append(pattern) }
    }

    private static func names(in pattern: ArraySlice<PathSteps.Step>) -> [String] {
        switch pattern.first {
        case .key(let name): [name]
        case .any: names(in: pattern.dropFirst())
        case .one, nil: []
        }
    }
}
