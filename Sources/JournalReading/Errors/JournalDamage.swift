public import JSONCore
public import JournalFormat

/// One place at which a journal is not what the format says.
public struct JournalDamage: Error, Sendable, Equatable {
    /// What is wrong there.
    public enum Reason: Sendable, Equatable {
        /// The line is not JSON.
        case json(JSONError.Fact)
        /// The line is JSON, but no object.
        case notAnObject
        /// The record has no `seq`, or it is not a number that a commit can have.
        case noNumber
        /// The record has no `kind`, or it is not a string.
        case noKind
        /// The line is empty.
        case blank
        /// The line begins with a byte order mark.
        case byteOrderMark
        /// The line holds bytes of zero, as files have them after a crash of the machine.
        case zeros
        /// A commit's number is not one more than the last one's.
        case jump(found: CommitNumber, expected: CommitNumber)
        /// Another record does not carry the number of the last commit.
        case wrongNumber(kind: RecordKind, found: CommitNumber, expected: CommitNumber)
        /// A `journal` record that is not the first line.
        case secondHeader
        /// The record lacks what its kind needs.
        case record(RecordFault)
        /// A commit's patch does not apply to the state before it.
        case patch(commit: CommitNumber, store: String, PatchError)
        /// A commit is of a store that is not open.
        case storeNotOpen(commit: CommitNumber, store: String)
        /// The line's bytes are not those that its sum was made of.
        case sum(written: UInt32, computed: UInt32)
        /// The newline between two records is lost.
        case twoRecords
        /// A gap does not begin with the commit after the last one.
        case gapStart(found: CommitNumber, expected: CommitNumber)
        /// A keyframe differs from what the commits before it made.
        case keyframe(commit: CommitNumber)
        /// The end of the run names other open stores than there are.
        case end(commit: CommitNumber)
        /// The `old` of an operation differs from what the commits before it made.
        case old(commit: CommitNumber, store: String, JSONPointer)
    }

    /// The line, where it was counted.
    public var line: LineNumber?
    /// The first byte that is wrong, or the first one of the line.
    public var offset: ByteOffset
    /// What is wrong there.
    public var reason: Reason

    /// States what is wrong and where.
    public init(line: LineNumber?, offset: ByteOffset, reason: Reason) {
        self.line = line
        self.offset = offset
        self.reason = reason
    }
}

extension JournalDamage.Reason {
    /// Whether a last line in this condition was merely not finished.
    var isTear: Bool {
        switch self {
        case .json, .zeros, .blank: true
        default: false
        }
    }
}

/// A last line that a program did not finish.
public struct TornTail: Sendable, Equatable {
    /// The line, where it was counted.
    public var line: LineNumber?
    /// The first byte of the incomplete line.
    public var offset: ByteOffset
    /// How many bytes there are of it.
    public var length: Int
    /// The last commit before it.
    public var lastCommit: CommitNumber

    /// States where a journal breaks off.
    public init(line: LineNumber?, offset: ByteOffset, length: Int, lastCommit: CommitNumber) {
        self.line = line
        self.offset = offset
        self.length = length
        self.lastCommit = lastCommit
    }
}
