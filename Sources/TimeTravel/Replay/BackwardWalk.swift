import JournalFormat

/// Reads the commits before a position from the last to the first, and tells of each whether undoing its patch is all that it
/// takes to be at the position before.
///
/// It is always one commit ahead, because a store that was closed directly before a commit went away with that commit.
struct BackwardWalk: ~Copyable {
    /// A commit, or a gap, that lies behind.
    struct Step {
        let record: OwnedRecord
        /// Whether nothing but the patch of a commit changed the state at its position.
        let isPlainCommit: Bool

        /// The position before it.
        func positionBefore() throws(JournalError) -> CommitNumber {
            guard record.kind == .gap else { return record.seq.previous }
            let gap = try record.decode { (object) throws(RecordFault) in try GapRecord(object) }
            return gap.first.previous
        }
    }

    /// What stands between a commit and the next one.
    private struct Trailing {
        var hasStore = false
        var hasClose = false
    }

    private var reader: BackwardRecordReader
    private var ahead: OwnedRecord?
    private var trailing: Trailing

    /// Stands behind all records of a position.
    ///
    /// - Complexity: one search for the position.
    init(_ journal: Journal, from position: CommitNumber) throws(JournalError) {
        var reader = try journal.recordsBackward(from: try journal.offset(firstAtLeast: position.next))
        let (record, trailing) = try BackwardWalk.readAhead(&reader)
        self.reader = reader
        ahead = record
        self.trailing = trailing
    }

    /// The commit or gap of the position, and steps behind it; nil before the first.
    mutating func next() throws(JournalError) -> Step? {
        guard let record = ahead else { return nil }
        let after = trailing
        (ahead, trailing) = try BackwardWalk.readAhead(&reader)
        let isPlain = record.kind == .commit && !after.hasStore && !after.hasClose && !trailing.hasClose
        return Step(record: record, isPlainCommit: isPlain)
    }

    private static func readAhead(
        _ reader: inout BackwardRecordReader
    ) throws(JournalError) -> (OwnedRecord?, Trailing) {
        var trailing = Trailing()
        while let line = try reader.next() {
            switch line.kind {
            case .commit, .gap: return (line.owned(), trailing)
            case .store: trailing.hasStore = true
            case .close: trailing.hasClose = true
            default: break
            }
        }
        return (nil, trailing)
    }
}
