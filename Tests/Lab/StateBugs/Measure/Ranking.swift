import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// Places with a score each, the highest first; places that are not there have none.
struct Ranking: Sendable {
    let name: String
    /// The scores; nil where it abstains.
    let scores: @Sendable (BugCase) throws -> [Place: Double]?

    /// What is easy, and has to be beaten; then what `suspects` names.
    static let all = [
        Ranking(name: "random", scores: random), Ranking(name: "last writer", scores: lastWriter),
        Ranking(name: "first divergence", scores: firstDivergence), Ranking(name: "latest commit", scores: latest),
        Ranking(name: "most frequent", scores: mostFrequent), Ranking(name: "Ochiai over places", scores: ochiai),
        Ranking(name: "suspects of one run", scores: { try suspects($0, isAlone: true) }),
        Ranking(name: "suspects of all runs", scores: { try suspects($0, isAlone: false) }),
    ]

    /// What `suspects` names, of the first bad run alone or of all runs; nil where nothing stands out.
    private static func suspects(_ bug: BugCase, isAlone: Bool) throws -> [Place: Double]? {
        let bad = isAlone ? Array(bug.bad.prefix(1)) : bug.bad
        let symptoms = bad.map { bug.symptom(of: $0) }
        var search = SuspectSearch(checks: Set(symptoms.compactMap { $0?.place }))
        for (run, (path, symptom)) in zip(bug.paths.bad, symptoms).enumerated() {
            _ = try search.add(try Journal.open(path, access: .sequential), symptom, run: run)
        }
        for path in isAlone ? [] : bug.paths.good {
            _ = try search.add(try Journal.open(path, access: .sequential), nil, run: 0)
        }
        let found = search.suspects()
        guard !found.isAbstaining else { return nil }
        var scores = bug.places.mapValues { _ in -Double(found.ranking.count) }
        for (rank, suspect) in found.ranking.enumerated() { scores[Place(suspect.place)] = -Double(rank) }
        return scores
    }

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

extension BugCase {
    /// Where a run shows the symptom; nil for a good one.
    fileprivate func symptom(of run: RunFacts) -> Symptom? {
        guard let at = run.symptomAt.map(CommitNumber.init) else { return nil }
        guard let name = run.symptom else { return Symptom(.run, at, nil) }
        return Symptom(.condition(name), at, run.symptomPlace.map(CommitPlace.init))
    }
}

extension Place {
    fileprivate init(_ place: CommitPlace) {
        self.init(file: place.file, line: place.line, function: place.function)
    }
}

extension CommitPlace {
    fileprivate init(_ place: Place) { self.init(file: place.file, line: place.line, function: place.function) }
}
