import JSONCore
import JournalFormat
import QueryLanguage

/// One condition on its way over the states of a pass: it judges them and remembers where the verdict turned.
///
/// Several can share a pass. Where several records change the state between two positions, the states between are judged
/// too, and the last record at which the verdict turned is its author.
struct ConditionTrack {
    let condition: Condition
    private(set) var tracker: FlipTracker
    /// How many states were judged.
    private(set) var tested = 0

    private let skip: CommitList
    /// Verdicts on states inside one position, of which only the last one counts, and their records.
    private var between: [(author: FlipTracker.Author, verdict: Bool?)] = []
    /// A verdict that holds from a skipped position on, until the next one is told.
    private var deferred: (position: CommitNumber, verdict: Condition.Verdict)?

    /// Whether the last state that was judged may not be the one at its position.
    var isInsidePosition: Bool { !between.isEmpty }

    /// - Parameter skip: positions that are not judged.
    init(_ condition: Condition, over range: PositionRange, skip: CommitList = CommitList()) {
        self.condition = condition
        self.skip = skip
        tracker = FlipTracker(range)
    }

    /// Judges the state at the start of the range.
    mutating func begin(_ state: JSONValue, at position: CommitNumber) {
        judgeAndNote(state, at: position, by: .commit(position), QueryContext(seq: position.rawValue))
    }

    /// Judges the state after a record.
    mutating func note(_ settled: PositionPass.Settled, _ state: JSONValue, _ context: QueryContext) {
        noteDeferred(before: settled.seq)
        let author = settled.offset.map { FlipTracker.Author.line($0) } ?? .commit(settled.seq)
        guard settled.isComplete else {
            between.append((author, judge(state, context).isBad))
            return
        }
        judgeAndNote(state, at: settled.seq, by: author, context)
        between.removeAll()
    }

    /// Notes that the commits behind a position were lost.
    mutating func noteGap(after position: CommitNumber) { tracker.noteGap(after: position) }

    /// Takes the verdict held last for all up to the end of the range.
    mutating func finish(_ range: PositionRange) {
        noteDeferred(before: range.upper.next)
        tracker.finish()
    }

    private mutating func judgeAndNote(
        _ state: JSONValue, at position: CommitNumber, by author: FlipTracker.Author, _ context: QueryContext
    ) {
        let verdict = judge(state, context)
        if skip.contains(position) {
            tracker.note(nil, at: position, by: author)
            deferred = (position, verdict)
            return
        }
        if case .failed(let error) = verdict { tracker.noteFailure(error, at: position) }
        tracker.note(verdict.isBad, at: position, by: turningAuthor(of: verdict.isBad, last: author))
    }

    private mutating func judge(_ state: JSONValue, _ context: QueryContext) -> Condition.Verdict {
        tested += 1
        return condition.verdict(on: state, context: context)
    }

    /// The last of a position's records at which the verdict turned to what it is at the end.
    private func turningAuthor(of verdict: Bool?, last: FlipTracker.Author) -> FlipTracker.Author {
        var author = last
        for step in between.reversed() {
            if step.verdict != verdict { return author }
            author = step.author
        }
        return author
    }

    /// A position on the skip list is not judged, but the next one that is not on it has the same state and is.
    private mutating func noteDeferred(before limit: CommitNumber) {
        guard let (position, verdict) = deferred else { return }
        deferred = nil
        var next = position.next
        while next < limit, skip.contains(next) { next = next.next }
        if next < limit { tracker.note(verdict.isBad, at: next, by: .commit(next)) }
    }
}

extension Journal {
    /// The record behind a verdict.
    func record(of author: FlipTracker.Author) throws(JournalError) -> OwnedRecord {
        switch author {
        case .commit(let commit): try record(of: commit)
        case .line(let offset): try record(at: offset)
        }
    }
}
