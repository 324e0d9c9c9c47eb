import JSONCore
import JournalFormat
public import JournalReading
import QueryLanguage

/// The lines of a replay as if some of its commits had not been.
public struct WhatIfReplay: ~Copyable {
    /// What a replay comes to.
    public enum Event {
        /// A commit that met another state than it was made for.
        case conflict(WhatIf.Conflict)
        /// The line of a commit that stays.
        case line(ReplayLine)
    }

    private let journal: Journal
    private let choice: WhatIf.Choice
    private let recovers: Bool
    private let question: ReplayQuestion
    private let range: PositionRange
    private var run: WhatIf
    private var last: JSONValue?
    /// The position that the run has reached.
    private var position: CommitNumber
    private var failures = Unanswered()
    /// Whether a commit that stays was asked about.
    private var hasAsked = false

    /// Stands at the beginning of a range.
    ///
    /// - Parameter recover: whether reading continues after damage.
    public init(
        _ journal: Journal, _ range: PositionRange, _ choice: WhatIf.Choice, _ question: ReplayQuestion,
        recover: Bool = false
    ) throws(JournalError) {
        var choice = choice
        if question.query.footprint.usesOld { choice.usesOld = true }
        // What throws comes first: a struct that cannot be copied is destroyed wrongly where it was half made.
        let run = try WhatIf(journal, range, choice, recover: recover)
        self.journal = journal
        self.choice = choice
        recovers = recover
        position = range.lower
        self.question = question
        self.range = range
        self.run = run
        if question.onlyChanges {
            let context = QueryContext(seq: range.lower.rawValue)
            last = question.answer(self.run.state.value, context).value
        }
    }

    /// The damage that was jumped over.
    public var damages: [JournalError] { run.damages }
    /// The commits that have no line for want of an answer: what was lost, and where the query fails.
    public var unanswered: Unanswered {
        var all = run.lost
        all.add(failures)
        return all
    }

    /// The next line or conflict; nil at the end of the range.
    ///
    /// - Throws: `JournalError` at damage.
    public mutating func next() throws(JournalError) -> Event? {
        while let event = try run.next() {
            switch event {
            case .conflict(let conflict): return .conflict(conflict)
            case .jump(let record): position = record.seq
            case .position(let commit):
                position = commit.seq
                guard try question.asks(about: commit, run.state.value, run.old) else { continue }
                hasAsked = true
                let context = try question.context(at: commit, old: run.old)
                guard let line = line(question.answer(run.state.value, context), at: commit.seq, commit) else {
                    continue
                }
                guard question.onlyChanges else { return .line(line) }
                if line.value == last { continue }
                last = line.value
                return .line(line)
            }
        }
        return nil
    }

    /// The last of the lines; where no commit was asked about, the answer at the end of the range.
    ///
    /// No line is held while the run goes on: each would be a copy of what the next commit changes. Where the last line is not
    /// the last position's, the run is made again up to that line.
    ///
    /// - Parameter report: is passed the conflicts on the way.
    public mutating func last(_ report: (WhatIf.Conflict) throws -> Void) throws -> ReplayLine? {
        var commit: OwnedRecord?
        while let event = try next() {
            switch event {
            case .conflict(let conflict): try report(conflict)
            case .line(let line): commit = line.record
            }
        }
        guard let commit, let range = PositionRange(range.lower, commit.seq) else { return end() }
        if commit.seq == position, !run.hasMovedOn { return try line(of: commit) }
        var again = try WhatIfReplay(journal, range, choice, question, recover: recovers)
        while try again.next() != nil {}
        return try again.line(of: commit)
    }

    /// The line of the commit at whose position the run stands.
    private mutating func line(of commit: OwnedRecord) throws(JournalError) -> ReplayLine? {
        let context = try question.context(at: commit, old: run.old)
        return line(question.answer(run.state.value, context), at: commit.seq, commit)
    }

    /// The answer at the end of the range where no commit was asked about; nil where one was.
    private mutating func end() -> ReplayLine? {
        guard !hasAsked, question.asksEnd else { return nil }
        let context = QueryContext(old: run.old, seq: range.upper.rawValue)
        return line(question.answer(run.state.value, context), at: range.upper, nil)
    }

    private mutating func line(
        _ answer: ReplayAnswer, at position: CommitNumber, _ commit: OwnedRecord?
    ) -> ReplayLine? {
        if let error = answer.error { failures.fail(error, at: position) }
        return ReplayLine(answer, at: position, commit)
    }
}
