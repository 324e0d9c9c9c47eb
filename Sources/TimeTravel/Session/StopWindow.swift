import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

struct StopWindow {
    /// Ascending.
    var hits: [(position: CommitNumber, hits: [StopHit])] = []
    /// Ascending.
    var holes: [(lost: ClosedRange<CommitNumber>, before: CommitNumber, after: CommitNumber)] = []
    var lower: CommitNumber
    var last: CommitNumber
    var opening = Duration.zero
    var endsInDamage = false
    var damage: JournalError?
    var isInterrupted = false
    private var asked = 0

    init(after lower: CommitNumber) {
        self.lower = lower
        last = lower
    }

    /// Returns whether to ask at the next one.
    mutating func take(_ hits: [StopHit], at position: CommitNumber, unless isInterrupted: () -> Bool) -> Bool {
        last = position
        if !hits.isEmpty { self.hits.append((position, hits)) }
        asked += 1
        self.isInterrupted = asked & 0x3F == 0 && isInterrupted()
        return !self.isInterrupted
    }
}

extension RunStates {
    /// Asks at the positions after one, or after the last before it that has a state; one pass, pruned to what is asked about.
    func window(
        _ range: PositionRange, _ judge: StopJudge, isInterrupted: () -> Bool
    ) throws(JournalError) -> StopWindow {
        var (range, judge) = (range, judge)
        let journal = journal.recovering()
        // Without some commits the states are held whole from the first of them on: what that needs is read before it, too.
        var options = Run.Options(
            reading: isSkipping ? .everything : judge.reading, everyCommit: judge.asksEveryCommit || isSkipping,
            keepsRecords: judge.asksRecords, companions: judge.companions, recover: true)
        options.states = self
        if isSkipping { options.choice = Run.Choice(without: skipped) }
        var window = StopWindow(after: range.lower)
        let begin = ContinuousClock.now
        if isDiverged(at: range.lower) {
            let first = try lastState(upTo: range.lower)
            options.base = (first, isDiverged: isDiverged(at: first.position))
            window = StopWindow(after: first.position)
            guard let rest = PositionRange(first.position, range.upper) else { return window }
            range = rest
        }
        var run: Run
        do throws(JournalError) {
            run = try Run(journal, range, asking: judge.queries, options: options)
        } catch {
            let longer = try longer(range, error)
            window = StopWindow(after: longer.lower)
            run = try Run(journal, longer, asking: judge.queries, options: options)
        }
        window.opening = ContinuousClock.now - begin
        judge.begin(run.state, run.startContext) { run.memo(of: $0) }
        while let step = try run.next() {
            if let lost = lost(step.lost) {
                window.holes.append((lost, isSkipping ? window.last : step.before, step.seq))
            }
            let context = try run.context(of: step)
            if judge.asksRecords { judge.note(try run.record(of: step), run.companions, run.state, context) }
            guard step.isComplete else { continue }
            let hits = judge.judge(run.state, context) { run.isTouched($0) }
            guard window.take(hits, at: step.seq, unless: isInterrupted) else { return window }
        }
        window.last = max(window.last, min(run.lastCommit, range.upper))
        if let lost = lost(run.lostEnd) {
            window.endsInDamage = true
            window.damage = run.damages.last
            window.last = lost.lowerBound.previous
        }
        return window
    }

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

/// How many positions a scan asks at once: few at first, since the answer is mostly near, then as many as less than a
/// tenth of a second takes, so that it can be stopped; but not fewer than are worth the way to the first of them.
struct WindowSize {
    private(set) var count = 256
    private let clock = ContinuousClock()

    private static let largest = 1 << 20
    private static let (short, long) = (Duration.milliseconds(25), Duration.milliseconds(80))

    func end(after lower: CommitNumber, _ limit: CommitNumber) -> CommitNumber {
        limit.rawValue - lower.rawValue <= count ? limit : CommitNumber(lower.rawValue + count)
    }

    func start(before upper: CommitNumber, _ limit: CommitNumber) -> CommitNumber {
        upper.rawValue - limit.rawValue <= count ? limit : CommitNumber(upper.rawValue - count)
    }

    mutating func measured<Failure: Error>(_ work: () throws(Failure) -> StopWindow) throws(Failure) -> StopWindow {
        let begin = clock.now
        let window = try work()
        note(total: clock.now - begin, opening: window.opening)
        return window
    }

    /// Takes the next window's size from the time that one took, and how much of that went by before its first position was asked.
    mutating func note(total: Duration, opening: Duration) {
        let asking = total - opening
        if count < WindowSize.largest, total < WindowSize.short {
            count *= 2
        } else if count < WindowSize.largest, asking * 8 < opening {
            count = min(count * 8, WindowSize.largest)
        } else if asking > WindowSize.long, asking > opening {
            count = max(count / 2, 256)
        }
    }

    /// A window that lies within one hole has to become longer.
    mutating func hasMoved(_ moved: Bool) { if !moved { count = min(count * 4, .max / 8) } }
}
