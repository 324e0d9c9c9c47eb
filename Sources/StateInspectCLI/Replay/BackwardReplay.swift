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
        var timeline = try Timeline(journal, reading: question.paths)
        try timeline.jump(to: range.upper)
        var reader = try journal.recordsBackward()
        while let line = try reader.next(), line.seq > range.lower {
            guard line.kind == .commit, line.seq <= range.upper else { continue }
            let position = line.seq
            while timeline.position > position, try timeline.stepBackward() {}
            guard timeline.position == position, wanted?.contains(position) ?? true else { continue }
            let record = try line.object()
            let state = timeline.state.value
            var old = JSONValue.null
            if question.usesOld, try timeline.stepBackward() { old = timeline.state.value }
            let answer = try question.answer(state, at: position, record, old: old)
            try printer.take(answer, at: position, .object(record), isChangeKnown: true)
            if printer.isFull { return }
        }
    }
}
