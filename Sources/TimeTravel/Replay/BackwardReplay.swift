import JSONCore
import JournalFormat
public import JournalReading
import QueryLanguage

/// The lines of a replay from the last commit of a range to its first: those of ``ForwardReplay`` in reverse.
///
/// - Complexity: that of a ``BackwardPass``; where only changes are wanted, a forward pass besides, and a number for each of
///   them.
public struct BackwardReplay: ~Copyable {
    private let question: ReplayQuestion
    private var pass: BackwardPass
    /// The positions that have a line, where that is known from the front only; nil for all.
    private let wanted: Set<CommitNumber>?
    /// The commits that have no line for want of an answer: what was lost, and where the query fails.
    public private(set) var unanswered = Unanswered()

    /// Stands at the end of a range.
    ///
    /// - Parameter recover: whether reading goes on before damage.
    public init(
        _ journal: Journal, _ range: PositionRange, _ question: ReplayQuestion, recover: Bool = false
    ) throws(JournalError) {
        var wanted: Set<CommitNumber>?
        var unanswered = Unanswered()
        if question.onlyChanges {
            let forward = try ForwardReplay(journal, range, question, recover: recover)
            var positions: Set<CommitNumber> = []
            while let line = try forward.next() { positions.insert(line.position) }
            wanted = positions
            unanswered = forward.unanswered
        }
        var options = BackwardPass.Options()
        options.keepsRecords = true
        options.recover = recover
        // What throws comes first: a struct that cannot be copied is destroyed wrongly where it was half made.
        let pass = try BackwardPass(journal, range, reading: question.query.footprint.paths, options: options)
        if wanted == nil, let lost = pass.lostEnd { unanswered.lose(lost) }
        self.question = question
        self.pass = pass
        self.wanted = wanted
        self.unanswered = unanswered
    }

    /// The damage that was jumped over.
    public var damages: [JournalError] { pass.damages }

    /// The next line; nil at the beginning of the range.
    ///
    /// - Throws: `JournalError` at damage.
    public mutating func next() throws(JournalError) -> ReplayLine? {
        while let step = pass.step {
            if let line = try nextCommit(step) { return line }
        }
        return nil
    }

    /// The line of the last commit in the range; nil where it has none.
    mutating func lastCommit() throws(JournalError) -> ReplayLine? {
        while let step = pass.step {
            let line = try nextCommit(step)
            if step.record != nil { return line }
        }
        return nil
    }

    /// Goes back over a position.
    ///
    /// - Returns: its line; nil where it has none.
    private mutating func nextCommit(_ step: BackwardPass.Step) throws(JournalError) -> ReplayLine? {
        let position = step.position
        guard let commit = step.record else {
            _ = try pass.stepBack()
            let before = pass.state.position
            if wanted == nil, before < position { unanswered.lose(before.next...position) }
            return nil
        }
        guard wanted?.contains(position) ?? true else {
            _ = try pass.stepBack()
            return nil
        }
        let answer: ReplayAnswer
        if question.query.footprint.usesOld {
            let state = pass.state.value
            _ = try pass.stepBack()
            answer = try self.answer(commit, state, old: pass.state.value)
        } else {
            // The state must not be shared when the pass goes back over it, or it would be copied.
            answer = try self.answer(commit, pass.state.value, old: .null)
            _ = try pass.stepBack()
        }
        if let error = answer.error { unanswered.fail(error, at: position) }
        return ReplayLine(answer, at: position, commit)
    }

    private func answer(_ commit: OwnedRecord, _ state: JSONValue, old: JSONValue) throws(JournalError) -> ReplayAnswer
    {
        // What is wanted was asked about already.
        if wanted == nil, try !question.asks(about: commit, state, old) { return .nothing }
        return question.answer(state, try question.context(at: commit, old: old))
    }
}
