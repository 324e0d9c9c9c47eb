package import JSONCore
package import JournalFormat

/// Which parts of one store's state are kept out of the journal, and the key under which they are hashed.
package struct RedactionPaths: Sendable {
    /// What may follow in a path, for a part to be redacted, and the redaction that it is a rest of.
    package struct Pattern: Hashable, Sendable {
        /// None left means this very part.
        var steps: ArraySlice<PathSteps.Step>
        package let entry: RedactionEntry?

        package init(_ steps: ArraySlice<PathSteps.Step>, _ entry: RedactionEntry?) {
            self.steps = steps
            self.entry = entry
        }

        var isMatch: Bool { steps.allSatisfy { $0 == .any } }
    }

    package private(set) var patterns: [Pattern]
    let key: RedactionKey

    package init(_ patterns: [Pattern], key: RedactionKey) {
        self.patterns = patterns
        self.key = key
    }

    /// Paths of which it is not noted whether they match.
    package init(_ patterns: [ArraySlice<PathSteps.Step>], key: RedactionKey) {
        self.init(patterns.map { Pattern($0, nil) }, key: key)
    }

    func recordMatches() { for pattern in patterns where pattern.isMatch { pattern.entry?.recordMatch() } }

    package var isEmpty: Bool { patterns.isEmpty }

    /// Whether the part itself is redacted, and so everything in it.
    package var isMatch: Bool { patterns.contains(where: \.isMatch) }

    /// The names that may come next and matter each in its own way.
    var names: [String] { patterns.flatMap { RedactionPaths.names(in: $0.steps) } }

    /// What is redacted below a member; nil for one with none of ``names``.
    ///
    /// Names that Swift takes for equal are, whatever form of Unicode they are written in: who writes a path does not see it.
    package func below(member name: String?) -> RedactionPaths {
        below { step in
            guard case .key(let expected) = step, let name else { return false }
            return expected == name
        }
    }

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

    package func union(_ other: RedactionPaths) -> RedactionPaths {
        RedactionPaths(patterns + other.patterns, key: key)
    }

    /// The names of the members that are redacted, as far as they are known.
    package var memberNames: [String] { patterns.compactMap { RedactionPaths.memberName($0) } }

    /// The last name in a pattern that is not an index.
    package static func memberName(_ pattern: Pattern) -> String? {
        for case .key(let name) in pattern.steps.reversed() where JSONPointer.arrayIndex(name) == nil { return name }
        return nil
    }

    private func below(_ matches: (PathSteps.Step) -> Bool) -> RedactionPaths {
        var next: [Pattern] = []
        for pattern in patterns { RedactionPaths.step(pattern, matches, into: &next) }
        return RedactionPaths(next, key: key)
    }

    private static func step(
        _ pattern: Pattern, _ matches: (PathSteps.Step) -> Bool, into next: inout [Pattern]
    ) {
        guard let first = pattern.steps.first else { return }
        let rest = Pattern(pattern.steps.dropFirst(), pattern.entry)
        switch first {
        case .any:
            append(pattern, to: &next)
            step(rest, matches, into: &next)
        case .one: append(rest, to: &next)
        case .key: if matches(first) { append(rest, to: &next) }
        }
    }

    /// Each way on only once, so that many `**` do not multiply.
    private static func append(_ pattern: Pattern, to next: inout [Pattern]) {
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
