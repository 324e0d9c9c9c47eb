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
    /// - Parameter onlyChanges: whether answers that are equal to the one before are not wanted anyway.
    /// - Returns: the damage that was jumped over.
    func run(_ printer: inout ReplayPrinter, onlyChanges: Bool) throws -> [JournalError] {
        try walk(onlyChanges: onlyChanges) { position, record, answer in
            guard let record else {
                try printer.takeStart(answer, at: position)
                return true
            }
            try printer.take(answer, at: position, .line(record))
            return !printer.isFull
        }
    }

    /// The positions whose value differs from the one before that is printed.
    ///
    /// - Complexity: a pass over the stretch; a number for each such position.
    func changedPositions() throws -> Set<CommitNumber> {
        var positions: Set<CommitNumber> = []
        var last: JSONValue?
        _ = try walk(onlyChanges: true) { position, record, answer in
            guard record != nil, case .value(let value) = answer, value != last else { return true }
            last = value
            positions.insert(position)
            return true
        }
        return positions
    }

    /// What is told of a position, whose record is nil at the start; false ends the walk.
    private typealias Visit = (CommitNumber, OwnedRecord?, ReplayQuestion.Answer) throws -> Bool

    /// Visits the positions; where only changes are wanted, those that cannot have one are passed over unread.
    private func walk(onlyChanges: Bool, _ visit: Visit) throws -> [JournalError] {
        guard onlyChanges, question.dependsOnStateOnly else {
            return try pass(over: range, everyCommit: true, visit)
        }
        // The first commit has a line whatever it touches: there is none before it that it could equal.
        var first: CommitNumber?
        var wantsMore = true
        let damages = try pass(over: range, everyCommit: true) { position, record, answer in
            wantsMore = try visit(position, record, answer)
            first = record == nil ? nil : position
            return record == nil && wantsMore
        }
        guard let first, wantsMore, let rest = PositionRange(first, range.upper) else { return damages }
        return try damages
            + pass(over: rest, everyCommit: false) { position, record, answer in
                try record == nil || visit(position, record, answer)
            }
    }

    private func pass(
        over range: PositionRange, everyCommit: Bool, _ visit: Visit
    ) throws -> [JournalError] {
        var options = PositionPass.Options()
        options.everyCommit = everyCommit
        options.keepsRecords = true
        options.recover = recovers
        var pass = try PositionPass(journal, range, reading: question.paths, options: options)
        var old = pass.state.value
        guard try visit(range.lower, nil, try question.answer(old, at: range.lower, nil, old: .null)) else { return [] }
        var last: OwnedRecord?
        while let settled = try pass.next() {
            if settled.kind == .commit { last = try pass.record ?? journal.record(of: settled.seq) }
            guard settled.isComplete else { continue }
            let state = pass.state.value
            defer { old = question.usesOld ? state : .null }
            guard let commit = try commit(of: settled, last) else { continue }
            let record = question.needsRecord ? try commit.object() : nil
            let answer = try question.answer(state, at: settled.seq, record, old: old)
            guard try visit(settled.seq, commit, answer) else { break }
        }
        return pass.damages
    }

    /// The commit of a position, which may have been passed over where a store opened behind it; nil where none was kept.
    private func commit(of settled: PositionPass.Step, _ last: OwnedRecord?) throws -> OwnedRecord? {
        if let last, last.seq == settled.seq { return last }
        guard settled.kind == .store else { return nil }
        return try journal.keptRecord(of: settled.seq)
    }
}
