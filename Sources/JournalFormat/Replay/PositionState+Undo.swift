import JSONCore

extension PositionState {
    /// Takes a commit back by what its patch says was there before: the state is then the one at the position before it.
    ///
    /// It is for the caller to know that nothing but this patch changed the state at this position: no store that opened
    /// behind the commit, none that its beginning took away.
    ///
    /// - Returns: false, with the state as it was, where the patch lacks an `old` or does not fit.
    /// - Throws: ``JournalError`` where the line is no commit of the format.
    public mutating func undo(_ record: OwnedRecord) throws(JournalError) -> Bool {
        guard record.kind == .commit, record.seq == position, closing.isEmpty else { return false }
        let commit = try record.withLine { (line) throws(JournalError) in
            // Ascending, as the state is held: what was removed goes back in that order.
            try line.decode(order: .ascending) { (object) throws(RecordFault) in try CommitRecord(object) }
        }
        guard let node = paths.root?.node(forKey: commit.store) else {
            setPosition(position.previous)
            return true
        }
        guard let inverse = try? commit.patch.inverted(), let before = stores[commit.store] else { return false }
        let done = modifyStore(commit.store) { state in
            (try? inverse.apply(to: &state, pruning: node, order: .ascending)) != nil
        }
        guard done == true else {
            _ = modifyStore(commit.store) { $0 = before }
            return false
        }
        setPosition(position.previous)
        return true
    }
}
