import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

/// A part of a run that was asked at once: what was met in it, and where.
struct StopWindow {
    /// What was met, by position, ascending.
    var hits: [(position: CommitNumber, hits: [StopHit])] = []
    /// The positions that have no state, ascending.
    var holes: [(lost: ClosedRange<CommitNumber>, before: CommitNumber, after: CommitNumber)] = []
    /// The last position before what is in it.
    var lower: CommitNumber
    /// The last position of it.
    var last: CommitNumber
    /// How long it took to come to its first position.
    var opening = Duration.zero
    /// Whether nothing after that could be read, for damage.
    var endsInDamage = false
    /// The damage after which nothing could be read, where the pass met it.
    var damage: JournalError?
    /// Whether it ends before its time.
    var isInterrupted = false

    init(after lower: CommitNumber) {
        self.lower = lower
        last = lower
    }
}

extension Journal {
    /// Asks at the positions after one, up to another.
    ///
    /// Where the first one has no state, the window begins before that.
    ///
    /// - Complexity: that of a seek, and of one pass over the range that is pruned to what is asked about.
    func window(
        _ range: PositionRange, _ judge: inout StopJudge, isInterrupted: () -> Bool
    ) throws(JournalError) -> StopWindow {
        var options = Pass.Options()
        options.reading = judge.reading
        options.everyCommit = judge.asksEveryCommit
        options.keepsRecords = judge.asksRecords
        options.companions = judge.companions
        options.recover = true
        var window = StopWindow(after: range.lower)
        let begin = ContinuousClock.now
        var pass: Pass
        do throws(JournalError) {
            pass = try Pass(self, range, asking: judge.queries, options: options)
        } catch {
            let longer = try longer(range, error)
            window = StopWindow(after: longer.lower)
            pass = try Pass(self, longer, asking: judge.queries, options: options)
        }
        window.opening = ContinuousClock.now - begin
        judge.begin(pass.state, pass.startContext) { pass.memo(of: $0) }
        var asked = 0
        while let step = try pass.next() {
            if let lost = step.lost { window.holes.append((lost, step.before, step.seq)) }
            let context = try pass.context(of: step)
            if judge.asksRecords { judge.note(try pass.record(of: step), pass.companions, pass.state, context) }
            guard step.isComplete else { continue }
            let hits = judge.judge(pass.state, context) { pass.isTouched($0) }
            window.last = step.seq
            if !hits.isEmpty { window.hits.append((step.seq, hits)) }
            asked += 1
            if asked & 0x3F == 0, isInterrupted() {
                window.isInterrupted = true
                return window
            }
        }
        window.last = max(window.last, min(pass.lastCommit, range.upper))
        if let lost = pass.lostEnd {
            window.endsInDamage = true
            window.damage = pass.damages.last
            window.last = lost.lowerBound.previous
        }
        return window
    }

    /// A range that begins where there is a state, in place of one that does not.
    private func longer(_ range: PositionRange, _ error: JournalError) throws(JournalError) -> PositionRange {
        switch error.fact {
        case .insideGap, .damage: break
        default: throw error
        }
        let lower = try lastState(upTo: range.lower.previous).position
        guard lower < range.lower, let longer = PositionRange(lower, range.upper) else { throw error }
        return longer
    }
}
