/// Finds the name that a person probably meant.
public enum SimilarNames {
    /// The longest name that is compared: a suggestion for a longer one is of no use, and the comparison is quadratic.
    static let maximumLength = 64

    /// The names nearest to the one that was typed, best first; empty where none is near enough to be a likely slip.
    ///
    /// A name is near if at most a third of its characters (at least one) were inserted, dropped, replaced or swapped with
    /// their neighbour (the optimal string alignment distance, Damerau 1964), ignoring case.
    ///
    /// - Parameters:
    ///   - typed: what was written.
    ///   - candidates: the names there are.
    ///   - limit: how many to return at most.
    /// - Complexity: O(*n* · *k²*) for *n* candidates of *k* characters.
    public static func nearest(to typed: String, in candidates: some Sequence<String>, limit: Int = 1) -> [String] {
        let wanted = Array(typed.lowercased().unicodeScalars)
        guard !wanted.isEmpty, wanted.count <= maximumLength else { return [] }
        var found: [(name: String, distance: Int)] = []
        for name in candidates where !name.utf8.elementsEqual(typed.utf8) {
            let scalars = Array(name.lowercased().unicodeScalars)
            guard scalars.count <= maximumLength else { continue }
            let allowed = max(1, max(wanted.count, scalars.count) / 3)
            guard abs(wanted.count - scalars.count) <= allowed else { continue }
            let distance = alignmentDistance(wanted, scalars)
            if distance <= allowed && distance < max(wanted.count, scalars.count) {
                found.append((name, distance))
            }
        }
        found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return found.prefix(limit).map(\.name)
    }

    private static func alignmentDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                var best = min(substitution, last[j] + 1, row[j - 1] + 1)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, beforeLast[j - 2] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
