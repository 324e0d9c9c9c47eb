import JSONCore
import JournalFormat

/// A commit of which some changes are made: where a session stands between two positions.
struct InsideCommit {
    /// The commit's line.
    let record: OwnedRecord
    /// How many of its changes are made, one at least and not all.
    let made: Int
    /// The state after them.
    let state: JSONValue

    /// Makes some changes of a commit.
    ///
    /// - Parameter before: the state at the position before it.
    /// - Throws: `JournalError` where they do not fit.
    init(_ record: OwnedRecord, _ commit: CommitRecord, made: Int, from before: PositionState) throws(JournalError) {
        var state = before
        state.begin(commit.seq)
        do throws(PatchError) {
            try state.apply(JSONPatch(Array(commit.patch.operations.prefix(made))), to: commit.store)
        } catch let fault {
            throw record.withLine { $0.damage(.patch(fault), of: commit.store) }
        }
        self.record = record
        self.made = made
        self.state = state.value
    }
}

extension OwnedRecord {
    /// The commit in the line.
    func commit() throws(JournalError) -> CommitRecord {
        try decode { (object) throws(RecordFault) in try CommitRecord(object) }
    }
}
