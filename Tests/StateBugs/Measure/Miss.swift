import TestSupport

/// A case whose guilty place is not among the first five of a ranking.
struct Miss {
    /// The ranking whose misses are looked at.
    static let ranking = "suspects of one run"
    private static let chosen = 10

    private let bug: BugCase
    private let rank: Double?
    /// What was named instead, the highest first; nil where the ranking abstained.
    private let named: [Place]?

    init(_ bug: BugCase, _ scores: [Place: Double]?) {
        self.bug = bug
        rank = scores.flatMap { GuiltyRank($0, bug.isGuilty)?.value }
        named = scores.map { scores in
            scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map(\.key)
        }
    }

    var isMiss: Bool { rank.map { $0 > 5 } ?? true }

    /// Halves are of places that share their rank.
    var rankText: String {
        guard named != nil else { return "abstains" }
        return rank.map { "\(Double(Int($0 * 10 + 0.5)) / 10)" } ?? "not met"
    }

    /// Ten of them, chosen by a seed.
    static func print(_ misses: [Miss]) {
        var random = SeededGenerator(seed: 1)
        Swift.print("\n\(misses.count) misses of \(ranking), \(min(chosen, misses.count)) of them by seed 1:\n")
        for miss in misses.shuffled(using: &random).prefix(chosen).sorted(by: { $0.bug.number < $1.bug.number }) {
            let mutant = miss.bug.mutant
            let places = miss.named?.map { "\($0.function) at \($0.line)" } ?? ["nothing"]
            let named = places.joined(separator: ", ")
            Swift.print(
                "- \(miss.bug.number) \(mutant.file):\(mutant.line) \(mutant.function), \(mutant.kind.rawValue), "
                    + "\(miss.bug.distance) commits before '\(miss.bug.symptom)': rank \(miss.rankText) of "
                    + "\(miss.bug.places.count); named: \(named)")
        }
    }
}
