package import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
package import JournalReading
import QueryLanguage
package import TimeTravel

package struct SuspectRuns {
    package struct BadRun {
        let path: String
        let journal: Journal
        let symptom: Symptom
    }

    package struct AskedCondition {
        let symptom: Symptom.Question
        package let condition: ScopedQuery
        /// Whether the condition says what is bad, not what is good.
        package let isBad: Bool
    }

    private let questions: [AskedCondition]
    private let hasGood: Bool
    private let context: CommandContext
    private var search = SuspectSearch()
    package private(set) var bad: [BadRun] = []
    private(set) var goodCount = 0
    private var worst = ExitStatus.done

    package init(_ questions: [AskedCondition], hasGood: Bool, _ context: CommandContext) {
        (self.questions, self.hasGood, self.context) = (questions, hasGood, context)
    }

    package var question: String {
        questions.isEmpty ? "marks of level error" : questions.map(\.symptom.name).joined(separator: ", ")
    }

    mutating func addBad(_ path: String) throws {
        try read(path) { runs, journal in
            let warnings = QueryWarnings(journal, try journal.range(RangeText()), StoreScope(store: nil))
            for question in runs.questions { try warnings.check(question.condition, runs.context.messages) }
            guard let symptom = try runs.symptom(of: path, journal) else { return }
            runs.warnOfNull(symptom, journal)
            try runs.add(path, journal, symptom)
        }
    }

    /// Adds a run that is called good; one that shows the symptom is bad all the same.
    mutating func addGood(_ path: String) throws {
        guard !bad.isEmpty else { return }
        try read(path) { runs, journal in
            guard !runs.questions.isEmpty, let symptom = try runs.answer(about: journal).symptom else {
                if runs.report(try runs.search.add(journal, nil, run: 0), path) { runs.goodCount += 1 }
                return
            }
            runs.context.messages.warn(
                code: "suspects.not-good",
                "'\(path)' shows the symptom at \(symptom.position), and counts as bad",
                notes: ["'\(runs.question)' was asked at every position"])
            try runs.add(path, journal, symptom)
        }
    }

    private mutating func add(_ path: String, _ journal: Journal, _ symptom: Symptom) throws {
        guard report(try search.add(journal, symptom, run: bad.count), path) else { return }
        bad.append(BadRun(path: path, journal: journal, symptom: symptom))
    }

    /// A run that is damaged is reported and left out.
    private mutating func read(_ path: String, _ body: (inout SuspectRuns, Journal) throws -> Void) throws {
        do { try body(&self, try JournalInput.random(path, in: context).journal) } catch let error as JournalError {
            worst = worst.or(.unreadable)
            for var diagnostic in ExitStatus.diagnostics(of: error, in: .suspects) {
                diagnostic.notes.append("the run is left out")
                context.messages.report(diagnostic)
            }
        }
    }

    private func report(_ isAdded: Bool, _ path: String) -> Bool {
        if !isAdded {
            context.messages.warn(
                code: "suspects.other-program", "'\(path)' is left out: it is of another program",
                notes: ["none of its commits was made at a place of the first run"])
        }
        return isAdded
    }

    private func answer(about journal: Journal) throws -> Symptom.Answer {
        try Symptom.first(of: questions.map(\.symptom), in: journal, try journal.range(RangeText()))
    }

    /// Nil where the run has none, which is reported.
    private mutating func symptom(of path: String, _ journal: Journal) throws -> Symptom? {
        guard !questions.isEmpty else {
            if let symptom = try Symptom.recorded(in: journal) { return symptom }
            if hasGood { return try Symptom.end(of: journal) }
            context.messages.warn(
                code: "suspects.no-symptom", "'\(path)' has no mark of level error",
                notes: ["nothing says what went wrong in it"],
                help: ["'--bad QUERY' says what is bad, and '--good GOOD...' names runs that are not"])
            return nil
        }
        let answer = try answer(about: journal)
        if let symptom = answer.symptom { return symptom }
        if answer.unanswered.count > 0 { worst = worst.or(.inconclusive) }
        if answer.isBadAtStart { warnOfNull(Symptom(.run, journal.start, nil, firstBad: [journal.start]), journal) }
        context.messages.report(
            answer.isBadAtStart
                ? Diagnostic(
                    .warning, code: "suspects.bad-at-start", "'\(path)' is bad from the start",
                    notes: ["no commit made it so, and none is suspected"])
                : Diagnostic(
                    .warning, code: "suspects.not-bad", "'\(path)' does not show the symptom, and is left out",
                    notes: ["'\(question)' was asked at every position"]))
        return nil
    }

    private func warnOfNull(_ symptom: Symptom, _ journal: Journal) {
        let scope = StoreScope(store: nil)
        for question in questions where symptom.isOf(question.symptom) {
            for position in symptom.firstBad {
                let paths = question.condition.footprint.paths
                guard let state = try? journal.state(at: position, pruning: paths).value else { continue }
                for warning in AbsentPaths(of: question.condition, isBad: question.isBad, in: state, scope).warnings {
                    context.messages.reportOnce(warning)
                }
            }
        }
    }

    func suspects() -> Suspects { search.suspects() }

    func noteOutcome(_ found: Suspects) {
        guard let abstention = found.abstention, !bad.isEmpty else { return }
        let help =
            questions.isEmpty
            ? "a symptom, as '--bad QUERY', says more, and so do more runs, as '--good GOOD...'"
            : "more runs of the same program say more, as '--good GOOD...'"
        let reason =
            switch abstention {
            case .fewRuns: "\((bad.count + goodCount).counted("run")) without a symptom are too few to compare"
            case .tie(let count): "nothing stands out: \(count) places are equally suspicious"
            case .nothing: "nothing stands out: what sets bad runs apart from good ones could be chance"
            }
        context.messages.note(reason + "; " + help)
    }

    package func status(of found: Suspects) -> ExitStatus {
        worst.or(found.abstention != nil || found.ranking.isEmpty ? .negative : .done)
    }

    package func record(of suspect: Suspect) throws -> Record {
        try Record(bad[suspect.first.run].journal.record(of: suspect.first.commit))
    }

    /// The suspects as findings, by the run that has the commit of each.
    func findings(_ shown: [Suspect], _ found: Suspects) throws -> [FindingsOfJournal] {
        var findings: [[Finding]] = bad.map { _ in [] }
        for suspect in shown { findings[suspect.first.run].append(try finding(suspect, found)) }
        return zip(bad, findings).filter { !$0.1.isEmpty }.map { FindingsOfJournal(path: $0.path, findings: $1) }
    }

    private func finding(_ suspect: Suspect, _ found: Suspects) throws -> Finding {
        let record = try record(of: suspect)
        let path = bad[suspect.first.run].path
        let (name, text) = ("suspect \(suspect.rank)", suspect.text(found))
        var finding = Finding(
            .bad, "\(name): \(suspect.place.text)", ["perhaps, score \(suspect.scoreText)", "\(text)"])
        finding.question = question
        finding.position = suspect.first.commit.rawValue
        finding.record = RecordSummary(record)
        let advice = Advice(path)
        if advice.isPossible { finding.commands = [advice.command(.show, ["\(suspect.first.commit)"])] }
        finding.result = Finding.Result(
            place: SourcePlace(record),
            heading: "\(name), score \(suspect.scoreText), at commit \(suspect.first.commit) of \(path)",
            details: [text],
            properties: .members([
                "journal": .string(path), "seq": .number(record.seq.rawValue), "rank": .number(suspect.rank),
                "score": suspect.roundedScore,
            ]))
        return finding
    }
}

extension Symptom {
    /// Whether it is the answer to a question; one that is bad from the start is that of each.
    fileprivate func isOf(_ question: Question) -> Bool {
        guard case .condition(let name) = kind else { return true }
        return UTF8Order.equal(name, question.name)
    }
}
