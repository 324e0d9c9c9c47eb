import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

/// A place in a run, recorded or as it would have been, and the way to the ones beside it.
protocol RunCursor: AnyObject {
    /// The state where it stands.
    var state: PositionState { get }
    /// The first and the last position.
    var bounds: PositionRange { get }
    /// Goes to a position, or to the last one before it that the run has.
    ///
    /// - Throws: `JournalError` where there is none; then it stays where it is.
    func move(to position: CommitNumber) throws(JournalError)
    /// Goes to the next or the previous position.
    func step(_ direction: SessionDirection) throws(JournalError) -> CursorStep
    /// The positions after it up to the end that have no state; nil where there are others, or none.
    func lostEnd() throws(JournalError) -> ClosedRange<CommitNumber>?
    /// The state at the position before, as far as it is read; null at the start.
    func stateBefore(reading paths: PathSet) throws(JournalError) -> JSONValue
    /// The state at any position, without going there.
    func state(at position: CommitNumber, reading paths: PathSet) throws(JournalError) -> JSONValue
    /// Asks at the positions of a range after its first one.
    func window(
        _ range: PositionRange, _ judge: StopJudge, isInterrupted: () -> Bool
    ) throws(JournalError) -> StopWindow
    /// Returns the conflicts that were met and not returned before.
    func takeConflicts() -> [WhatIf.Conflict]
}

/// What became of a cursor's step.
enum CursorStep: Equatable {
    /// There is nothing in that direction.
    case atEnd
    /// The cursor stands at the next position; `lost` are those in between that have no state.
    case moved(lost: ClosedRange<CommitNumber>?)
}

extension RunCursor {
    /// Where it stands.
    var position: CommitNumber { state.position }
}

/// A cursor in the run as the journal has it.
final class RecordedCursor: RunCursor {
    private let states: RunStates
    private var timeline: Timeline

    init(_ states: RunStates, at position: CommitNumber) throws(JournalError) {
        self.states = states
        timeline = try Timeline(states.journal, at: position, recover: true, from: states)
    }

    var state: PositionState { timeline.state }
    var bounds: PositionRange { timeline.bounds }

    func move(to position: CommitNumber) throws(JournalError) {
        if position != self.position { try timeline.jump(to: position) }
    }

    func step(_ direction: SessionDirection) throws(JournalError) -> CursorStep {
        let hasMoved = try direction == .forward ? timeline.stepForward() : timeline.stepBackward()
        return hasMoved ? .moved(lost: timeline.lost) : .atEnd
    }

    func lostEnd() -> ClosedRange<CommitNumber>? { position < bounds.upper ? position.next...bounds.upper : nil }

    func stateBefore(reading paths: PathSet) throws(JournalError) -> JSONValue {
        do throws(JournalError) {
            return try QueryContext(
                at: position, in: states.journal, usesCommit: false, oldReading: paths, from: states
            ).old
        } catch {
            guard case .damage = error.fact else { throw error }
            return try states.journal.lastState(upTo: position.previous, pruning: paths).value
        }
    }

    func state(at position: CommitNumber, reading paths: PathSet) throws(JournalError) -> JSONValue {
        if position == self.position { return state.value }
        if let known = states.replayed(to: position, pruning: paths) { return known.value }
        return try states.journal.recovering().state(at: position, pruning: paths).value
    }

    func window(
        _ range: PositionRange, _ judge: StopJudge, isInterrupted: () -> Bool
    ) throws(JournalError) -> StopWindow {
        try states.window(range, judge, isInterrupted: isInterrupted)
    }

    func takeConflicts() -> [WhatIf.Conflict] { [] }
}
