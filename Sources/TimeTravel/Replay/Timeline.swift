package import JSONCore
public import JournalFormat
public import JournalReading

/// A cursor in a run that goes both ways.
///
/// A step back goes back over what a replay from the keyframe before it did, so the states are the same either way.
///
/// - Complexity: a step costs the records of one commit; a jump, or the first of several steps back, costs one seek.
public struct Timeline: ~Copyable {
    private let journal: Journal
    private let paths: PathSet
    private let recovers: Bool
    private let states: RunStates?
    /// The first and the last position there is.
    public let bounds: PositionRange
    /// The state at ``position``.
    public private(set) var state: PositionState
    /// The positions without a state that the last step went over; nil for none, and after a jump.
    public private(set) var lost: ClosedRange<CommitNumber>?
    /// Reads the lines after the current position; nil after a jump or a step back.
    private var forward: Pass?
    /// Goes back from the current position; nil after anything but a step back.
    private var backward: BackwardPass?

    /// Stands at a position of a journal, its start unless another is given.
    ///
    /// - Parameters:
    ///   - paths: what is held of the state.
    ///   - recover: whether a step goes over damage as it goes over a gap.
    ///   - states: where states are taken from that may be known already; nil for seeks alone.
    package init(
        _ journal: Journal, reading paths: PathSet = .everything, at position: CommitNumber? = nil,
        recover: Bool = false, from states: RunStates? = nil
    ) throws(JournalError) {
        guard let bounds = PositionRange(journal.start, try journal.lastCommit) else {
            throw JournalError(path: journal.path, .empty)
        }
        let journal = recover ? journal.recovering() : journal
        let state = try Timeline.state(at: position ?? bounds.lower, in: journal, paths, states)
        self.journal = journal
        self.states = states
        self.paths = paths
        recovers = recover
        self.bounds = bounds
        self.state = state
    }

    /// Where it stands.
    public var position: CommitNumber { state.position }

    /// Goes to a position.
    ///
    /// - Throws: `JournalError` where there is no such position or it lies inside a gap; then it stays where it is.
    public mutating func jump(to position: CommitNumber) throws(JournalError) {
        state = try Timeline.state(at: position, in: journal, paths, states)
        lost = nil
        forward = nil
        backward = nil
    }

    private static func state(
        at position: CommitNumber, in journal: Journal, _ paths: PathSet, _ states: RunStates?
    ) throws(JournalError) -> PositionState {
        if let known = states?.replayed(to: position, pruning: paths) { return known }
        return try journal.state(at: position, pruning: paths)
    }

    /// Goes to the next position; false at the end, and where nothing after damage can be read.
    ///
    /// A gap is one step.
    public mutating func stepForward() throws(JournalError) -> Bool {
        lost = nil
        guard position < bounds.upper, let rest = PositionRange(position, bounds.upper) else { return false }
        backward = nil
        var pass: Pass
        if let open = forward.take() {
            pass = open
        } else {
            var options = Pass.Options()
            options.reading = paths
            options.everyCommit = true
            options.recover = recovers
            options.states = states
            pass = try Pass(journal, rest, options: options)
        }
        var (hasMoved, jumped) = (false, lost)
        while !hasMoved, let step = try pass.next() {
            if let lost = step.lost { jumped = lost }
            // Before damage a position may have a record that is not known: it has no state then.
            guard step.isComplete else { continue }
            hasMoved = true
            lost = jumped
            // The pass may have gone on with whole states.
            state = pass.positionState.pruned(to: paths)
        }
        forward = consume pass
        return hasMoved
    }

    /// Goes to the position before; false at the start.
    ///
    /// A gap is one step.
    public mutating func stepBackward() throws(JournalError) -> Bool {
        lost = nil
        guard position > bounds.lower, let rest = PositionRange(bounds.lower, position) else { return false }
        forward = nil
        let from = position
        var pass: BackwardPass
        if let open = backward.take() {
            pass = open
        } else {
            var options = BackwardPass.Options()
            options.recover = recovers
            options.states = states
            pass = try BackwardPass(journal, rest, reading: paths, options: options)
        }
        let isDone = try pass.stepBack()
        state = pass.state.pruned(to: paths)
        if isDone, state.position.next < from { lost = state.position.next...from.previous }
        backward = consume pass
        return isDone
    }
}
