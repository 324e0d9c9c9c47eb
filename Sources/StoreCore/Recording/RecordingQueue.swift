internal import JournalFormat
internal import StateEncoding

/// The recorder's queue, where the order of the journal is decided.
struct RecordingQueue: Sendable {
    private(set) var records: [QueuedRecord] = []
    /// The ticket of the last record: how many were ever put in.
    private(set) var ticket = 0
    private(set) var isOpen = true
    private var number: CommitNumber
    private(set) var time: Timestamp
    private var storeNames = NamePool()

    /// So far a clock may step back and the last time is repeated; beyond that it was wrong before, and set right.
    private static let longestHold = 10_000_000

    init(start: Timestamp) {
        number = .zero
        time = start
    }

    /// Whether a time is so early that the clock must have been set back.
    func isSetBack(_ reading: Timestamp) -> Bool {
        time.microseconds - reading.microseconds > RecordingQueue.longestHold
    }

    /// Moves to what the clock says; where that is a little earlier, the time stays.
    mutating func advance(to reading: Timestamp) { if reading > time || isSetBack(reading) { time = reading } }

    mutating func append(_ record: QueuedRecord) -> Int {
        records.append(record)
        ticket += 1
        return ticket
    }

    mutating func append(_ commit: PendingCommit) {
        number = number.next
        commit.number = number
        commit.time = time
        commit.ticket = append(.commit(commit))
    }

    mutating func takeAll(into batch: inout [QueuedRecord]) { swap(&records, &batch) }

    mutating func close() { isOpen = false }

    // MARK: Names

    /// A name that no live store has: the wanted one, or `cart_2`.
    mutating func takeStoreName(_ wanted: String) -> String { storeNames.take(wanted) }

    /// Gives a store's name back, and makes the record of its end.
    mutating func ending(of track: StoreTrack) -> QueuedRecord {
        storeNames.giveBack(track.name, wanted: track.wantedName)
        return .close(track, time)
    }
}

/// A record that waits to be encoded and written; the queue has the order of the journal.
enum QueuedRecord: Sendable {
    case open(StoreTrack, Timestamp)
    case close(StoreTrack, Timestamp)
    case derived(DerivedDeclaration)
    /// A derived value was released; its line stays.
    case forget(DerivedDeclaration)
    case commit(PendingCommit)
    case outcome(PendingCommit, [QueuedOutcome])
    // Indirect, so that the others are small: one is copied and released with each commit.
    indirect case abort(StoreTrack, Timestamp, CommitLocation, name: String, error: String)
    indirect case mark(Timestamp, SourceLocation, text: String, level: MarkLevel?, payload: CommitAction?)

    var time: Timestamp? {
        switch self {
        case .open(_, let time), .close(_, let time), .abort(_, let time, _, _, _), .mark(let time, _, _, _, _): time
        case .commit(let commit): commit.time
        case .derived, .forget, .outcome: nil
        }
    }
}

/// The outcome of a derived value, with the versions of stores that it saw, which the composer compares with those at
/// the commit.
struct QueuedOutcome: Sendable {
    let declaration: DerivedDeclaration
    let outcome: DerivedOutcome
    /// Encodes the new value; nil where there is none, or it has no JSON form.
    let encode: (@Sendable (TypeRedactions) -> [UInt8]?)?
    let seen: [SeenVersion]
}

/// The version of a recorded store that a derived value saw.
struct SeenVersion: Sendable {
    let track: StoreTrack
    let version: Int
}
