public import JSONCore

/// What leads a state back over one record.
///
/// It is taken from the state itself while the record is applied, so it does not depend on what a journal claims to have
/// been there before.
public struct PositionUndo: Sendable {
    fileprivate enum Way: Sendable {
        /// A patch of one store: the operations that lead back, last first.
        case patch(store: String, [JSONPatch.Operation])
        /// A record that opens, closes or sets whole stores: those that there were.
        case stores(JSONObject)
    }

    fileprivate let way: Way
    fileprivate let position: CommitNumber
    fileprivate let closing: [String]

    /// Whether it holds on to whole states, which makes the next edit of each container copy it once.
    public var holdsStates: Bool {
        if case .stores = way { true } else { false }
    }
}

extension PositionState {
    /// Brings the state over a record as ``apply(_:)`` does, and tells what leads back.
    ///
    /// - Returns: nil where the record does not change the state at all.
    /// - Throws: as ``apply(_:)``; a patch that does not fit is taken back.
    public mutating func applyForUndo(_ line: RecordLine) throws(JournalError) -> PositionUndo? {
        switch line.kind {
        case .commit where closing.isEmpty: return try applyCommitForUndo(line)
        case .commit, .store, .gap, .close:
            let undo = PositionUndo(way: .stores(stores), position: position, closing: closing)
            do throws(JournalError) {
                try apply(line)
            } catch {
                self.undo(undo)
                throw error
            }
            return undo
        default: return nil
        }
    }

    private mutating func applyCommitForUndo(_ line: RecordLine) throws(JournalError) -> PositionUndo {
        var operations: [JSONPatch.Operation] = []
        let (before, patch) = (position, try CommitPatch(line))
        func undo() -> PositionUndo {
            PositionUndo(way: .patch(store: patch.store, operations), position: before, closing: [])
        }
        do throws(JournalError) {
            try apply(patch, line) { (operation, state, node) throws(PatchError.Reason) in
                try operation.apply(to: &state, pruning: node, order: .ascending, undo: &operations)
            }
        } catch {
            self.undo(undo())
            throw error
        }
        return undo()
    }

    /// Goes back over a record; those behind it have been gone back over already.
    public mutating func undo(_ undo: PositionUndo) {
        switch undo.way {
        case .stores(let stores): setStores(stores)
        case .patch(let store, let operations):
            _ = modifyStore(store) { JSONPatch.undo(operations, in: &$0) }
        }
        setPosition(undo.position, closing: undo.closing)
    }
}

// MARK: Records that were decoded

/// Why a commit cannot be applied to a state.
public enum CommitFault: Error, Sendable, Equatable {
    /// Its store is not there.
    case storeNotOpen(String)
    /// Its patch does not fit.
    case patch(PatchError)
}

extension PositionState {
    /// Opens a store at this position, as a `store` record does.
    ///
    /// - Parameter state: the state, members ascending.
    public mutating func open(_ store: String, _ state: JSONValue) {
        noteOpen(store)
        setState(state, of: store)
    }

    /// Ends a store: it goes away with the next commit.
    public mutating func close(_ store: String) { noteClose(store) }

    /// Begins anew with the states of all open stores.
    public mutating func reset(to states: JSONObject, at position: CommitNumber) {
        setStores(states)
        setPosition(position, closing: [])
    }

    /// Applies a commit's patch, in place, and the closes before it.
    ///
    /// - Parameters:
    ///   - patch: its values' members ascending.
    ///   - each: is told each operation, with the state of the store directly before it.
    /// - Throws: ``CommitFault``; the state is in between then.
    public mutating func commit(
        _ seq: CommitNumber, _ store: String, _ patch: JSONPatch,
        each: (JSONPatch.Operation, JSONValue) -> Void = { _, _ in }
    ) throws(CommitFault) {
        advance(to: seq)
        try apply(patch, of: store) { (operation, state) throws(PatchError.Reason) in
            each(operation, state)
            _ = try operation.apply(to: &state, pruning: .all, order: .ascending)
        }
    }

    /// The same, and tells what leads back over it.
    ///
    /// - Throws: ``CommitFault``; the state is as it was then.
    public mutating func commitForUndo(
        _ seq: CommitNumber, _ store: String, _ patch: JSONPatch,
        each: (JSONPatch.Operation, JSONValue) -> Void = { _, _ in }
    ) throws(CommitFault) -> PositionUndo {
        if !closing.isEmpty {
            let before = forUndo()
            do throws(CommitFault) { try commit(seq, store, patch, each: each) } catch {
                undo(before)
                throw error
            }
            return before
        }
        var operations: [JSONPatch.Operation] = []
        let before = position
        setPosition(seq, closing: [])
        func way() -> PositionUndo {
            PositionUndo(way: .patch(store: store, operations), position: before, closing: [])
        }
        do throws(CommitFault) {
            try apply(patch, of: store) { (operation, state) throws(PatchError.Reason) in
                each(operation, state)
                _ = try operation.apply(to: &state, pruning: .all, order: .ascending, undo: &operations)
            }
        } catch {
            undo(way())
            throw error
        }
        return way()
    }

    /// The state as it is now, to be gone back to.
    public func forUndo() -> PositionUndo { PositionUndo(way: .stores(stores), position: position, closing: closing) }

    private mutating func apply(
        _ patch: JSONPatch, of store: String,
        _ step: (JSONPatch.Operation, inout JSONValue) throws(PatchError.Reason) -> Void
    ) throws(CommitFault) {
        let isThere: Void?
        do throws(PatchError) {
            isThere = try stores.modify(store) { (state: inout JSONValue) throws(PatchError) in
                for (index, operation) in patch.operations.enumerated() {
                    do throws(PatchError.Reason) { try step(operation, &state) } catch {
                        throw PatchError(operation: index, path: operation.path, reason: error)
                    }
                }
            }
        } catch {
            throw .patch(error)
        }
        if isThere == nil { throw .storeNotOpen(store) }
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
