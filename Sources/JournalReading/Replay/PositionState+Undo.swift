public import JSONCore
public import JournalFormat

/// What leads a state back over one record.
///
/// It is taken from the state itself while the record is applied, so it does not depend on what a journal claims to have
/// been there before.
public struct PositionUndo: Sendable {
    fileprivate enum Way: Sendable {
        /// A patch of one store: the operations that lead back, last first, and the position before.
        case patch(store: String, [JSONPatch.Operation], CommitNumber)
        /// A record that opens, closes or sets whole stores: all that there was.
        case state(PositionState)
    }

    fileprivate let way: Way

    /// Whether anything that is held was changed.
    package var isChange: Bool {
        guard case .patch(_, let operations, _) = way else { return true }
        return !operations.isEmpty
    }

    /// Whether it holds on to whole states, which makes the next edit of each container copy it once.
    public var holdsStates: Bool {
        if case .state = way { true } else { false }
    }
}

/// Why a commit cannot be applied to a state.
public enum CommitFault: Error, Sendable, Equatable {
    /// The commit's store is not open.
    case storeNotOpen(String)
    /// The commit's patch does not fit.
    case patch(PatchError)
}

extension PositionState {
    /// The state as it is now, to be gone back to.
    public func forUndo() -> PositionUndo { PositionUndo(way: .state(self)) }

    /// Goes back over a record; the records after it have been gone back over already.
    public mutating func undo(_ undo: PositionUndo) {
        switch undo.way {
        case .state(let state): self = state
        case .patch(let store, let operations, let position):
            _ = modifyStore(store) { JSONPatch.undo(operations, in: &$0) }
            setPosition(position)
        }
    }

    /// Brings the state over a record as ``apply(_:)`` does, and returns what leads back.
    ///
    /// - Parameter differs: called with each operation of a commit whose `old` is not what is there, and the state of the store before
    ///   it; where it is not given, that is damage.
    /// - Returns: nil where the record does not change the state at all.
    /// - Throws: as ``apply(_:)``; the state is as it was then.
    package mutating func applyForUndo(
        _ line: RecordLine, differs: ((JSONPatch.Operation, inout PatchedValue) -> Void)? = nil
    ) throws(JournalError) -> PositionUndo? {
        switch line.kind {
        case .commit where closing.isEmpty: return try applyCommitForUndo(line, differs)
        case .keyframe where !line.resumed, .end:
            try apply(line)
            return nil
        case .commit, .store, .gap, .close, .keyframe:
            let before = forUndo()
            do throws(JournalError) {
                if line.kind == .commit {
                    _ = try applyCommit(CommitPatch(line), line, old: differs)
                } else {
                    try apply(line)
                }
            } catch {
                undo(before)
                throw error
            }
            return before
        default: return nil
        }
    }

    private mutating func applyCommitForUndo(
        _ line: RecordLine, _ differs: CommitPatch.Difference?
    ) throws(JournalError) -> PositionUndo {
        let (before, patch) = (position, try CommitPatch(line))
        var operations: [JSONPatch.Operation] = []
        do throws(JournalError) {
            _ = try applyCommit(
                patch, line, old: differs,
                step: { (operation, state, node) throws(PatchError.Reason) in
                    try operation.apply(to: &state, pruning: node, order: .ascending, undo: &operations)
                })
        } catch {
            undo(PositionUndo(way: .patch(store: patch.store, operations, before)))
            throw error
        }
        return PositionUndo(way: .patch(store: patch.store, operations, before))
    }

    /// Applies a record that opens or closes a store at the position of a commit that was left out: what ends with the next commit is
    /// still there.
    package mutating func applyBeside(_ line: RecordLine) throws(JournalError) {
        let before = position
        setPosition(max(before, line.seq))
        try apply(line)
        setPosition(before)
    }

    // MARK: Commits that were decoded

    /// Begins a commit and applies its patch, in place, to a state that is held whole, and returns what leads back over it.
    ///
    /// - Parameter patch: its values' members ascending.
    /// - Throws: ``CommitFault``; the state is as it was then.
    public mutating func commitForUndo(
        _ seq: CommitNumber, _ store: String, _ patch: JSONPatch
    ) throws(CommitFault) -> PositionUndo {
        var (done, copies): ([JSONPatch.Operation], CopyBudget) = ([], copies)
        let (before, whole) = (position, closing.isEmpty ? nil : forUndo())
        begin(seq)
        var fault: CommitFault? =
            modifyStore(store) { (state: inout JSONValue) -> CommitFault? in
                var patched = PatchedValue(taking: &state)
                defer { state = patched.take() }
                for (index, operation) in patch.operations.enumerated() {
                    copies.note(operation, in: &patched)
                    do throws(PatchError.Reason) {
                        _ = try operation.apply(to: &patched, pruning: .all, order: .ascending, undo: &done)
                    } catch {
                        return .patch(PatchError(operation: index, path: operation.path, reason: error))
                    }
                }
                return nil
            } ?? .storeNotOpen(store)
        if fault == nil { do throws(PatchError) { try check(copies) } catch { fault = .patch(error) } }
        let undo = whole ?? PositionUndo(way: .patch(store: store, done, before))
        guard let fault else { return undo }
        self.undo(undo)
        throw fault
    }
}

extension RecordLine {
    /// The damage that a commit is which does not fit the state that the journal's own records make.
    public func damage(_ fault: CommitFault, of store: String) -> JournalError {
        switch fault {
        case .storeNotOpen: damage(.storeNotOpen(commit: seq, store: store))
        case .patch(let error): damage(.patch(commit: seq, store: store, error))
        }
    }
}
