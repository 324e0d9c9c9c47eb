import QueryLanguage

/// Places with a score each, the highest first; places that are not there have none.
struct Ranking: Sendable {
    let name: String
    let scores: @Sendable (BugCase) throws -> [Place: Double]

    /// What is easy, and has to be beaten.
    static let baselines = [
        Ranking(name: "random", scores: random), Ranking(name: "last writer", scores: lastWriter),
        Ranking(name: "first divergence", scores: firstDivergence), Ranking(name: "latest commit", scores: latest),
        Ranking(name: "most frequent", scores: mostFrequent), Ranking(name: "Ochiai over places", scores: ochiai),
    ]

    private static func random(_ bug: BugCase) -> [Place: Double] { bug.places.mapValues { _ in 0 } }

    /// The last commit that wrote what the symptom reads, as `bisect` and `blame` name it; then the one before it.
    private static func lastWriter(_ bug: BugCase) throws -> [Place: Double] {
        let roots = Set(
            bug.symptom.split { !$0.isLetter && $0 != "." }.filter { $0.hasPrefix(".") && $0.count > 1 }
                .map { $0.dropFirst().replacing(".", with: "/") })
        var scores = bug.places.mapValues { _ in -1.0 }
        for commit in bug.bad[0].before
        where commit.paths.contains(where: { path in roots.contains { path.hasPrefix($0) || $0.hasPrefix(path + "/") } }
        ) {
            scores[commit.place] = Double(commit.number)
        }
        return scores
    }

    /// Where the bad run leaves a good one, the one with which it has most in common; then what follows.
    private static func firstDivergence(_ bug: BugCase) -> [Place: Double] {
        let bad = bug.bad[0]
        func common(_ good: RunFacts) -> Int {
            zip(bad.commits, good.commits).prefix { $0.place == $1.place && $0.paths == $1.paths }.count
        }
        let start = bug.good.map(common).max() ?? 0
        var scores = bug.places.mapValues { _ in -Double(Int.max / 2) }
        for (index, commit) in bad.commits.enumerated().reversed() where index >= start {
            scores[commit.place] = -Double(index)
        }
        return scores
    }

    private static func latest(_ bug: BugCase) -> [Place: Double] {
        var scores = bug.places.mapValues { _ in -1.0 }
        for commit in bug.bad[0].before { scores[commit.place] = Double(commit.number) }
        return scores
    }

    private static func mostFrequent(_ bug: BugCase) -> [Place: Double] {
        var scores = bug.places
        for commit in bug.bad[0].before { scores[commit.place, default: 0] += 1 }
        return scores
    }

    private static func ochiai(_ bug: BugCase) -> [Place: Double] {
        var scores = bug.places
        for place in scores.keys {
            let failing = Double(bug.bad.count { $0.places.contains(place) })
            let passing = Double(bug.good.count { $0.places.contains(place) })
            let root = (Double(bug.bad.count) * (failing + passing)).squareRoot()
            scores[place] = root == 0 ? 0 : failing / root
        }
        return scores
    }
}

extension BugCase {
    /// Every place of the bad runs.
    var places: [Place: Double] {
        Dictionary(bad.flatMap(\.places).map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
    }
}
