import JSONCore
import JournalFormat
import TimeTravel

/// The states of a stretch from its last commit to its first, each commit undone by what it says was there before.
struct BackwardReplay {
    private let journal: Journal
    private let range: PositionRange
    private let question: ReplayQuestion

    /// A replay of a stretch.
    init(_ journal: Journal, _ range: PositionRange, _ question: ReplayQuestion) {
        self.journal = journal
        self.range = range
        self.question = question
    }

    /// Hands the answer at each position to the printer.
    ///
    /// - Parameter wanted: the positions that are printed; nil for all.
    func run(_ printer: inout ReplayPrinter, only wanted: Set<CommitNumber>?) throws {
        var options = BackwardPass.Options()
        options.keepsRecords = true
        var pass = try BackwardPass(journal, range, reading: question.paths, options: options)
        while let step = pass.step {
            let state = pass.state.value
            _ = try pass.stepBack()
            guard let record = step.record, wanted?.contains(step.position) ?? true else { continue }
            let old = question.usesOld ? pass.state.value : .null
            let object = try record.object()
            let answer = try question.answer(state, at: step.position, object, old: old)
            try printer.take(answer, at: step.position, .object(object), isChangeKnown: true)
            if printer.isFull { return }
        }
    }
}
