internal import JournalFormat

/// Hands a commit's record to who goes on from the commit: the task that it starts, the action behind it.
///
/// It is filled under the store's lock, and read by the same thread once the commit has returned.
@usableFromInline
final class CommitReceipt {
    /// The commit in the recorder's queue; nil without a recorder.
    @usableFromInline var pending: PendingCommit?

    init() {}
}

extension Store {
    /// Commits, and tells the commit, so that it can be the cause of what follows from it.
    ///
    /// - Complexity: that of ``perform(_:named:action:at:receipt:)`` and two small objects.
    func performTracked<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result, named name: String?, action: CommitAction?,
        at location: SourceLocation
    ) throws(Failure) -> (result: Result, commit: CommitReference) {
        let receipt = CommitReceipt()
        var version = 0
        let result = try perform(
            { (state: inout State) throws(Failure) -> Result in
                // Nobody else raises it while this closure runs.
                version = self.version + 1
                return try body(&state)
            }, named: name, action: action, at: location, receipt: receipt)
        let entry = receipt.pending.flatMap { pending in
            recorded.map { CommitReference.Entry(recorder: $0.recorder.identity, number: pending.number) }
        }
        let commit = CommitReference(
            store: self.name, version: version, location: location,
            entry: entry ?? CommitReference.current?.journalEntry)
        return (result, commit)
    }
}
