import JSONCore
import JournalFormat
public import JournalReading
import QueryLanguage

/// The lines of a replay from the first commit of a range to its last, also as if some of its commits had not been.
///
/// - Complexity: the bytes of the range are scanned once; where only changes are wanted, commits that touch nothing of what
///   the query reads are passed over unread.
public final class ForwardReplay {
    private let journal: Journal
    private let question: ReplayQuestion
    private let range: PositionRange
    private let choice: Run.Choice?
    private let recovers: Bool
    private let run: Run
    /// The value of the line given last, or at the beginning of the range, where only changes are wanted.
    private var lastValue: JSONValue?
    private var hasAsked = false
    private var position: CommitNumber
    private(set) var isWhole = true
    private var (opened, restart): ([String], JSONValue?) = ([], nil)
    /// The commits that have no line for want of an answer: what was lost, and where the query fails.
    public private(set) var unanswered = Unanswered()

    /// Stands at the beginning of a range.
    ///
    /// - Parameter choice: which commits stay; nil for all.
    public convenience init(
        _ journal: Journal, _ range: PositionRange, _ question: ReplayQuestion, _ choice: Run.Choice? = nil,
        recover: Bool = false
    ) throws(JournalError) {
        try self.init(journal, range, question, choice, recover, everyCommit: question.needsEveryCommit)
    }

    init(
        _ journal: Journal, _ range: PositionRange, _ question: ReplayQuestion, _ choice: Run.Choice?, _ recovers: Bool,
        everyCommit: Bool
    ) throws(JournalError) {
        var options = Run.Options(everyCommit: everyCommit, keepsRecords: true, recover: recovers)
        // After what has no line the next commit has one, whatever it touches.
        options.firstCommits = choice == nil
        options.choice = choice
        // A filter may ask for anything of states that only this run has.
        if choice != nil, question.filter != nil { options.reading = .everything }
        self.journal = journal
        self.question = question
        self.range = range
        self.choice = choice
        self.recovers = recovers
        position = range.lower
        run = try Run(journal, range, asking: [question.query], options: options)
        if question.onlyChanges { lastValue = question.answer(run.state, run.startContext).value }
    }

    /// The damage that was jumped over.
    public var damages: [JournalError] { run.damages }

    /// The conflicts of commits before the next line that were met since this was asked last.
    public func takeConflicts() -> [Run.Conflict] { run.takeConflicts() }

    /// The next line; nil at the end of the range.
    public func next() throws(JournalError) -> ReplayLine? {
        while let step = try run.next() {
            position = step.seq
            if step.kind == .store, let record = run.record, let store = try Record(record).store {
                opened.append(store)
            }
            if step.seq == run.jump { restart = run.state }
            // After a gap there is a state, but the commit whose line it would be was lost with the others.
            if step.isJump, step.before < step.seq { unanswered.lose(step.before.next...step.seq) }
            guard step.isComplete, let commit = try run.commit(of: step) else { continue }
            let answer = try answer(step, commit)
            note(answer, at: step.seq)
            guard var line = ReplayLine(answer, at: step.seq, commit) else { continue }
            if !opened.isEmpty || restart != nil {
                line.beside = ReplayLine.Beside(opened: opened, restart: restart)
                (opened, restart) = ([], nil)
            }
            guard question.onlyChanges else { return line }
            if line.value == lastValue { continue }
            lastValue = line.value
            return line
        }
        unanswered.finish(range, lost: run.lostEnd)
        return nil
    }

    private func note(_ answer: QueryOutcome, at position: CommitNumber) {
        if choice == nil {
            unanswered.note(answer.error, at: position)
        } else if let error = answer.error {
            unanswered.fail(error, at: position)
        }
    }

    private func answer(_ step: Run.Step, _ commit: OwnedRecord) throws(JournalError) -> QueryOutcome {
        let state = run.state
        guard try question.asks(about: commit, state, run.old) else { return .nothing }
        hasAsked = true
        return question.answer(state, try run.context(of: step), run.memo(of: 0))
    }

    /// The last of the lines that are left; where no commit was asked about, the answer at the end of the range.
    ///
    /// No line is held on the way, since each would be a copy of what the next commit changes: the run is made again up
    /// to it.
    func last(_ report: (Run.Conflict) throws -> Void) throws -> ReplayLine? {
        var last: (position: CommitNumber, record: OwnedRecord?)?
        while let line = try next() {
            try takeConflicts().forEach(report)
            last = (line.position, line.record)
        }
        try takeConflicts().forEach(report)
        guard let last else { return hasAsked || !question.asksEnd ? nil : end() }
        if !question.onlyChanges, last.position == position, !run.hasMovedOn, let record = last.record {
            let context = try question.context(at: record, old: run.old)
            return ReplayLine(question.answer(run.state, context), at: last.position, record)
        }
        guard let range = PositionRange(range.lower, last.position) else { return nil }
        let again = try ForwardReplay(journal, range, question, choice, recover: recovers)
        var line: ReplayLine?
        while let next = try again.next() { line = next }
        return line
    }

    /// The last line, where it is that of the last commit that stays; nil where every commit has to be asked about.
    func lastCommit(_ report: (Run.Conflict) throws -> Void) throws -> ReplayLine? {
        var leftOut: Set<CommitNumber> = []
        func note() throws {
            for conflict in takeConflicts() {
                if case .leftOut = conflict.effect { leftOut.insert(conflict.record.seq) }
                try report(conflict)
            }
        }
        while let step = try run.next() {
            if step.isJump { isWhole = false }
            try note()
        }
        try note()
        guard run.lostEnd == nil, !run.hasMovedOn, let without = choice?.without else { return nil }
        var last = min(range.upper, run.lastCommit)
        while last > range.lower, without.contains(last) || leftOut.contains(last) { last = last.previous }
        guard last > range.lower, let record = try journal.keptRecord(of: last) else { return nil }
        return ReplayLine(question.answer(run.state, try question.context(at: record, old: .null)), at: last, record)
    }

    private func end() -> ReplayLine? {
        let position = run.lostEnd?.lowerBound.previous ?? range.upper
        let context = position == range.lower ? run.startContext : QueryContext(old: run.old, seq: position.rawValue)
        let answer = question.answer(run.state, context)
        if let error = answer.error { unanswered.fail(error, at: position) }
        return ReplayLine(answer, at: position, nil)
    }
}
