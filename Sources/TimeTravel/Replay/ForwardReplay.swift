import JSONCore
import JournalFormat
public import JournalReading
import QueryLanguage

/// The lines of a replay from the first commit of a range to its last.
///
/// - Complexity: the bytes of the range are scanned once; where only changes are wanted, commits that touch nothing of what
///   the query reads are passed over unread.
public struct ForwardReplay: ~Copyable {
    private let question: ReplayQuestion
    private let range: PositionRange
    private var pass: Pass
    /// The value of the line given last, or at the beginning of the range, where only changes are wanted.
    private var lastValue: JSONValue?
    /// Whether a commit of the range was asked about.
    private var hasAsked = false
    /// What the next line says of itself, as far as it is known.
    private var isDirect = true
    /// The commits that have no line for want of an answer: what was lost, and where the query fails.
    public private(set) var unanswered = Unanswered()

    /// Stands at the beginning of a range.
    ///
    /// - Parameter recover: whether reading continues after damage.
    public init(
        _ journal: Journal, _ range: PositionRange, _ question: ReplayQuestion, recover: Bool = false
    ) throws(JournalError) {
        var options = Pass.Options()
        options.everyCommit = question.needsEveryCommit
        // After what has no line the next commit has one, whatever it touches.
        options.firstCommits = true
        options.keepsRecords = true
        options.recover = recover
        // What throws comes first: a struct that cannot be copied is destroyed wrongly where it was half made.
        let pass = try Pass(journal, range, asking: [question.query], options: options)
        self.question = question
        self.range = range
        self.pass = pass
        if question.onlyChanges {
            lastValue = question.answer(self.pass.state, self.pass.startContext).value
        }
    }

    /// The damage that was jumped over.
    public var damages: [JournalError] { pass.damages }

    /// The next line; nil at the end of the range.
    ///
    /// - Throws: `JournalError` at damage.
    public mutating func next() throws(JournalError) -> ReplayLine? {
        while let step = try pass.next() {
            if step.isJump || step.kind != .commit { isDirect = false }
            // After a gap there is a state, but the commit whose line it would be was lost with the others.
            if step.isJump, step.before < step.seq { unanswered.lose(step.before.next...step.seq) }
            guard step.isComplete, let commit = try pass.commit(of: step) else { continue }
            let answer = try answer(step, commit)
            unanswered.note(answer.error, at: step.seq)
            guard var line = ReplayLine(answer, at: step.seq, commit) else {
                isDirect = false
                continue
            }
            line.isDirect = isDirect
            isDirect = true
            guard question.onlyChanges else { return line }
            if line.value == lastValue { continue }
            lastValue = line.value
            return line
        }
        unanswered.finish(range, lost: pass.lostEnd)
        return nil
    }

    private mutating func answer(_ step: Pass.Step, _ commit: OwnedRecord) throws(JournalError) -> ReplayAnswer {
        let state = pass.state
        guard try question.asks(about: commit, state, pass.old) else { return .nothing }
        hasAsked = true
        return question.answer(state, try pass.context(of: step), pass.memo(of: 0))
    }

    /// The last of the lines that are left; where no commit was asked about, the answer at the end of the range.
    ///
    /// - Throws: `JournalError` at damage.
    public mutating func last() throws(JournalError) -> ReplayLine? {
        var last: ReplayLine?
        while let line = try next() { last = line }
        guard !hasAsked, question.asksEnd else { return last }
        let position = pass.lostEnd?.lowerBound.previous ?? range.upper
        let context =
            position == range.lower ? pass.startContext : QueryContext(old: pass.old, seq: position.rawValue)
        let answer = question.answer(pass.state, context)
        if let error = answer.error { unanswered.fail(error, at: position) }
        return ReplayLine(answer, at: position, nil)
    }
}
