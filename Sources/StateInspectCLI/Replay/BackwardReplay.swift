import JSONCore
import JournalFormat
import TimeTravel

/// The states of a stretch from its last commit to its first.
struct BackwardReplay {
    private let journal: Journal
    private let range: PositionRange
    private let question: ReplayQuestion
    private let recovers: Bool

    /// A replay of a stretch; with `recovers` it goes on before damage.
    init(_ journal: Journal, _ range: PositionRange, _ question: ReplayQuestion, recovers: Bool) {
        self.journal = journal
        self.range = range
        self.question = question
        self.recovers = recovers
    }

    /// Hands the answer at each position to the printer.
    ///
    /// - Parameter wanted: the positions that are printed; nil for all.
    /// - Returns: the damage that was jumped over.
    func run(_ printer: inout ReplayPrinter, only wanted: Set<CommitNumber>?) throws -> [JournalError] {
        try walk(only: wanted) { position, record, answer in
            try printer.take(answer, at: position, .line(record), isChangeKnown: true)
            return !printer.isFull
        }
    }

    /// The line that a forward replay would come to last, if that can be told from the end alone.
    ///
    /// - Returns: false where the query has no output there, or fails, so that the line before it may be the last.
    func takeLast(_ printer: inout ReplayPrinter) throws -> Bool {
        var isTold: Bool?
        _ = try walk(only: nil) { position, record, answer in
            isTold = false
            guard case .value = answer else { return false }
            try printer.take(answer, at: position, .line(record))
            isTold = true
            return false
        }
        if let isTold { return isTold }
        let state = try journal.state(at: range.lower, pruning: question.paths).value
        try printer.takeStart(question.answer(state, at: range.lower, nil, old: .null), at: range.lower)
        return true
    }

    private func walk(
        only wanted: Set<CommitNumber>?,
        _ visit: (CommitNumber, OwnedRecord, ReplayQuestion.Answer) throws -> Bool
    ) throws -> [JournalError] {
        var options = BackwardPass.Options()
        options.keepsRecords = true
        options.recover = recovers
        var pass = try BackwardPass(journal, range, reading: question.paths, options: options)
        while let step = pass.step {
            guard let record = step.record, wanted?.contains(step.position) ?? true else {
                _ = try pass.stepBack()
                continue
            }
            let object = question.needsRecord ? try record.object() : nil
            guard question.usesOld else {
                // Nobody holds the state when the pass goes back over it.
                let answer = try question.answer(pass.state.value, at: step.position, object, old: .null)
                guard try visit(step.position, record, answer) else { break }
                _ = try pass.stepBack()
                continue
            }
            let state = pass.state.value
            _ = try pass.stepBack()
            let answer = try question.answer(state, at: step.position, object, old: pass.state.value)
            guard try visit(step.position, record, answer) else { break }
        }
        return pass.damages
    }
}
