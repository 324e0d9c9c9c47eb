public import JSONCore
public import JournalFormat

/// A cursor in a run that goes both ways.
///
/// A step back goes back over what a replay from the keyframe before it did, so the states are the same either way.
///
/// - Complexity: a step costs the records of one commit; a jump, or the first of several steps back, costs one seek.
public struct Timeline: ~Copyable {
    private let journal: Journal
    private let paths: PathSet
    /// The first and the last position there is.
    public let bounds: PositionRange
    /// The state at ``position``.
    public private(set) var state: PositionState
    /// Reads the lines behind the current position; nil after a jump or a step back.
    private var forward: PositionPass?
    /// Goes back from the current position; nil after anything but a step back.
    private var backward: BackwardPass?

    /// Stands at the start of a journal.
    ///
    /// - Parameter paths: what is held of the state.
    public init(_ journal: Journal, reading paths: PathSet = .everything) throws(JournalError) {
        guard let bounds = PositionRange(journal.start, try journal.lastCommit) else {
            throw JournalError(path: journal.path, .empty)
        }
        let state = try journal.state(at: bounds.lower, pruning: paths)
        self.journal = journal
        self.paths = paths
        self.bounds = bounds
        self.state = state
    }

    /// Where it stands.
    public var position: CommitNumber { state.position }

    /// Goes to a position.
    ///
    /// - Throws: `JournalError` where there is no such position or it lies inside a gap; then it stays where it is.
    public mutating func jump(to position: CommitNumber) throws(JournalError) {
        state = try journal.state(at: position, pruning: paths)
        forward = nil
        backward = nil
    }

    /// Goes to the next position; false at the end.
    ///
    /// A gap is one step.
    public mutating func stepForward() throws(JournalError) -> Bool {
        guard position < bounds.upper, let rest = PositionRange(position, bounds.upper) else { return false }
        backward = nil
        var pass: PositionPass
        if let open = forward.take() {
            pass = open
        } else {
            var options = PositionPass.Options()
            options.everyCommit = true
            pass = try PositionPass(journal, rest, reading: paths, options: options)
        }
        while let step = try pass.next() {
            // The pass may have gone on with whole states.
            state = pass.state.pruned(to: paths)
            if step.isComplete { break }
        }
        forward = consume pass
        return true
    }

    /// Goes to the position before; false at the start.
    ///
    /// A gap is one step.
    public mutating func stepBackward() throws(JournalError) -> Bool {
        guard position > bounds.lower, let rest = PositionRange(bounds.lower, position) else { return false }
        forward = nil
        var pass: BackwardPass
        if let open = backward.take() {
            pass = open
        } else {
            pass = try BackwardPass(journal, rest, reading: paths)
        }
        let isDone = try pass.stepBack()
        state = pass.state.pruned(to: paths)
        backward = consume pass
        return isDone
    }
}
