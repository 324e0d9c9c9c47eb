import JSONCore
package import JournalFormat
package import JournalReading
import QueryLanguage

/// A place in a run, recorded or as it would have been without some commits, and the way to the ones beside it.
///
/// A step back goes back over what a replay from the known state before it did, so the states are the same either way.
///
/// - Complexity: a step costs the records of one commit; a jump, or the first of several steps back, costs one seek.
package final class RunCursor {
    package enum Movement: Equatable {
        case atEnd
        /// The cursor stands at the next position; `lost` are those in between that have no state.
        case moved(lost: ClosedRange<CommitNumber>?)
    }

    let states: RunStates
    let bounds: PositionRange
    package private(set) var state: PositionState
    private let run: Run

    package init(_ states: RunStates, at position: CommitNumber) throws(JournalError) {
        let state = try states.state(at: position)
        self.states = states
        self.state = state
        bounds = try states.bounds()
        run = try Run(states, standingAt: state)
    }

    package var position: CommitNumber { state.position }

    /// Goes to a position, or to the last one before it that the run has.
    package func move(to position: CommitNumber) throws(JournalError) {
        if position == self.position { return }
        state = try states.state(at: position)
        run.stand(at: state)
    }

    package func step(_ direction: SessionDirection) throws(JournalError) -> Movement {
        if let moved = try direction == .forward ? stepForward() : stepBackward() { return moved }
        run.stand(at: state)
        return .atEnd
    }

    /// A gap is one step, and so is damage that is jumped over.
    private func stepForward() throws(JournalError) -> Movement? {
        guard position < bounds.upper else { return nil }
        var lost: ClosedRange<CommitNumber>?
        while let step = try run.next() {
            states.note(run.takeConflicts())
            if let jumped = step.lost { lost = jumped }
            // Before damage a position may have a record that is not known: it has no state then.
            guard step.isComplete else { continue }
            state = run.positionState
            return .moved(lost: states.lost(lost))
        }
        states.note(run.takeConflicts())
        return nil
    }

    private func stepBackward() throws(JournalError) -> Movement? {
        guard position > bounds.lower, let place = try run.previous() else { return nil }
        state = run.positionState
        return .moved(lost: states.lost(place.lost))
    }

    /// The positions after it up to the end that have no state; nil where there are others, or none.
    func lostEnd() throws(JournalError) -> ClosedRange<CommitNumber>? {
        guard states.isSkipping else { return position < bounds.upper ? position.next...bounds.upper : nil }
        let last = try states.without(CommitList()).lastState(upTo: bounds.upper).position
        return states.lost(last < bounds.upper ? last.next...bounds.upper : nil)
    }

    func state(at position: CommitNumber, reading paths: PathSet) throws(JournalError) -> JSONValue {
        position == self.position ? state.value : try states.state(at: position, pruning: paths).value
    }
}
