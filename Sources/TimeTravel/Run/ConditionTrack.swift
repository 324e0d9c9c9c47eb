import JSONCore
import JournalFormat
import JournalReading
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
    /// The output that made the first bad position bad; nil where it is bad for want of one.
    private(set) var value: JSONValue?
    /// The state at the first bad position, as far as it is read.
    private(set) var badState: JSONValue?

    private let skip: CommitList
    /// Verdicts on states inside one position, of which only the last one counts, and their records.
    private var between: [(author: FlipTracker.Author, verdict: Bool?)] = []
    /// A verdict that holds from a skipped position on, until the next one is noted.
    private var deferred: (position: CommitNumber, verdict: Condition.Verdict)?

    /// - Parameters:
    ///   - skip: positions that are not judged.
    ///   - keepsTurns: whether each record that turned it bad is noted.
    init(
        _ condition: Condition, from lower: CommitNumber, skip: CommitList = CommitList(), keepsTurns: Bool = false
    ) {
        self.condition = condition
        self.skip = skip
        tracker = FlipTracker(from: lower, keepsTurns: keepsTurns)
    }

    /// Judges the state at the start of a pass's range.
    ///
    /// - Parameter question: which of the pass's questions the condition is.
    mutating func begin(_ run: Run, _ question: Int, at position: CommitNumber) {
        begin(
            condition.judge(run.state, run.startContext, run.memo(of: question), wantsValue: true),
            at: position)
    }

    /// Takes what the state at the start of the range was found to be.
    mutating func begin(_ judgement: Condition.Judgement, at position: CommitNumber) {
        take(judgement, at: position, by: .commit(position))
    }

    /// Judges the state after a step of a pass.
    mutating func note(_ step: Run.Step, _ state: JSONValue, _ context: QueryContext, _ memo: QueryMemo?) {
        let wantsValue = step.isComplete && tracker.firstBad == nil
        note(step, condition.judge(state, context, memo, wantsValue: wantsValue))
    }

    /// Takes what the state after a step was found to be.
    mutating func note(_ step: Run.Step, _ judgement: Condition.Judgement) {
        if step.isComplete, !step.isJump, between.isEmpty, skip.isEmpty, tracker.holds(judgement.verdict) {
            tested += 1
            return
        }
        noteDeferred(before: step.before.next)
        if step.isJump { tracker.noteJump(from: step.before, to: step.seq) } else { noteDeferred(before: step.seq) }
        deferred = nil
        guard step.isComplete else {
            tested += 1
            between.append((step.author, judgement.verdict.isBad))
            return
        }
        take(judgement, at: step.seq, by: step.author)
        between.removeAll()
    }

    /// Counts states that were judged and had the verdict of the state before.
    mutating func count(tested states: Int) { tested += states }

    /// Takes a step whose position is not asked about: only whether it is bad is remembered.
    mutating func passOver(_ step: Run.Step, _ state: JSONValue, _ context: QueryContext, _ memo: QueryMemo?) {
        if step.isJump { tracker.noteJump(from: step.before, to: step.seq) }
        guard step.isComplete else { return }
        let isBad = condition.judge(state, context, memo, wantsValue: false).verdict.isBad
        tracker.passOver(isBad, at: step.seq, by: step.author)
    }

    /// Takes the verdict held last for all up to the end of the range.
    ///
    /// - Parameter lost: the positions at the end that have no state.
    mutating func finish(_ range: PositionRange, lost: ClosedRange<CommitNumber>?) {
        noteDeferred(before: lost?.lowerBound ?? range.upper.next)
        tracker.finish(range, lost: lost)
    }

    private mutating func take(
        _ judgement: Condition.Judgement, at position: CommitNumber, by author: FlipTracker.Author
    ) {
        tested += 1
        let verdict = judgement.verdict
        if skip.contains(position) {
            tracker.noteSkipped(at: position)
            deferred = (position, verdict)
            return
        }
        if verdict == .bad, tracker.firstBad == nil { (value, badState) = (judgement.value, judgement.state) }
        tracker.note(verdict, at: position, by: turningAuthor(of: verdict.isBad, last: author))
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
        var next = position.next
        while next < limit, skip.contains(next) { next = next.next }
        guard next < limit else { return }
        deferred = nil
        tracker.note(verdict, at: next, by: .commit(next))
    }
}

extension Run.Step {
    /// Its record.
    var author: FlipTracker.Author { offset.map { .line($0) } ?? .commit(seq) }
}

extension Journal {
    /// The record that decided a verdict.
    func record(of author: FlipTracker.Author) throws(JournalError) -> OwnedRecord {
        switch author {
        case .commit(let commit): try record(of: commit)
        case .line(let offset): try record(at: offset)
        }
    }
}
