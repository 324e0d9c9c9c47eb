import JSONCore
import JournalFormat
public import JournalReading
import QueryLanguage

/// Finds every turn between good and bad in one pass over a range.
///
/// The state is pruned to what the query reads, and the query runs only where a commit touched that; in between the verdict
/// cannot change. So a state that went bad, was mended and went bad again is reported as such, which no binary search can do.
///
/// - Complexity: the bytes of the range are scanned once; the query runs once for each commit that touches its footprint.
public enum FlipScan {
    /// Scans a range of a journal.
    ///
    /// - Throws: `JournalError` where the journal is damaged and `options.recover` is not set.
    public static func run(
        _ journal: Journal, _ range: PositionRange, _ condition: Condition, options: BisectOptions = BisectOptions()
    ) throws(JournalError) -> BisectAnswer {
        let found = try ConditionScan.run(journal, range, [condition], options: options)
        let (track, tracker) = (found.tracks[0], found.tracks[0].tracker)
        var answer = BisectAnswer()
        answer.flips = tracker.flips
        answer.isBadAtStart = tracker.isBadAtStart
        answer.isBadAtEnd = tracker.isBadAtEnd
        answer.firstMended = tracker.firstMended
        answer.tested = track.tested
        answer.skipped = tracker.skipped
        answer.unanswered = tracker.unanswered
        answer.damages = found.damages
        if let turn = tracker.firstTurn {
            answer.firstBad = try journal.record(of: turn.author)
            answer.lastGood = turn.lastGood
            answer.candidates = turn.candidates
            answer.crossesGap = turn.crossesGap
            answer.badBefore = try turn.badBefore.map { (author) throws(JournalError) in try journal.record(of: author)
            }
        }
        if tracker.firstBad?.position == answer.firstBad?.seq ?? range.lower { answer.firstBadState = track.badState }
        if let turn = tracker.lastTurn, answer.isBadAtEnd != false {
            answer.lastFlip = try journal.record(of: turn.author)
        }
        return answer
    }
}
