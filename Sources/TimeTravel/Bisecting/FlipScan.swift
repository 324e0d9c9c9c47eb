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
    private let journal: Journal
    private let range: PositionRange
    private let options: BisectOptions
    private var pass: QueryPass
    private var track: ConditionTrack

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
        var passOptions = PositionPass.Options()
        passOptions.keepsRecords = options.path != nil
        passOptions.recover = options.recover
        // What throws comes first: a struct that cannot be copied is destroyed wrongly where it was half made.
        let pass = try QueryPass(
            journal, range, reading: set, for: [condition.query.footprint], options: passOptions,
            progress: options.progress)
        self.journal = journal
        self.range = range
        self.options = options
        self.pass = pass
        track = ConditionTrack(condition, over: range, skip: options.skip)
    }

    private mutating func answer() throws(JournalError) -> BisectAnswer {
        track.begin(pass.state, at: range.lower)
        while let settled = try pass.next() { try note(settled) }
        track.finish(range)
        return try finish()
    }

    private mutating func note(_ settled: PositionPass.Settled) throws(JournalError) {
        if settled.kind == .gap || settled.kind == .keyframe { track.noteGap(after: settled.before) }
        let isJudged = if let path = options.path { touches(path) } else { true }
        if isJudged { track.note(settled, pass.state, try pass.context(of: settled)) }
        // `$old` is the state at the position before, whether that was asked or not.
        if settled.isComplete { pass.keepOld() }
    }

    private func touches(_ path: JSONPointer) -> Bool {
        guard let record = pass.record else { return true }
        return CommitTouch(record).touches(PathSet(path), in: pass.state)
    }

    // MARK: The answer

    private mutating func finish() throws(JournalError) -> BisectAnswer {
        let tracker = track.tracker
        var answer = BisectAnswer()
        answer.flips = tracker.flips
        answer.isBadAtStart = tracker.isBadAtStart
        answer.isBadAtEnd = tracker.isBadAtEnd
        answer.tested = track.tested
        answer.skipped = tracker.skipped
        answer.firstFailure = tracker.firstFailure
        answer.damages = pass.damages
        if let turn = tracker.firstTurn {
            answer.firstBad = try journal.record(of: turn.author)
            answer.lastGood = turn.lastGood
            answer.candidates = turn.candidates
            answer.crossesGap = turn.crossesGap
        }
        if let turn = tracker.lastTurn { answer.lastFlip = try journal.record(of: turn.author) }
        return answer
    }
}
