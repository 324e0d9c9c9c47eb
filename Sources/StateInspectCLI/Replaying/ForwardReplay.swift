import JSONCore
import JournalFormat
import TimeTravel

/// The states of a stretch from its first commit to its last, in one pass.
struct ForwardReplay {
    private let journal: Journal
    private let range: PositionRange
    private let question: ReplayQuestion
    private let recovers: Bool

    /// A replay of a stretch; with `recovers` it goes on behind damage.
    init(_ journal: Journal, _ range: PositionRange, _ question: ReplayQuestion, recovers: Bool) {
        self.journal = journal
        self.range = range
        self.question = question
        self.recovers = recovers
    }

    /// Hands the answer at each position to the printer.
    ///
    /// - Parameter progress: told now and then how many bytes and commits were read.
    /// - Returns: the damage that was jumped over.
    func run(_ printer: inout ReplayPrinter, progress: (Int, Int) -> Void) throws -> [JournalError] {
        try walk(progress: progress) { position, record, answer in
            guard let record else {
                try printer.takeStart(answer, at: position)
                return true
            }
            try printer.take(answer, at: position, record)
            return !printer.isFull
        }
    }

    /// The positions whose value differs from the one before that is printed.
    ///
    /// - Complexity: a pass over the stretch; a number for each such position.
    func changedPositions() throws -> Set<CommitNumber> {
        var positions: Set<CommitNumber> = []
        var last: JSONValue?
        _ = try walk(progress: { _, _ in }) { position, record, answer in
            guard record != nil, case .value(let value) = answer, value != last else { return true }
            last = value
            positions.insert(position)
            return true
        }
        return positions
    }

    private func walk(
        progress: (Int, Int) -> Void, _ visit: (CommitNumber, JSONObject?, ReplayQuestion.Answer) throws -> Bool
    ) throws -> [JournalError] {
        var options = PositionPass.Options()
        options.everyCommit = true
        options.keepsRecords = true
        options.recover = recovers
        var pass = try PositionPass(journal, range, reading: question.paths, options: options)
        var old = pass.state.value
        guard try visit(range.lower, nil, question.answer(old, at: range.lower, nil, old: .null)) else { return [] }
        var commit: OwnedRecord?
        var count = 0
        while let settled = try pass.next() {
            if settled.kind == .commit { commit = try pass.record ?? journal.record(of: settled.seq) }
            guard settled.isComplete else { continue }
            let state = pass.state.value
            defer { old = question.usesOld ? state : .null }
            guard let commit, commit.seq == settled.seq else { continue }
            count += 1
            if count % 1024 == 0 { progress(pass.offset.rawValue, count) }
            let record = try commit.object()
            let answer = question.answer(state, at: settled.seq, record, old: old)
            guard try visit(settled.seq, record, answer) else { break }
        }
        return pass.damages
    }
}
