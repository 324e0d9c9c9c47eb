import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

/// A cursor in a run as it would have been without some commits.
///
/// The positions are those of the commits that stay. Before the first commit that is left out the run is the journal's own;
/// after it states of the run itself are kept here and there, from which the others are replayed.
final class SkippedCursor: RunCursor {
    private let journal: Journal
    private let skipped: CommitList
    /// The states of the journal itself, and the last position that it has the state of.
    private let states: RunStates
    private let base: CommitNumber
    private var kept = KeptStates()
    private var forward: Run?
    private var conflicts: [Run.Conflict] = []
    private var reported: Set<CommitNumber> = []
    private(set) var state: PositionState
    let bounds: PositionRange

    /// - Parameter first: the first commit that is left out.
    init(
        _ states: RunStates, without skipped: CommitList, first: CommitNumber, at position: CommitNumber
    ) throws(JournalError) {
        journal = states.journal.recovering()
        self.skipped = skipped
        self.states = states
        bounds = try states.bounds()
        base = try states.lastState(upTo: first.previous).position
        state = try states.lastState(upTo: min(position, base))
        try move(to: position)
    }

    func move(to position: CommitNumber) throws(JournalError) {
        if position == self.position { return }
        let found = try replayed(to: position)
        // What was lost has no state in any run.
        if lost(found.position, position.next) != nil { _ = try journal.state(at: position) }
        stand(at: found)
    }

    private func stand(at found: PositionState) {
        forward = nil
        state = found
    }

    func step(_ direction: SessionDirection) throws(JournalError) -> CursorStep {
        let before = position
        guard direction == .forward else {
            guard before > bounds.lower else { return .atEnd }
            stand(at: try replayed(to: before.previous))
            return .moved(lost: lost(position, before))
        }
        guard before < bounds.upper, let range = PositionRange(before, bounds.upper) else { return .atEnd }
        let run = if let forward { forward } else { try start(range, from: state) }
        // After the last position there may be a store that opened after a commit that is left out.
        guard try advance(run) else {
            forward = nil
            return .atEnd
        }
        state = run.positionState
        forward = run
        return .moved(lost: lost(before, position))
    }

    func lostEnd() -> ClosedRange<CommitNumber>? { lost(position, bounds.upper.next) }

    func stateBefore(reading paths: PathSet) throws(JournalError) -> JSONValue {
        position > bounds.lower ? try state(at: position.previous, reading: paths) : .null
    }

    func state(at position: CommitNumber, reading paths: PathSet) throws(JournalError) -> JSONValue {
        position == self.position ? state.value : try replayed(to: position).value
    }

    func takeConflicts() -> [Run.Conflict] {
        defer { conflicts = [] }
        return conflicts
    }

    // MARK: Asking

    func window(
        _ range: PositionRange, _ judge: StopJudge, isInterrupted: () -> Bool
    ) throws(JournalError) -> StopWindow {
        var judge = judge
        let begin = ContinuousClock.now
        let first = try replayed(to: range.lower)
        var window = StopWindow(after: first.position)
        var before = try first.position > bounds.lower ? replayed(to: first.position.previous).value : .null
        window.opening = ContinuousClock.now - begin
        let record = try journal.keptRecord(of: first.position)
        judge.begin(first.value, try context(record, first.position, old: before))
        guard let rest = PositionRange(first.position, range.upper) else { return window }
        let run = try start(rest, from: first, companions: judge.companions)
        before = first.value
        while let step = try run.next() {
            let context = try context(run.commit(of: step), step.seq, old: before)
            judge.note(try run.record(of: step), run.companions, run.state, context)
            guard step.isComplete else { continue }
            if let lost = lost(window.last, step.seq) { window.holes.append((lost, window.last, step.seq)) }
            let hits = judge.judge(run.state, context) { _ in true }
            before = run.state
            guard window.take(hits, at: step.seq, unless: isInterrupted) else { return window }
        }
        window.endsInDamage = lost(window.last, range.upper.next) != nil
        if !window.endsInDamage { window.last = range.upper }
        return window
    }

    private func context(
        _ record: OwnedRecord?, _ position: CommitNumber, old: JSONValue
    ) throws(JournalError) -> QueryContext {
        // Of a gap, or after damage, there is no commit.
        guard let record, record.kind == .commit else { return QueryContext(old: old, seq: position.rawValue) }
        return try QueryContext(record: record, old: old)
    }

    // MARK: Replaying

    /// The run from a state on.
    private func start(
        _ range: PositionRange, from state: PositionState, companions: RecordKinds = []
    ) throws(JournalError) -> Run {
        var options = Run.Options()
        options.reading = .everything
        options.everyCommit = true
        options.keepsRecords = true
        options.companions = companions
        options.recover = true
        options.choice = Run.Choice(without: skipped)
        options.base = (state, isDiverged: range.lower > base)
        return try Run(journal, range, options: options)
    }

    /// The state at a position, or at the last one before it that the run has.
    private func replayed(to position: CommitNumber) throws(JournalError) -> PositionState {
        if position <= base { return try states.lastState(upTo: position) }
        if position > bounds.upper {
            throw JournalError(
                path: journal.path, .pastEnd(asked: position, first: bounds.lower, last: bounds.upper))
        }
        let start = if let known = kept.last(upTo: position) { known } else { try states.lastState(upTo: base) }
        guard let range = PositionRange(start.position, position) else { return start }
        let run = try self.start(range, from: start)
        while try advance(run) { kept.offer(run.positionState, after: base) }
        // A store that opened after a commit that is left out belongs to no position before the next one.
        let end = run.positionState
        return end.position < position ? try replayed(to: end.position) : end
    }

    /// Goes to the next position; false at the end.
    private func advance(_ run: Run) throws(JournalError) -> Bool {
        func note() {
            for conflict in run.takeConflicts() where reported.insert(conflict.record.seq).inserted {
                conflicts.append(conflict)
            }
        }
        while let step = try run.next() {
            note()
            if step.isComplete { return true }
        }
        note()
        return false
    }

    /// What was lost between two positions that follow each other; nil for nothing.
    private func lost(_ before: CommitNumber, _ after: CommitNumber) -> ClosedRange<CommitNumber>? {
        guard before.next < after else { return nil }
        var commit = before.next
        while commit < after {
            if let part = skipped.part(with: commit) {
                commit = part.upperBound.next
            } else if reported.contains(commit) {
                commit = commit.next
            } else {
                // A commit may be there and its state not: after damage reading goes on at the next keyframe only.
                return (try? journal.state(at: commit)) == nil ? commit...after.previous : nil
            }
        }
        return nil
    }
}
