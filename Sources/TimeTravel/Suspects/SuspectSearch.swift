import JSONCore
import JournalFormat
package import JournalReading
import Platform

/// Looks for the places in the source that are to blame for a symptom.
///
/// Each element of a place (that it committed, which paths it wrote, what caused it, which values) has Ochiai's coefficient, failed /
/// √(all failed · (failed + passed)): 1 where it is met in every failed run and in no other. Bad runs count up to their symptom.
/// Where that is known, the place's own coefficient decides, then that of its best element, then which began latest; where it
/// is not, both are mixed. Where several places write the stores that the question reads, the commit that turned it bad wrote
/// it itself, and its place comes first; of one bad run nothing is compared then.
///
/// Of one run, a store that one place alone writes is a report of what others did: the trials from one report to the next are compared
/// as runs are, and the place that reports comes last. Otherwise what led to the symptom is followed back: its commit, its causes, what else wrote what the question reads,
/// then the commits before it.
///
/// Each of these was kept because it found more on sets that it was not made on; `Tests/Lab/StateBugs` has the figures.
/// Ochiai's coefficient for programs: Abreu, Zoeteweij, van Gemund, "On the accuracy of spectrum-based fault localization", 2007.
package struct SuspectSearch {
    private static let mostElements = 1 << 20
    private static let leastRuns = 3
    /// More places than this with the first rank do not stand out.
    private static let mostTied = 3
    /// The weight of a place's own coefficient beside its best element's: where the symptom is known, the element only breaks ties.
    private static let ownWeight = (known: 0.99, unknown: 0.7)

    private struct Counts {
        var bad = 0
        var good = 0
        var failed = 0
        var passed = 0
    }

    private struct PlaceFacts {
        /// In how many bad runs it is met, and the sum of the numbers of its first commits.
        var runs = 0
        var firsts = 0
        /// In how many a symptom that no place reports began with its commit.
        var began = 0
        var first: (run: Int, commit: CommitNumber)
        var firstInTrial: (run: Int, commit: CommitNumber)?
        var last: (run: Int, commit: CommitNumber)
    }

    private var places = Numbered<CommitPlace>()
    private var reader = CommitElements()
    private var app: Set<Int> = []
    private var counts: [CommitElement: Counts] = [:]
    private var facts: [Int: PlaceFacts] = [:]
    private var reporters: Set<Int> = []
    /// The places of the causes of the first symptom, from its commit on, and of what wrote what the question reads.
    private var causes: [Int] = []
    private var writers: [Int] = []
    private var first: Symptom?
    private var (bad, good, failed, passed) = (0, 0, 0, 0)
    private var hasUnknownSymptom = false

    package init() {}

    /// Adds a run, unless it is of another app: one that has commits, and none at a place of the first run; returns
    /// whether it was added; `symptom` is nil for a good run.
    ///
    /// - Throws: `JournalError` at damage; nothing was added then.
    package mutating func add(_ journal: Journal, _ symptom: Symptom?, run: Int) throws(JournalError) -> Bool {
        let elements = try RunElements(journal, symptom, &places, &reader)
        let met = Set(elements.last.keys)
        if app.isEmpty { app = met }
        guard met.isEmpty || !app.isDisjoint(with: met) else { return false }
        guard let symptom else {
            good += 1
            for element in elements.all { count(element) { $0.good += 1 } }
            return true
        }
        if first == nil {
            (first, causes) = (symptom, elements.causes)
            writers = symptom.writers.compactMap { places.number(of: $0) }
        }
        bad += 1
        if symptom.kind == .run { hasUnknownSymptom = true }
        for element in elements.all { count(element) { $0.bad += 1 } }
        if symptom.isReport {
            failed += 1
            passed += elements.passed
            for element in elements.trial { count(element) { $0.failed += 1 } }
            for (element, times) in elements.passing { count(element) { $0.passed += times } }
            if let place = symptom.place.flatMap({ places.number(of: $0) }) { reporters.insert(place) }
        }
        addFacts(elements, symptom, run)
        return true
    }

    private mutating func count(_ element: CommitElement, _ body: (inout Counts) -> Void) {
        guard counts.count < Self.mostElements || counts[element] != nil else { return }
        body(&counts[element, default: Counts()])
    }

    private mutating func addFacts(_ elements: RunElements, _ symptom: Symptom, _ run: Int) {
        for (place, last) in elements.last {
            let first = elements.first[place] ?? last
            var known = facts[place] ?? PlaceFacts(first: (run, first), last: (run, last))
            known.runs += 1
            known.firsts += first.rawValue
            if known.firstInTrial == nil { known.firstInTrial = elements.firstInTrial[place].map { (run, $0) } }
            facts[place] = known
        }
        if symptom.isCondition, !symptom.isReport, let place = elements.causes.first { facts[place]?.began += 1 }
    }

    // MARK: The ranking

    /// - Complexity: O(e) in the elements, and O(p log p) in the places.
    package func suspects() -> Suspects {
        func none(_ abstention: Suspects.Abstention?) -> Suspects {
            Suspects(ranking: [], abstention: abstention, comparison: .none, elements: counts.count)
        }
        guard let first else { return none(nil) }
        let isWrittenDirectly = first.isCondition && !first.isReport
        if good > 0, bad + good >= Self.leastRuns, bad > 1 || !isWrittenDirectly { return suspects(comparing: .runs) }
        if hasUnknownSymptom { return none(.fewRuns) }
        return suspects(comparing: first.isReport && passed > 0 ? .trials : .none)
    }

    private struct Candidate {
        let place: Int
        let sign: CommitElement.Sign
        let bad: Suspect.Share
        let good: Suspect.Share
        let began: Int
        let score: Double
        let moment: Double

        func isBefore(_ other: Candidate) -> Bool { (began, score, moment) > (other.began, other.score, other.moment) }
    }

    private func suspects(comparing comparison: Suspects.Comparison) -> Suspects {
        let candidates = (comparison == .none ? followed() : compared(comparison == .runs))
            .sorted { $0.isBefore($1) || !$1.isBefore($0) && $0.place < $1.place }
        var ranking: [Suspect] = []
        var rank = 1
        for (index, candidate) in candidates.enumerated() {
            if index > 0, candidates[index - 1].isBefore(candidate) { rank = index + 1 }
            let next = index + 1 < candidates.count && !candidate.isBefore(candidates[index + 1])
            ranking.append(suspect(candidate, rank, isTied: rank < index + 1 || next, comparison))
        }
        let tied = ranking.count { $0.rank == 1 }
        let isOrdinary = candidates.first.map { comparison != .none && !isRemarkable($0, comparison) } ?? true
        return Suspects(
            ranking: ranking, abstention: isOrdinary ? .nothing : tied > Self.mostTied ? .tie(tied) : nil,
            comparison: comparison, elements: counts.count)
    }

    /// Whether what speaks against a place is met more often where it went wrong; of runs only said to be bad, by more
    /// than chance.
    private func isRemarkable(_ candidate: Candidate, _ comparison: Suspects.Comparison) -> Bool {
        guard candidate.bad.ratio > candidate.good.ratio else { return false }
        guard hasUnknownSymptom, comparison == .runs else { return true }
        let signs = counts.values.count { $0.bad > 0 }
        let own = counts[CommitElement(place: candidate.place, sign: .place)] ?? Counts()
        return Self.likelihood(candidate.bad.with, of: bad, candidate.good.with, of: good)
            > MathLibrary.logarithm(Double(signs))
            || Self.likelihood(own.bad, of: bad, own.good, of: good) > MathLibrary.logarithm(Double(facts.count))
    }

    /// The logarithm of the likelihood ratio of unequal frequencies: Dunning, "Accurate methods for the statistics of
    /// surprise and coincidence", 1993.
    private static func likelihood(_ failed: Int, of bad: Int, _ passed: Int, of good: Int) -> Double {
        func term(_ count: Int) -> Double { count == 0 ? 0 : Double(count) * MathLibrary.logarithm(Double(count)) }
        let cells = term(failed) + term(bad - failed) + term(passed) + term(good - passed)
        let sums = term(failed + passed) + term(bad + good - failed - passed) + term(bad) + term(good)
        return cells - sums + term(bad + good)
    }

    private func compared(_ areRuns: Bool) -> [Candidate] {
        let (bad, good) = areRuns ? (bad, good) : (failed, passed)
        func times(_ counts: Counts) -> (bad: Int, good: Int) {
            areRuns ? (counts.bad, counts.good) : (counts.failed, counts.passed)
        }
        var best: [Int: (sign: CommitElement.Sign, coefficient: Double)] = [:]
        for (element, counts) in counts {
            let times = times(counts)
            let coefficient = Self.ochiai(times.bad, of: bad, times.good)
            guard coefficient > 0 else { continue }
            // The place itself where nothing says more; of equal signs always the same one.
            let known = best[element.place]
            let isPlainer = known.map { coefficient == $0.coefficient && element.sign.order < $0.sign.order } ?? false
            guard coefficient > known?.coefficient ?? 0 || isPlainer else { continue }
            best[element.place] = (element.sign, coefficient)
        }
        let weight = hasUnknownSymptom ? Self.ownWeight.unknown : Self.ownWeight.known
        return facts.map { place, facts in
            let own = times(counts[CommitElement(place: place, sign: .place)] ?? Counts())
            let sign = best[place]?.sign ?? .place
            let times = times(counts[CommitElement(place: place, sign: sign)] ?? Counts())
            let score =
                weight * Self.ochiai(own.bad, of: bad, own.good) + (1 - weight) * (best[place]?.coefficient ?? 0)
            let moment =
                !areRuns
                ? Double(facts.last.commit.rawValue)
                : hasUnknownSymptom ? 0 : Double(facts.firsts) / Double(facts.runs)
            return Candidate(
                place: place, sign: sign, bad: Suspect.Share(with: times.bad, of: bad),
                good: Suspect.Share(with: times.good, of: good), began: facts.began,
                // Who reports what others did comes last. Rounded, so that equal sums are equal in any order.
                score: reporters.contains(place) ? 0 : (score * 1e9).rounded() / 1e9, moment: moment)
        }
    }

    private static func ochiai(_ failed: Int, of all: Int, _ passed: Int) -> Double {
        failed == 0 ? 0 : Double(failed) / (Double(all) * Double(failed + passed)).squareRoot()
    }

    /// Places lead to the first symptom by its commit, by causes, by writes of what the question reads, or before it.
    private func followed() -> [Candidate] {
        var order: [Int] = []
        var seen: Set<Int> = []
        let run = facts.values.lazy.map(\.last.run).min()
        let before = facts.filter { $0.value.last.run == run }
            .sorted { $0.value.last.commit > $1.value.last.commit }.map(\.key)
        for place in causes + writers + before where seen.insert(place).inserted { order.append(place) }
        return order.enumerated().map { index, place in
            Candidate(
                place: place, sign: .place, bad: Suspect.Share(with: 1, of: 1), good: Suspect.Share(with: 0, of: 0),
                began: 0, score: 1 / Double(index + 1), moment: 0)
        }
    }

    private func suspect(
        _ candidate: Candidate, _ rank: Int, isTied: Bool, _ comparison: Suspects.Comparison
    ) -> Suspect {
        let facts = facts[candidate.place]
        let first =
            switch comparison {
            case .runs: facts?.first
            case .trials: facts?.firstInTrial ?? facts?.last
            case .none: facts?.last
            }
        return Suspect(
            place: places.things[candidate.place], rank: rank, isTied: isTied, score: candidate.score,
            element: comparison == .none ? elementOnTheWay(candidate.place) : element(candidate.sign),
            bad: candidate.bad, good: candidate.good, first: first ?? (0, .zero))
    }

    private func elementOnTheWay(_ place: Int) -> Suspect.Evidence {
        place == causes.first ? .symptom : causes.contains(place) ? .causeOfSymptom : .before
    }

    private func element(_ sign: CommitElement.Sign) -> Suspect.Evidence {
        func text(_ number: Int) -> String { reader.texts.things[number].text }
        return switch sign {
        case .place: .place
        case .paths(let paths): .paths(text(paths))
        case .path(let path): .path(text(path))
        case .cause(let place): .cause(places.things[place])
        case .value(let path, let name): .value(text(path), class: text(name))
        case .pair(let left, let right, let order): .pair(text(left), text(right), order: order)
        }
    }
}

extension CommitElement.Sign {
    /// Of signs that are equally sure, the one that says most plainly what was done comes first.
    fileprivate var order: (Int, Int, Int, Int) {
        switch self {
        case .place: (0, 0, 0, 0)
        case .cause(let place): (1, place, 0, 0)
        case .path(let path): (2, path, 0, 0)
        case .paths(let paths): (3, paths, 0, 0)
        case .value(let path, let name): (4, path, name, 0)
        case .pair(let left, let right, let order): (5, left, right, order)
        }
    }
}
