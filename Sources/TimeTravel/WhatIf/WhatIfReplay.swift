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

    private let question: ReplayQuestion
    private let range: PositionRange
    private var run: WhatIf
    private var last: JSONValue?
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
        self.question = question
        self.range = range
        self.run = run
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
            case .jump: continue
            case .position(let commit):
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

    /// The answer at the end of the range where no commit was asked about; nil where one was.
    public mutating func end() -> ReplayLine? {
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
