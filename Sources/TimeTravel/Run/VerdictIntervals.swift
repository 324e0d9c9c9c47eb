public import JournalFormat
public import JournalReading
import QueryLanguage

/// What a condition says at the positions of a range, found out as far as it is asked for.
///
/// Positions in a row with one verdict are one interval, so it can be asked for any position again, in any order, at the cost
/// of a pruned pass up to the furthest of them.
///
/// - Complexity: the bytes of the range are scanned at most once; memory is that of the pruned state and of the changes of
///   the verdict.
public final class VerdictIntervals {
    private struct Interval {
        let first: CommitNumber
        let verdict: Condition.Verdict
    }

    private let condition: Condition
    private var run: Run
    private var intervals: [Interval] = []
    private var known: CommitNumber
    private var isAtEnd = false
    private var damage: JournalError?

    /// Stands at the beginning of a range.
    ///
    /// - Throws: `JournalError` where the state there is not known.
    public init(
        _ condition: Condition, _ range: PositionRange, in journal: Journal, recover: Bool = false
    ) throws(JournalError) {
        self.condition = condition
        known = range.lower
        var options = Run.Options()
        options.recover = recover
        run = try Run(journal, range, asking: [condition.query], options: options)
        note(run.startContext, at: range.lower)
    }

    /// What the condition says of the state after a commit of the range.
    ///
    /// - Throws: `JournalError` where damage lies before it.
    public func verdict(at position: CommitNumber) throws(JournalError) -> Condition.Verdict {
        while !isAtEnd, position > known { advance() }
        if let damage, position > known { throw damage }
        return intervals[index(of: position)].verdict
    }

    private func advance() {
        do throws(JournalError) {
            guard let step = try run.next() else {
                isAtEnd = true
                return
            }
            if step.isComplete { note(try run.context(of: step), at: step.seq) }
        } catch {
            damage = error
            isAtEnd = true
        }
    }

    private func note(_ context: QueryContext, at position: CommitNumber) {
        let verdict = condition.judge(run.state, context, run.memo(of: 0), wantsValue: false).verdict
        known = position
        if verdict != intervals.last?.verdict { intervals.append(Interval(first: position, verdict: verdict)) }
    }

    /// The last interval that begins at a position or before it.
    private func index(of position: CommitNumber) -> Int {
        var (low, high) = (0, intervals.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if intervals[middle].first <= position { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
