public import JSONCore
public import JournalFormat

/// A cursor in a run that goes both ways.
///
/// Forward a commit's patch is applied; backward it is undone by what it says was there before. Where a record in between
/// cannot be undone (a store that opened or closed, a gap, a patch without `old`), the state is rebuilt from the keyframe
/// before it.
///
/// - Complexity: a step costs the records of one commit; a jump, or a step that cannot be undone, costs one seek.
public struct Timeline: ~Copyable {
    private let journal: Journal
    private let paths: PathSet
    /// The first and the last position there is.
    public let bounds: PositionRange
    /// The state at ``position``.
    public private(set) var state: PositionState
    /// Reads the lines behind the current position; nil after a jump or a step back.
    private var forward: PositionPass?
    /// Reads the lines before it; nil after anything but an undone commit.
    private var backward: BackwardWalk?

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
            state = pass.state
            if step.isComplete { break }
        }
        forward = consume pass
        return true
    }

    /// Goes to the position before; false at the start.
    ///
    /// A gap is one step.
    public mutating func stepBackward() throws(JournalError) -> Bool {
        guard position > bounds.lower else { return false }
        forward = nil
        var walk: BackwardWalk
        if let open = backward.take() {
            walk = open
        } else {
            walk = try BackwardWalk(journal, from: position)
        }
        let step = try walk.next()
        if let step, step.isPlainCommit, try state.undo(step.record) {
            backward = consume walk
        } else {
            // A damaged line may claim to lie anywhere; a step back goes back all the same.
            let target = min(try step?.positionBefore() ?? bounds.lower, position.previous)
            state = try journal.state(at: target, pruning: paths)
        }
        return true
    }
}
