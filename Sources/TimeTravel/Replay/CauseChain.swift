public import JournalFormat
public import JournalReading

/// What made a commit happen: the commit, the one whose delivery made it, the one before that, and so on.
public struct CauseChain: Sendable {
    /// How many causes are followed at the most; a journal may claim more than a run could have had.
    public static let lengthLimit = 10_000

    /// Why a chain goes no further.
    public enum End: Sendable, Equatable {
        /// No commit's delivery made the last one.
        case complete
        /// The cause lies before this file.
        case beforeFile(CommitNumber)
        /// The cause was lost in a gap.
        case lost(CommitNumber)
        /// The journal names a cause that is not earlier.
        case notEarlier(CommitNumber)
        /// The cause cannot be read.
        case damaged(CommitNumber, JournalError)
        /// More causes than are followed.
        case tooLong
    }

    /// The commits, the one that was asked about first.
    public private(set) var commits: [OwnedRecord]
    /// Why it goes no further.
    public private(set) var end = End.tooLong

    /// Follows a commit's causes.
    ///
    /// - Parameter limit: how many records it may have.
    /// - Throws: `JournalError` where there is no such commit, or it cannot be read itself.
    /// - Complexity: one search in the file for each link.
    public init(of commit: CommitNumber, in journal: Journal, limit: Int = lengthLimit) throws(JournalError) {
        commits = [try journal.record(of: commit)]
        while commits.count < limit, let last = commits.last {
            guard let cause = try CauseChain.cause(of: last) else {
                end = .complete
                return
            }
            do throws(JournalError) {
                guard let record = try follow(cause, of: last.seq, in: journal) else { return }
                commits.append(record)
            } catch {
                if case .insideGap = error.fact {
                    end = .lost(cause)
                } else {
                    end = .damaged(cause, journal.numbered(error))
                }
                return
            }
        }
    }

    private mutating func follow(
        _ cause: CommitNumber, of commit: CommitNumber, in journal: Journal
    ) throws(JournalError) -> OwnedRecord? {
        guard cause < commit else {
            end = .notEarlier(cause)
            return nil
        }
        guard cause > journal.start else {
            end = .beforeFile(cause)
            return nil
        }
        let record = try journal.record(of: cause)
        // One that cannot be decoded is not followed, and not reported as if it were whole.
        _ = try CauseChain.cause(of: record)
        return record
    }

    private static func cause(of record: OwnedRecord) throws(JournalError) -> CommitNumber? {
        try record.decode(CommitRecord.init).cause
    }
}
