import TestSupport

/// All cases, one after another: the runs of one are gone before the next begins.
struct Measure {
    /// Whether the third that is held back is looked at, or the others; nil for all.
    let isHeldBack: Bool?
    /// The numbers of the faults that are played; nil for all.
    var only: Set<Int>?
    let isListed: Bool
    /// So many runs of each kind are played at most.
    let runs: Int
    /// Where journals are kept; nil for nowhere.
    let folder: String?
    private var next = 0
    private var tallies = [Tally](repeating: Tally(), count: Ranking.all.count)
    /// The same of the faults whose place does not write what the symptom reads.
    private var farTallies = [Tally](repeating: Tally(), count: Ranking.all.count)
    /// Of each case, in the order in which they were taken.
    private(set) var answers: [OneRunAnswer] = []
    private var unseen = 0
    private var byHand = 0
    private var harmless = 0
    private var withoutGood = 0
    private var places = 0
    private var distances: [Int] = []
    private var kinds: [Mutant.Kind: Int] = [:]
    /// Good runs that were asked by the symptom of their case, and those of them that showed it.
    private var asked = (all: 0, shown: 0)

    init(isHeldBack: Bool?, isListed: Bool, runs: Int, folder: String?) {
        self.isHeldBack = isHeldBack
        self.isListed = isListed
        self.runs = runs
        self.folder = folder
    }

    mutating func run<App: Subject>(_ app: App.Type) throws {
        let whole = TemporaryFolder()
        for mutant in try CaseMaker(app, in: whole.path).mutants() {
            next += 1
            guard isHeldBack == nil || (next % 3 == 0) == isHeldBack, only?.contains(next) ?? true else { continue }
            let own = TemporaryFolder()
            try add(try CaseMaker(app, in: folder ?? own.path).bugCase(mutant, next, runs: runs))
            withExtendedLifetime(own) {}
        }
        withExtendedLifetime(whole) {}
    }

    /// Takes a case; nil for a fault that no run shows.
    mutating func add(_ bug: BugCase?) throws {
        guard let bug else {
            unseen += 1
            return
        }
        kinds[bug.mutant.kind, default: 0] += 1
        byHand += bug.mutant.isByHand ? 1 : 0
        harmless += bug.harmless > 0 ? 1 : 0
        withoutGood += bug.good.isEmpty ? 1 : 0
        places += bug.places.count
        distances.append(bug.distance)
        asked.all += bug.paths.good.count
        for path in bug.paths.good { asked.shown += try bug.shows(in: path) ? 1 : 0 }
        let mistaken = bug.mistaken
        var ranks: [String] = []
        for (index, ranking) in Ranking.all.enumerated() {
            let scores = try ranking.scores(bug)
            tallies[index].add(scores, bug)
            if !bug.isNear { farTallies[index].add(scores, bug) }
            if let mistaken {
                let named = try ranking.scores(mistaken)
                tallies[index].addGood(named)
                if !bug.isNear { farTallies[index].addGood(named) }
            }
            let answer = OneRunAnswer(bug, scores)
            ranks.append("\(ranking.name) \(answer.rankText)")
            if ranking.name == OneRunAnswer.ranking { answers.append(answer) }
        }
        if isListed { print(([bug.row] + ranks).joined(separator: "\t")) }
    }

    func report() {
        let count = distances.count
        guard count > 0 else { return print("no faults") }
        print("\(count) faults show, \(byHand) of them planted by hand; \(unseen) show in no run.")
        print("In \(harmless) the faulty line is executed in good runs too; \(withoutGood) have no good run.")
        print("The symptom comes \(distances.sorted()[count / 2]) commits after the first execution (median).")
        print("There are \(places / count) places to choose from on average.")
        print("Asked by the symptom, \(asked.shown) of \(asked.all) good runs show it: without it no place is named.\n")
        for kind in Mutant.Kind.allCases where kinds[kind] != nil { print("- \(kind.rawValue): \(kinds[kind] ?? 0)") }
        table(tallies)
        for (name, first, three) in margins { print("\n\(name), first: \(first.text); among three: \(three.text)") }
        let far = farTallies[0].cases
        guard far > 0, far < count else {
            let share = far == 0 ? "all" : "none"
            return print("\nOf \(share) of them the guilty place writes a store that the symptom names.")
        }
        print("\nOf \(far) faults the guilty place does not write a store that the symptom names:")
        table(farTallies)
    }

    /// By how much each answer of `suspects` is ahead of the best easy ranking of the same runs.
    private var margins: [(name: String, first: Margin, three: Margin)] {
        let named = zip(Ranking.all.map(\.name), tallies).map { (name: $0, tally: $1) }
        return Ranking.beside.map { name, easy in
            let own = named.first { $0.name == name }!.tally
            let others = named.filter { easy.contains($0.name) }
            return (name, Margin(own, over: others, by: \.first), Margin(own, over: others, by: \.three))
        }
    }

    /// Whether an easy ranking is better than `suspects`.
    var isBehind: Bool { margins.contains { min($0.first.value, $0.three.value) < -1e-9 } }

    private func table(_ tallies: [Tally]) {
        print("\n\(Tally.head)")
        for (tally, ranking) in zip(tallies, Ranking.all) { print(tally.row(ranking.name)) }
    }
}

extension BugCase {
    /// Its number, where it is, of which kind, who planted it, what shows it, and its runs, between tabs.
    fileprivate var row: String {
        func names(_ paths: [String]) -> String {
            paths.map { path in path.split(separator: "/").last.map(String.init) ?? path }.joined(separator: " ")
        }
        return [
            "\(number)", "\(mutant.file):\(mutant.line)", mutant.function, mutant.kind.rawValue,
            mutant.isByHand ? "by hand" : "operator", symptom, names(paths.bad), names(paths.good),
            "\(harmless) harmless",
            "\(distance) commits",
        ].joined(separator: "\t")
    }
}
