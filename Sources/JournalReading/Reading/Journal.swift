import JSONCore
public import JournalFormat
import Synchronization

/// An opened journal.
///
/// Opening checks the first line and nothing else. What is read after that depends on the question: a pass goes over a range
/// of lines (``records(from:to:recover:)``), a seek reads a bounded range (``state(at:pruning:)``).
public final class Journal: Sendable {
    /// How a journal is going to be read.
    public enum Access: Sendable, Equatable {
        /// From front to back, once: a pipe stays a pipe.
        case sequential
        /// At any place: a pipe, or what a packed file holds, is copied into a temporary file without a name first.
        case random
    }

    /// Called with each block with how many bytes and commits were read.
    ///
    /// They count from where reading began, which may be the other end; the commits are nil where they were not counted.
    public typealias Progress = @Sendable (_ bytes: Int, _ commits: Int?) -> Void

    /// No line may be longer, so that a file without newlines cannot fill the memory.
    public static let lineLengthLimit = 256 << 20
    /// A first line may not be longer, so that any large file that is not a journal is refused at once.
    public static let headerLengthLimit = 1 << 20
    /// No packed file becomes a larger temporary one unless that is asked for: a few bytes of it may stand for very many.
    public static let defaultSpoolLimit = 1 << 30

    /// The file, as it was named; `-` is standard input.
    public let path: String
    /// The format's version in the first line.
    public let version: Int
    /// The position before the first commit: 0, or the `after` of a segment.
    public let start: CommitNumber
    /// Whether look-ups skip damage and go on after it.
    package let recovers: Bool
    let source: ByteSource
    /// The first line as it stands.
    public let headerRecord: OwnedRecord
    /// The part of a state that was looked up last: questions ask for the same one again.
    let recentState = Mutex<PositionState?>(nil)
    /// Up to which byte there is known to be no keyframe and no gap, as where other writers write none.
    let baselessEnd = Mutex<Int>(0)

    /// - Parameter start: where the run begins; nil for what the first line says.
    init(
        path: String, source: ByteSource, header: OwnedRecord, version: Int, start: CommitNumber? = nil,
        recovers: Bool = false
    ) {
        self.path = path
        self.source = source
        self.recovers = recovers
        headerRecord = header
        self.version = version
        self.start = start ?? header.seq
    }

    /// A copy of this journal whose end, positions and states are looked up around damage, as a pass goes on after it.
    ///
    /// Where no damage is met, look-ups cost and give the same.
    package func recovering() -> Journal {
        Journal(
            path: path, source: source, header: headerRecord, version: version, start: start, recovers: true)
    }

    /// How many bytes the journal has, nil for one that is read from a pipe.
    public var byteCount: Int? { source.size }

    /// Whether every part of it can be read at any time.
    public var isSeekable: Bool { source.size != nil }

    /// Whether a reader has to wait for a writer.
    package var isWaiting: Bool { source.isWaiting }

    /// What the first line says of the run.
    ///
    /// - Throws: ``JournalError`` where a member of it is missing or of another type; everything else can be read all the same.
    public func header() throws(JournalError) -> JournalHeader {
        try headerRecord.withLine { (line) throws(JournalError) in try line.checkSum() }
        return try headerRecord.decode { (object) throws(RecordFault) in try JournalHeader(object) }
    }

    /// Checks that the first line holds its sum, and begins where it says that the run does: each position is sought by that.
    package func checkFirstLine() throws(JournalError) {
        try headerRecord.withLine { (line) throws(JournalError) in
            try line.checkSum()
            guard try line.statedStart() != line.seq else { return }
            throw line.wrongStart
        }
    }
}

extension RecordLine {
    var wrongStart: JournalError {
        damage(.record(RecordFault(member: "seq", expected: "the number of 'after', or 0 without one")))
    }

    /// Where the run begins as a first line says by `after`: its `seq` has to be that number.
    package func statedStart() throws(JournalError) -> CommitNumber {
        try decode { (object) throws(RecordFault) in try JournalHeader.start(object) }
    }
}

/// A journal's path, as messages give it.
///
/// An object, so that the lines of a pass can all point at one that their reader holds: a line is made and copied for each
/// record, and counting the references of a text would cost more than reading most of them.
final class JournalName: Sendable, Equatable {
    let path: String

    init(_ path: String) { self.path = path }

    static func == (a: JournalName, b: JournalName) -> Bool { a === b || UTF8Order.equal(a.path, b.path) }
}
