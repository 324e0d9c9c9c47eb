import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// The runs that suspects are looked for in, and what became of each.
struct SuspectRuns {
    /// A bad run and its symptom.
    struct BadRun {
        let path: String
        let journal: Journal
        let symptom: Symptom
    }

    /// What is asked of a run, and the condition as it was typed.
    struct Question {
        let symptom: Symptom.Question
        let condition: ScopedQuery
        /// Whether the condition says what is bad, not what is good.
        let isBad: Bool
    }

    private let questions: [Question]
    private let hasGood: Bool
    private let context: CommandContext

    private(set) var bad: [BadRun] = []
    private(set) var goodCount = 0
    /// How many bad runs do not show the symptom.
    private var withoutSymptom = 0
    /// How many runs could not be read, or are of another program.
    private var leftOut = 0
    private var worst = ExitStatus.done

    /// No runs yet.
    init(_ questions: [Question], hasGood: Bool, _ context: CommandContext) {
        self.questions = questions
        self.hasGood = hasGood
        self.context = context
    }

    /// What was asked, in words.
    var question: String {
        questions.isEmpty
            ? "aborts, marks of level error, and what held and then broke"
            : questions.map(\.symptom.name).joined(separator: ", ")
    }

    // MARK: Bad runs

    /// Looks for the symptom in a bad run.
    mutating func look(for path: String) throws {
        try read(path) { runs, journal in
            let warnings = QueryWarnings(journal, try journal.range(RangeText()), StoreScope(store: nil))
            for question in runs.questions { try warnings.check(question.condition, runs.context.messages) }
            guard let symptom = try runs.symptom(in: journal) else {
                runs.withoutSymptom += 1
                runs.context.messages.report(runs.noSymptom(in: path))
                return
            }
            if symptom.isAtStart { runs.context.messages.report(runs.badAtStart(path)) }
            runs.warnOfNull(symptom, journal)
            runs.bad.append(BadRun(path: path, journal: journal, symptom: symptom))
        }
    }

    /// Warns where the symptom may be about what is not there.
    private func warnOfNull(_ symptom: Symptom, _ journal: Journal) {
        guard case .condition(let name) = symptom.kind,
            let question = questions.first(where: { UTF8Order.equal($0.symptom.name, name) }),
            let state = try? journal.state(
                at: symptom.position, pruning: question.condition.footprint.paths
            ).value
        else { return }
        let scope = StoreScope(store: nil)
        for warning in AbsentPaths(of: question.condition, isBad: question.isBad, in: state, scope).warnings {
            context.messages.report(warning)
        }
    }

    private mutating func symptom(in journal: Journal) throws -> Symptom? {
        guard !questions.isEmpty else {
            if let recorded = try Symptom.recorded(in: journal) { return recorded }
            return hasGood ? try Symptom.end(of: journal) : try Symptom.broken(in: journal)
        }
        let range = try journal.range(RangeText())
        let (symptom, unanswered) = try Symptom.first(of: questions.map(\.symptom), in: journal, range)
        if unanswered.count > 0, symptom == nil { worst = worst.or(.inconclusive) }
        return symptom
    }

    /// Opens a run and does something with it; one that is damaged is reported and left out.
    private mutating func read(_ path: String, _ body: (inout SuspectRuns, Journal) throws -> Void) throws {
        try leavingOut { runs in try body(&runs, try JournalInput.random(path, in: runs.context).journal) }
    }

    /// Does something with a run, and reports it where it is damaged.
    private mutating func leavingOut(_ body: (inout SuspectRuns) throws -> Void) throws {
        do { try body(&self) } catch let error as JournalError {
            leftOut += 1
            worst = worst.or(.unreadable)
            for var diagnostic in ExitStatus.diagnostics(of: error, in: .suspects) {
                diagnostic.notes.append("the run is left out")
                context.messages.report(diagnostic)
            }
        }
    }

    // MARK: The search

    /// Compares the bad runs with themselves and with good ones.
    mutating func search(_ good: [String]) throws -> Suspects {
        var search = SuspectSearch(checks: Set(bad.compactMap(\.symptom.place)))
        for (index, run) in bad.enumerated() where !run.symptom.isAtStart {
            try leavingOut { runs in
                runs.take(run.path, try search.add(run.journal, run.symptom, run: index))
            }
        }
        guard !bad.isEmpty else { return search.suspects() }
        for path in good {
            try read(path) { runs, journal in
                let symptom = runs.questions.isEmpty ? nil : try runs.symptom(in: journal)
                if let symptom {
                    // What shows the symptom is a bad run, whatever it was called.
                    runs.context.messages.report(runs.notGood(path, symptom))
                    runs.bad.append(BadRun(path: path, journal: journal, symptom: symptom))
                    if symptom.isAtStart { return }
                    return runs.take(path, try search.add(journal, symptom, run: runs.bad.count - 1))
                }
                let isTaken = try search.add(journal, nil, run: 0)
                if isTaken { runs.goodCount += 1 }
                runs.take(path, isTaken)
            }
        }
        return search.suspects()
    }

    private mutating func take(_ path: String, _ isTaken: Bool) {
        guard !isTaken else { return }
        leftOut += 1
        context.messages.report(
            Diagnostic(
                .warning, code: "suspects.other-program", "'\(path)' is left out: it is of another program",
                notes: ["none of its commits was made at a place of the first run"]))
    }

    // MARK: What is said besides

    private func noSymptom(in path: String) -> Diagnostic {
        questions.isEmpty
            ? Diagnostic(
                .warning, code: "suspects.no-symptom", "'\(path)' has neither an abort nor a mark of level error",
                notes: [
                    "nothing says what went wrong in it, and nothing that held through "
                        + "\(BrokenInvariant.fewestChanges) changes broke"
                ],
                help: ["'--bad QUERY' says what is bad, and '--good GOOD...' names runs that are not"])
            : Diagnostic(
                .warning, code: "suspects.not-bad", "'\(path)' does not show the symptom, and is left out",
                notes: ["'\(question)' was asked at every position"])
    }

    private func badAtStart(_ path: String) -> Diagnostic {
        Diagnostic(
            .warning, code: "suspects.bad-at-start", "'\(path)' is bad from the start",
            notes: ["no commit made it so, and none is suspected"])
    }

    private func notGood(_ path: String, _ symptom: Symptom) -> Diagnostic {
        Diagnostic(
            .warning, code: "suspects.not-good",
            "'\(path)' shows the symptom at \(symptom.position), and counts as bad",
            notes: ["'\(question)' was asked at every position"])
    }

    /// Says why no suspect is named.
    func noteOutcome(_ found: Suspects) {
        guard found.isAbstaining, !bad.isEmpty else { return }
        let trials = found.trials
        let passed = trials.passed == 0 ? "no trial passed" : "\(trials.passed.counted("trial")) passed"
        context.messages.note(
            "nothing stands out among \(found.places.counted("place")): \(trials.failed.counted("trial")) failed, "
                + "\(passed); more runs of the same program say more, as '--good GOOD...'")
    }

    /// The status that the answer comes to.
    func status(of found: Suspects) -> ExitStatus {
        worst.or(found.isAbstaining || found.ranking.isEmpty ? .negative : .done)
    }

    /// The first commit of a suspect in a bad run.
    func record(of suspect: Suspect) throws -> Record {
        try Record(bad[suspect.first.run].journal.record(of: suspect.first.commit))
    }
}
