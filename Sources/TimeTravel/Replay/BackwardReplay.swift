import JSONCore
import JournalFormat
public import JournalReading
import QueryLanguage

/// The lines of a replay from the last commit of a range to its first: those of ``ForwardReplay`` in reverse.
///
/// - Complexity: that of ``Run/here()``; where only changes are wanted, a forward pass besides, and a number for each of them.
public final class BackwardReplay {
    private let question: ReplayQuestion
    private let run: Run
    /// The positions that have a line, where that is known from the front only; nil for all.
    private let wanted: Set<CommitNumber>?
    /// The commits that have no line for want of an answer: what was lost, and where the query fails.
    public private(set) var unanswered: Unanswered

    /// Stands at the end of a range.
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
        var options = Run.Options(reading: question.query.footprint.paths, keepsRecords: true, recover: recover)
        options.standsAtEnd = true
        do throws(JournalError) { _ = try journal.maker(of: range.lower) } catch {
            // A beginning inside a gap is refused before anything is given, as it is forward.
            if case .insideGap = error.fact { throw error }
        }
        run = try Run(journal, range, options: options)
        _ = try run.here()
        if wanted == nil, let lost = run.lostEnd { unanswered.lose(lost) }
        self.question = question
        self.wanted = wanted
        self.unanswered = unanswered
    }

    /// The damage that was jumped over.
    public var damages: [JournalError] { run.damages }

    /// The next line; nil at the beginning of the range.
    public func next() throws(JournalError) -> ReplayLine? {
        while let place = try run.here() { if let line = try nextCommit(place) { return line } }
        return nil
    }

    func lastCommit() throws(JournalError) -> ReplayLine? {
        while let place = try run.here() {
            let line = try nextCommit(place)
            if place.record != nil { return line }
        }
        return nil
    }

    private func nextCommit(_ place: WayBack.ReversiblePosition) throws(JournalError) -> ReplayLine? {
        let position = place.position
        guard let commit = place.record else {
            try goBack()
            return nil
        }
        guard wanted?.contains(position) ?? true else {
            try goBack()
            return nil
        }
        let answer: QueryOutcome
        if question.query.footprint.usesOld {
            let state = run.state
            try goBack()
            answer = try self.answer(commit, state, old: run.state)
        } else {
            // The state must not be shared when the pass goes back over it, or it would be copied.
            answer = try self.answer(commit, run.state, old: .null)
            try goBack()
        }
        if let error = answer.error { unanswered.fail(error, at: position) }
        return ReplayLine(answer, at: position, commit)
    }

    private func goBack() throws(JournalError) {
        guard let place = try run.previous(), wanted == nil else { return }
        let before = run.positionState.position
        if place.record == nil, before < place.position {
            unanswered.lose(before.next...place.position)
        } else if let lost = place.lost {
            unanswered.lose(lost)
        }
    }

    private func answer(_ commit: OwnedRecord, _ state: JSONValue, old: JSONValue) throws(JournalError) -> QueryOutcome
    {
        // What is wanted was asked about already.
        if wanted == nil, try !question.asks(about: commit, state, old) { return .nothing }
        return question.answer(state, try question.context(at: commit, old: old))
    }
}
