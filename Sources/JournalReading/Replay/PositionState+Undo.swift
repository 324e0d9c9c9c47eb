public import JSONCore
public import JournalFormat

/// What leads a state back over one record.
///
/// It is taken from the state itself while the record is applied, so it does not depend on what a journal claims to have
/// been there before.
public enum PositionUndo: Sendable {
    /// A commit: the patch of its store that leads back, and the position before.
    case patch(JSONPatch, store: String, CommitNumber)
    /// A record that opens, closes or sets whole stores: all that there was. Each container is copied once when it is edited next.
    indirect case state(PositionState)

    /// Whether anything that is held was changed.
    package var isChange: Bool {
        if case .patch(let patch, _, _) = self { !patch.isEmpty } else { true }
    }

    /// Whether it holds on to whole states.
    public var holdsStates: Bool {
        if case .state = self { true } else { false }
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
    /// Goes back over a record; the records after it have been gone back over already.
    public mutating func undo(_ undo: PositionUndo) {
        switch undo {
        case .state(let state): self = state
        case .patch(let patch, let store, let position): goBack(over: patch, of: store, to: position)
        }
    }

    /// Brings the state over a record as ``apply(_:)`` does.
    ///
    /// - Parameter log: what is asked of it beside that.
    /// - Throws: as ``apply(_:)``; where what leads back is kept, the state is as it was then.
    @discardableResult
    package mutating func apply(_ line: RecordLine, _ log: inout ApplyLog) throws(JournalError) -> Effect {
        guard log.keepsUndo else { return try applyRecord(line, &log) }
        log.keepsPatch = line.kind == .commit && closing.isEmpty
        switch line.kind {
        case .commit where log.keepsPatch: log.undo = .patch(JSONPatch(), store: "", position)
        case .commit, .store, .gap, .close: log.undo = .state(self)
        case .keyframe where line.resumed: log.undo = .state(self)
        default: log.undo = nil
        }
        do throws(JournalError) { return try applyRecord(line, &log) } catch {
            if let undo = log.undo { self.undo(undo) }
            throw error
        }
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
