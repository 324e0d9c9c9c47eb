public import JSONCore
public import JournalFormat
public import JournalReading
public import QueryLanguage

extension QueryContext {
    /// The context at a record's position: `$seq`, `$store`, `$at`, `$name` and `$time` are its members.
    ///
    /// - Parameter old: the state at the position before.
    /// - Throws: `JournalError` where the line is not JSON inside.
    public init(record: OwnedRecord, old: JSONValue = .null) throws(JournalError) {
        self.init(seq: record.seq, record: try Record(record), old: old)
    }

    /// The context at a position whose record was read already.
    ///
    /// - Parameter record: the record. A commit without a name has that of its function.
    public init(seq: CommitNumber, record: Record, old: JSONValue = .null) {
        let at = record[.at]?.ascending() ?? .null
        var name = record[.name] ?? .null
        if name == .null, case .object(let place) = at { name = place["function"] ?? .null }
        self.init(
            old: old, seq: seq.rawValue, store: record[.store] ?? .null, at: at, name: name,
            time: record[.time] ?? .null)
    }

    /// The context at a position, looked up as far as a question asks for it.
    ///
    /// At the start there is neither a commit nor a state before; where the position's commit was lost only its number
    /// is known.
    ///
    /// - Parameters:
    ///   - paths: what is read of the state before; nil if no question asks for it.
    ///   - states: where that state may be known already.
    /// - Throws: `JournalError` where the commit, or the state before it, cannot be read.
    /// - Complexity: a seek for the commit, and one for the state before.
    package init(
        at position: CommitNumber, in journal: Journal, usesCommit: Bool, oldReading paths: PathSet?,
        from states: RunStates? = nil
    ) throws(JournalError) {
        self.init(seq: position.rawValue)
        guard position > journal.start else { return }
        if usesCommit, let commit = try journal.keptRecord(of: position) { self = try Self(record: commit) }
        guard let paths else { return }
        old =
            if let states, states.isDiverged(at: position) {
                try states.value(before: position, reading: paths)
            } else if let known = states?.replayed(to: position.previous, pruning: paths) {
                known.value
            } else {
                try journal.state(before: position, pruning: paths).value
            }
    }
}

extension Journal {
    /// After a gap the one before the gap, after damage that is passed over the last that is known.
    fileprivate func state(before position: CommitNumber, pruning paths: PathSet) throws(JournalError) -> PositionState
    {
        do throws(JournalError) { return try state(at: position.previous, pruning: paths) } catch {
            guard recovers || !error.isDamage else { throw error }
            return try lastState(upTo: position.previous, pruning: paths)
        }
    }
}
