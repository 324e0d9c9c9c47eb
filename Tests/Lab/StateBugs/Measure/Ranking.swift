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
        Ranking(name: "most frequent", scores: mostFrequent),
        Ranking(name: "bad to stay, its causes, backwards", scores: followed),
        Ranking(name: "Ochiai over places", scores: { ochiai($0) { _ in ["place"] } }),
        Ranking(name: "Ochiai over places, paths, causes", scores: { ochiai($0) { $0 } }),
        Ranking(name: "suspects of one run", scores: { try suspects($0, isAlone: true) }),
        Ranking(name: "suspects of all runs", scores: { try suspects($0, isAlone: false) }),
    ]

    /// Those that have to be beaten: by what one run says, and by what all runs say.
    static let beside: [(name: String, easy: [String])] = {
        let ofOne = ["last writer", "latest commit", "most frequent", "bad to stay, its causes, backwards"]
        return [
            ("suspects of one run", ofOne),
            (
                "suspects of all runs",
                ofOne + ["first divergence", "Ochiai over places", "Ochiai over places, paths, causes"]
            ),
        ]
    }()

    /// What `suspects` names, of the first bad run alone or of all runs; nil where nothing stands out.
    private static func suspects(_ bug: BugCase, isAlone: Bool) throws -> [Place: Double]? {
        var search = SuspectSearch()
        for (run, path) in (isAlone ? Array(bug.paths.bad.prefix(1)) : bug.paths.bad).enumerated() {
            let journal = try Journal.open(path, access: .random)
            guard let symptom = try bug.bad[run].symptom(in: journal) else { continue }
            _ = try search.add(journal, symptom, run: run)
        }
        for path in isAlone ? [] : bug.paths.good {
            _ = try search.add(try Journal.open(path, access: .random), nil, run: 0)
        }
        let found = search.suspects()
        guard found.abstention == nil else { return nil }
        var scores = bug.places.mapValues { _ in -Double(found.ranking.count + 1) }
        for suspect in found.ranking { scores[Place(suspect.place)] = -Double(suspect.rank) }
        return scores
    }

    /// The commit with which the first bad run turned bad to stay, its causes, then the commits before it.
    private static func followed(_ bug: BugCase) throws -> [Place: Double] {
        let run = bug.bad[0]
        var scores = bug.places.mapValues { _ in -1.0 }
        let journal = try Journal.open(bug.paths.bad[0], access: .random)
        guard let at = try run.symptom(in: journal)?.position.rawValue else { return scores }
        let commits = Dictionary(uniqueKeysWithValues: run.commits.map { ($0.number, $0) })
        for commit in run.commits where commit.number <= at { scores[commit.place] = Double(commit.number) }
        var (next, score): (Int?, Double) = (at, Double(2 * at + 2))
        var seen: Set<Place> = []
        while let commit = next.flatMap({ commits[$0] }) {
            if seen.insert(commit.place).inserted { scores[commit.place] = score }
            (next, score) = (commit.cause, score - 1)
        }
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

    /// By the best element of each place, counted over all runs.
    private static func ochiai(
        _ bug: BugCase, _ elements: (Set<String>) -> Set<String>
    ) -> [Place: Double] {
        func counts(_ runs: [RunFacts]) -> [Place: [String: Int]] {
            runs.reduce(into: [:]) { counts, run in
                for (place, all) in run.elements {
                    for one in elements(all) { counts[place, default: [:]][one, default: 0] += 1 }
                }
            }
        }
        let (failing, passing) = (counts(bug.bad), counts(bug.good))
        var scores = bug.places
        for (place, elements) in failing {
            scores[place] = elements.map { element, failed in
                Double(failed) / Double(bug.bad.count * (failed + (passing[place]?[element] ?? 0))).squareRoot()
            }.max()
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

extension RunFacts {
    /// What `suspects` takes for the symptom of the run; the end of one that is only called bad.
    fileprivate func symptom(in journal: Journal) throws -> Symptom? {
        guard let symptom else { return try Symptom.end(of: journal) }
        let question = Symptom.Question(Invariant(name: symptom, query: try Query(symptom)))
        let range = try PositionRange(journal.start, journal.lastCommit)!
        return try Symptom.first(of: [question], in: journal, range).symptom
    }
}

extension Place {
    fileprivate init(_ place: CommitPlace) {
        self.init(file: place.file, line: place.line, function: place.function)
    }
}
