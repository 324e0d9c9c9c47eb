import JSONCore
public import JournalFormat
import QueryLanguage

/// Finds every turn between good and bad in one pass over a stretch.
///
/// The state is pruned to what the query reads, and the query runs only where a commit touched that; in between the verdict
/// cannot change. So a state that went bad, was mended and went bad again is told as such, which no binary search can do.
///
/// - Complexity: the bytes of the stretch are scanned once; the query runs once for each commit that touches its footprint.
public struct FlipScan: ~Copyable {
    /// How many records lie between two reports of progress.
    private static let progressInterval = 4096

    private let journal: Journal
    private let range: PositionRange
    private let condition: Condition
    private let options: BisectOptions
    private var pass: PositionPass
    private var tracker: FlipTracker
    private var tested = 0
    /// The state at the position before, kept for `$old` only.
    private var old = JSONValue.null
    /// Verdicts on states inside one position, of which only the last one counts, and their records.
    private var between: [(author: FlipTracker.Author, verdict: Bool?)] = []
    /// A verdict that holds from a skipped position on, until the next one is told.
    private var deferred: (position: CommitNumber, verdict: Condition.Verdict)?

    /// Scans a stretch of a journal.
    ///
    /// - Throws: `JournalError` where the journal is damaged and `options.recover` is not set.
    public static func run(
        _ journal: Journal, _ range: PositionRange, _ condition: Condition, options: BisectOptions = BisectOptions()
    ) throws(JournalError) -> BisectAnswer {
        var reading = condition.query.footprint.paths
        if let path = options.path { reading.insert(path) }
        return try reading.orEverything { (set) throws(JournalError) in
            var scan = try FlipScan(journal, range, condition, options, reading: set)
            return try scan.answer()
        }
    }

    private init(
        _ journal: Journal, _ range: PositionRange, _ condition: Condition, _ options: BisectOptions,
        reading set: PathSet
    ) throws(JournalError) {
        self.journal = journal
        self.range = range
        self.condition = condition
        self.options = options
        let footprint = condition.query.footprint
        var passOptions = PositionPass.Options()
        passOptions.everyCommit = footprint.usesCommit || footprint.usesOld
        passOptions.keepsRecords = footprint.usesCommit || options.path != nil
        passOptions.recover = options.recover
        pass = try PositionPass(journal, range, reading: set, options: passOptions)
        tracker = FlipTracker(range)
    }

    private mutating func answer() throws(JournalError) -> BisectAnswer {
        try noteStart()
        var count = 0
        while let settled = try pass.next() {
            count += 1
            if count % FlipScan.progressInterval == 0, let report = options.progress {
                report(pass.lastCommit.rawValue - range.lower.rawValue, pass.offset.rawValue)
            }
            try note(settled)
        }
        noteDeferred(before: range.upper.next)
        tracker.finish()
        return try finish()
    }

    // MARK: Verdicts

    private mutating func noteStart() throws(JournalError) {
        let context = QueryContext(seq: range.lower.rawValue)
        judgeAndNote(at: range.lower, by: .commit(range.lower), context)
    }

    private mutating func note(_ settled: PositionPass.Settled) throws(JournalError) {
        if settled.kind == .gap || settled.kind == .keyframe { tracker.noteGap(after: settled.before) }
        if let path = options.path, !touches(path) { return }
        noteDeferred(before: settled.seq)
        let author = settled.offset.map { FlipTracker.Author.line($0) } ?? .commit(settled.seq)
        let context = try self.context(of: settled)
        guard settled.isComplete else {
            between.append((author, judge(context, at: settled.seq).isBad))
            return
        }
        judgeAndNote(at: settled.seq, by: author, context)
        between.removeAll()
    }

    private mutating func judgeAndNote(
        at position: CommitNumber, by author: FlipTracker.Author, _ context: QueryContext
    ) {
        let verdict = judge(context, at: position)
        if condition.query.footprint.usesOld { old = pass.state.value }
        if options.skip.contains(position) {
            tracker.note(nil, at: position, by: author)
            deferred = (position, verdict)
            return
        }
        if case .failed(let error) = verdict { tracker.noteFailure(error, at: position) }
        tracker.note(verdict.isBad, at: position, by: turningAuthor(of: verdict.isBad, last: author))
    }

    private mutating func judge(_ context: QueryContext, at position: CommitNumber) -> Condition.Verdict {
        tested += 1
        return condition.verdict(on: pass.state.value, context: context)
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
        while next < limit, options.skip.contains(next) { next = next.next }
        if next < limit { tracker.note(verdict.isBad, at: next, by: .commit(next)) }
    }

    private func touches(_ path: JSONPointer) -> Bool {
        guard let record = pass.record else { return true }
        return CommitTouch(record).touches(PathSet(path), in: pass.state.value)
    }

    private func context(of settled: PositionPass.Settled) throws(JournalError) -> QueryContext {
        guard let record = pass.record, condition.query.footprint.usesCommit else {
            return QueryContext(old: old, seq: settled.seq.rawValue)
        }
        return try QueryContext(record: record, old: old)
    }

    // MARK: The answer

    private mutating func finish() throws(JournalError) -> BisectAnswer {
        var answer = BisectAnswer()
        answer.flips = tracker.flips
        answer.isBadAtStart = tracker.isBadAtStart
        answer.isBadAtEnd = tracker.isBadAtEnd
        answer.tested = tested
        answer.skipped = tracker.skipped
        answer.firstFailure = tracker.firstFailure
        answer.damages = pass.damages
        if let turn = tracker.firstTurn {
            answer.firstBad = try record(of: turn.author)
            answer.lastGood = turn.lastGood
            answer.candidates = turn.candidates
            answer.crossesGap = turn.crossesGap
        }
        if let turn = tracker.lastTurn { answer.lastFlip = try record(of: turn.author) }
        return answer
    }

    private func record(of author: FlipTracker.Author) throws(JournalError) -> OwnedRecord? {
        switch author {
        case .commit(let commit): try journal.record(of: commit)
        case .line(let offset): try journal.record(at: offset)
        }
    }
}
