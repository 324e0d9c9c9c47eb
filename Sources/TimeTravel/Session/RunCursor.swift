import JSONCore
package import JournalFormat
package import JournalReading
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
    func takeConflicts() -> [Run.Conflict]
}

/// What became of a cursor's step.
package enum CursorStep: Equatable {
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
///
/// A step back goes back over what a replay from the keyframe before it did, so the states are the same either way.
///
/// - Complexity: a step costs the records of one commit; a jump, or the first of several steps back, costs one seek.
package final class RecordedCursor: RunCursor {
    private let states: RunStates
    private let journal: Journal
    let bounds: PositionRange
    package private(set) var state: PositionState
    /// Reads the lines after the current position; nil after a jump or a step back.
    private var forward: Run?
    /// Goes back from the current position; nil after anything but a step back.
    private var backward: BackwardPass?

    /// Stands at a position.
    package init(_ states: RunStates, at position: CommitNumber) throws(JournalError) {
        self.states = states
        journal = states.journal.recovering()
        bounds = try states.bounds()
        state = try states.state(at: position)
    }

    func move(to position: CommitNumber) throws(JournalError) {
        if position == self.position { return }
        state = try states.state(at: position)
        forward = nil
        backward = nil
    }

    package func step(_ direction: SessionDirection) throws(JournalError) -> CursorStep {
        direction == .forward ? try stepForward() : try stepBackward()
    }

    /// A gap is one step, and so is damage that is jumped over.
    private func stepForward() throws(JournalError) -> CursorStep {
        guard position < bounds.upper, let rest = PositionRange(position, bounds.upper) else { return .atEnd }
        backward = nil
        let run: Run
        if let forward {
            run = forward
        } else {
            var options = Run.Options()
            options.reading = .everything
            options.everyCommit = true
            options.recover = true
            options.states = states
            run = try Run(journal, rest, options: options)
        }
        forward = run
        var lost: ClosedRange<CommitNumber>?
        while let step = try run.next() {
            if let jumped = step.lost { lost = jumped }
            // Before damage a position may have a record that is not known: it has no state then.
            guard step.isComplete else { continue }
            state = run.positionState
            return .moved(lost: lost)
        }
        return .atEnd
    }

    private func stepBackward() throws(JournalError) -> CursorStep {
        guard position > bounds.lower, let rest = PositionRange(bounds.lower, position) else { return .atEnd }
        forward = nil
        let from = position
        if backward == nil {
            var options = BackwardPass.Options()
            options.recover = true
            options.states = states
            backward = try BackwardPass(journal, rest, reading: .everything, options: options)
        }
        guard try backward?.stepBack() == true, let before = backward?.state else { return .atEnd }
        state = before
        return .moved(lost: position.next < from ? position.next...from.previous : nil)
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
        position == self.position ? state.value : try states.state(at: position, pruning: paths).value
    }

    func window(
        _ range: PositionRange, _ judge: StopJudge, isInterrupted: () -> Bool
    ) throws(JournalError) -> StopWindow {
        try states.window(range, judge, isInterrupted: isInterrupted)
    }

    func takeConflicts() -> [Run.Conflict] { [] }
}
