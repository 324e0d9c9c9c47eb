import JSONCore
import JournalFormat

/// States beside damage, as a pass that goes on behind it has them.
///
/// A seek reads every line that could belong to a position, so next to a damaged line it has no answer where a pass has one:
/// directly before it, and at the keyframe behind it.
extension Journal {
    /// The state at a position.
    ///
    /// - Parameter recover: whether damage beside the position counts for nothing.
    /// - Throws: `JournalError` where the position has no state.
    /// - Complexity: one seek; beside damage, a replay of the part up to the keyframe before it.
    func state(
        at position: CommitNumber, pruning paths: PathSet, recover: Bool
    ) throws(JournalError) -> PositionState {
        do throws(JournalError) { return try state(at: position, pruning: paths) } catch {
            guard recover, case .damage = error.fact, let found = try? recovered(upTo: position, paths),
                found.position == position
            else { throw error }
            return found
        }
    }

    /// The state at a position, or at the last one before it that has one.
    ///
    /// - Throws: `JournalError` where there is no such position, or none of them can be read.
    func lastState(upTo position: CommitNumber, pruning paths: PathSet) throws(JournalError) -> PositionState {
        do throws(JournalError) { return try state(at: position, pruning: paths) } catch {
            switch error.fact {
            case .insideGap(_, let first, _):
                return try lastState(upTo: max(start, min(first, position).previous), pruning: paths)
            case .damage where position > start: return try recovered(upTo: position, paths)
            default: throw error
            }
        }
    }

    private func recovered(upTo position: CommitNumber, _ paths: PathSet) throws(JournalError) -> PositionState {
        guard let range = PositionRange(start, position) else { return try state(at: position, pruning: paths) }
        var options = BackwardPass.Options()
        options.recover = true
        return try BackwardPass(self, range, reading: paths, options: options).state.pruned(to: paths)
    }
}
