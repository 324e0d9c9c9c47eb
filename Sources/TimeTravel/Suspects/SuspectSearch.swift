import JournalFormat
package import JournalReading

/// Looks for the places in the source that are to blame for a symptom, by what is met in trials that failed and in trials that passed.
///
/// Each sign of a place (that it committed at all, what caused that, how many changes it made, after which place) has Ochiai's
/// coefficient, failed / √(all failed · (failed + passed)): 1 where it is met in every failed trial and in no other. A place has the mean
/// of its own and of its best sign's, so that many rare signs do not beat one that is sure. Where there are two faults, no place
/// explains all failed trials: those that the first suspect explains are taken away, and the rest is asked again. And two faults often
/// have two symptoms: the trials with one of them are also asked alone, and the answers take turns.
///
/// Ochiai's coefficient for programs: Abreu, Zoeteweij, van Gemund, "On the accuracy of spectrum-based fault localization", 2007.
package struct SuspectSearch {
    /// Signs beyond this many are not counted.
    private static let mostElements = 1 << 20
    /// So many suspects are looked for among what others do not explain.
    ///
    /// A few trials that are left are no second fault.
    private static let rounds = 8

    private let checks: Set<CommitPlace>
    /// The places of the first run.
    private var app: Set<Int> = []
    private var places = PlaceNumbers()
    private var passed = 0
    private var passing: [SuspectElement: Int] = [:]
    private var failing: [Set<SuspectElement>] = []
    /// How each of those showed it.
    private var symptoms: [Symptom.Appearance] = []
    /// Some trials that passed, as they were.
    private var sample: [Set<SuspectElement>] = []
    private var first: [Int: (run: Int, commit: CommitNumber)] = [:]
    /// Of each place, the commits in trials that failed.
    private var executions: [Int: Int] = [:]
    private var commits: [Int: (all: Int, idle: Int)] = [:]
    private var hasGoodRuns = false

    /// A search over runs whose symptom can show with the commits of some places.
    package init(checks: Set<CommitPlace>) { self.checks = checks }

    /// Adds a run, unless it is of another app: one that has commits, and none at a place of the first run.
    ///
    /// - Parameters:
    ///   - symptom: where it shows; nil for a good run.
    ///   - run: the run's number, as suspects name it.
    /// - Returns: whether it was added.
    /// - Throws: `JournalError` at damage; nothing was added then.
    package mutating func add(_ journal: Journal, _ symptom: Symptom?, run: Int) throws(JournalError) -> Bool {
        let trials = try RunTrials(journal, symptom, checks: checks, &places)
        let met = Set(trials.commits.keys)
        if app.isEmpty { app = met }
        guard met.isEmpty || !app.isDisjoint(with: met) else { return false }
        passed += trials.passed
        for (element, count) in trials.passing where passing.count < Self.mostElements {
            passing[element, default: 0] += count
        }
        sample = Array((sample + trials.sample).suffix(RunTrials.sampleSize))
        guard let failed = trials.failing else {
            hasGoodRuns = true
            return true
        }
        failing.append(failed)
        symptoms.append(Symptom.Appearance(symptom))
        for (place, execution) in trials.executions {
            if first[place] == nil { first[place] = (run, execution.first) }
            executions[place, default: 0] += execution.count
        }
        for (place, count) in trials.commits {
            commits[place, default: (0, 0)].all += count.all
            commits[place, default: (0, 0)].idle += count.idle
        }
        return true
    }

    // MARK: The ranking

    /// The suspects, of what was added so far.
    ///
    /// - Complexity: O(e log e) in the distinct signs, for each of at most eight rounds.
    package func suspects() -> Suspects {
        let all = Array(failing.indices)
        let whole = ranked(all)
        let bySymptom = Dictionary(grouping: all) { symptoms[$0] }.values
            .sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
        let rankings = ([all] + (bySymptom.count > 1 ? bySymptom : [])).map(explained)
        var ranking: [Suspect] = []
        var taken: Set<Int> = []
        for turn in 0..<(rankings.map(\.count).max() ?? 0) {
            for candidates in rankings where turn < candidates.count {
                guard taken.insert(candidates[turn].place).inserted else { continue }
                ranking.append(suspect(candidates[turn]))
            }
        }
        let elements = Set(failing.flatMap(\.self)).union(passing.keys).count
        return Suspects(
            ranking: ranking, isAbstaining: isAbstaining(whole), places: whole.count, elements: elements,
            trials: (failing.count, passed))
    }

    /// The candidates of some trials: first those that explain them one after another, then the others.
    private func explained(_ trials: [Int]) -> [Candidate] {
        var unexplained = trials
        var ranking: [Candidate] = []
        var taken: Set<Int> = []
        while ranking.count < Self.rounds, unexplained.count >= max(2, trials.count / 5) || ranking.isEmpty {
            guard let next = ranked(unexplained).first(where: { !taken.contains($0.place) }), next.sureness > 0 else {
                break
            }
            taken.insert(next.place)
            ranking.append(next)
            unexplained.removeAll { failing[$0].contains(SuspectElement(place: next.place, sign: next.sign)) }
        }
        return ranking + ranked(trials).filter { !taken.contains($0.place) }
    }

    /// Nothing stands out where no trial passed, there are fewer than three, many places share the highest score, its sign is met in passed trials nearly as
    /// often, or other trials would have as sure a place.
    private func isAbstaining(_ ranking: [Candidate]) -> Bool {
        guard let best = ranking.first, passed > 0, failing.count + passed >= Self.leastTrials else { return true }
        let equal = ranking.prefix { $0.score == best.score && $0.idle == best.idle }.count
        let (failedShare, passedShare) = (
            Double(best.failed) / Double(failing.count), Double(best.passed) / Double(passed)
        )
        return equal > Self.mostEqual || failedShare - passedShare < Self.leastDifference || isByChance(best)
    }

    /// Whether other trials, had they failed, would often have a place that is as sure.
    ///
    /// A symptom shows that something differs, so this is asked where there is none, only the word that runs are bad: then often is
    /// one time in twenty. It is also asked of one run alone, all of whose trials but one passed: then it is one in four, since one
    /// trial cannot be surer.
    private func isByChance(_ best: Candidate) -> Bool {
        let isWithoutSymptom = symptoms.allSatisfy(\.isNone)
        guard isWithoutSymptom || failing.count == 1 && !hasGoodRuns && passed >= Self.fewTrials else { return false }
        let others = ChanceTest(failing, sample, passing: passing).drawings(reaching: best.score)
        return others.with * (isWithoutSymptom ? 20 : 4) > others.of
    }

    /// Fewer trials than this say nothing.
    private static let leastTrials = 3
    /// Fewer trials than this do not say what is there by chance.
    package static let fewTrials = 8

    /// More places than this with the highest score do not stand out.
    private static let mostEqual = 10
    /// A sign that is met in failed trials more often than in passed ones by less than this share does not stand out.
    private static let leastDifference = 0.3

    /// A place with its score.
    private struct Candidate {
        let place: Int
        let sign: SuspectSign
        let failed: Int
        let passed: Int
        let score: Double
        /// The score of the best sign alone.
        let sureness: Double
        /// Of its commits, the share that changed nothing; 0 where good runs say how often that is so.
        let idle: Double
        let executions: Int
        let first: CommitNumber
    }

    /// The places that were met in some failed trials, the most suspicious first.
    private func ranked(_ trials: [Int]) -> [Candidate] {
        var failed: [SuspectElement: Int] = [:]
        for trial in trials { for element in failing[trial] { failed[element, default: 0] += 1 } }
        var best: [Int: Candidate] = [:]
        for (element, count) in failed {
            let candidate = candidate(element, count, of: trials.count, failed)
            if let known = best[element.place], !Self.isSurer(candidate, than: known) { continue }
            best[element.place] = candidate
        }
        return best.values.sorted(by: isMoreSuspicious)
    }

    private func candidate(
        _ element: SuspectElement, _ count: Int, of all: Int, _ failed: [SuspectElement: Int]
    ) -> Candidate {
        let own = element.ofPlace
        let sureness = Self.ochiai(count, of: all, passing[element] ?? 0)
        let score = (sureness + Self.ochiai(failed[own] ?? 0, of: all, passing[own] ?? 0)) / 2
        let made = commits[element.place] ?? (0, 0)
        return Candidate(
            place: element.place, sign: element.sign, failed: count, passed: passing[element] ?? 0, score: score,
            sureness: sureness, idle: !hasGoodRuns && made.all > 0 ? Double(made.idle) / Double(made.all) : 0,
            executions: executions[element.place] ?? 0, first: first[element.place]?.commit ?? .zero)
    }

    private static func ochiai(_ failed: Int, of all: Int, _ passed: Int) -> Double {
        failed == 0 ? 0 : Double(failed) / (Double(all) * Double(failed + passed)).squareRoot()
    }

    /// Of two signs of one place; the plain one where both are as sure.
    private static func isSurer(_ left: Candidate, than right: Candidate) -> Bool {
        if left.sureness != right.sureness { return left.sureness > right.sureness }
        return order(of: left.sign) < order(of: right.sign)
    }

    private static func order(of sign: SuspectSign) -> (Int, Int) {
        switch sign {
        case .made: (0, 0)
        case .caused(let by): (1, by ?? -1)
        case .changes(let count): (2, count)
        case .after(let place): (3, place ?? -1)
        }
    }

    /// A commit that changed nothing where it should have is the only sign that one run alone has of a lost change.
    ///
    /// Of places that are equal otherwise, the one with fewer commits is right more often.
    private func isMoreSuspicious(_ left: Candidate, _ right: Candidate) -> Bool {
        let scores = (left.score + Self.idleWeight * left.idle, right.score + Self.idleWeight * right.idle)
        if scores.0 != scores.1 { return scores.0 > scores.1 }
        return (left.executions, left.first, left.place) < (right.executions, right.first, right.place)
    }

    private static let idleWeight = 0.2

    private func suspect(_ candidate: Candidate) -> Suspect {
        let sign: Suspect.Sign =
            switch candidate.sign {
            case .made: .made
            case .caused(let by): .caused(by: by.map { places.places[$0] })
            case .changes(let count): .changes(count)
            case .after(let place): .after(place.map { places.places[$0] })
            }
        return Suspect(
            place: places.places[candidate.place], score: candidate.score, sign: sign,
            bad: Suspect.Share(with: candidate.failed, of: failing.count),
            good: Suspect.Share(with: candidate.passed, of: passed),
            first: first[candidate.place] ?? (0, .zero), commits: commits[candidate.place] ?? (0, 0))
    }
}
