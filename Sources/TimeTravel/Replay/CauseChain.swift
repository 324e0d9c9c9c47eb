public import JournalFormat

/// What made a commit happen: the commit, the one whose delivery made it, the one before that, and so on.
public enum CauseChain {
    /// How many causes are followed at the most; a journal may claim more than a run could have had.
    public static let lengthLimit = 10_000

    /// A commit's chain of causes, the commit itself first.
    ///
    /// A cause is an earlier commit. The chain ends where there is none, where it is outside the file, or where a foreign
    /// journal names a later one.
    ///
    /// - Parameter limit: how many records are returned at the most.
    /// - Throws: `JournalError` where there is no such commit.
    /// - Complexity: one search in the file for each link.
    public static func of(
        _ commit: CommitNumber, in journal: Journal, limit: Int = lengthLimit
    ) throws(JournalError) -> [OwnedRecord] {
        var chain = [try journal.record(of: commit)]
        while chain.count < limit, let record = chain.last, record.kind == .commit {
            let decoded = try record.decode { (object) throws(RecordFault) in try CommitRecord(object) }
            guard let cause = decoded.cause, cause < record.seq, cause > journal.start else { break }
            guard let next = try? journal.record(of: cause), next.kind == .commit else { break }
            chain.append(next)
        }
        return chain
    }
}
