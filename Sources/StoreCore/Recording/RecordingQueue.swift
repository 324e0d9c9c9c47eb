internal import JournalFormat
internal import StateEncoding

/// The recorder's queue, where the order of the journal is decided.
struct RecordingQueue: Sendable {
    private(set) var records: [QueuedRecord] = []
    /// The ticket of the last record: how many were ever put in.
    private(set) var ticket = 0
    private(set) var isOpen = true
    private var number: CommitNumber
    private var time: Timestamp
    private var storeNames = NamePool()
    private let clock: @Sendable () -> Timestamp

    init(clock: @escaping @Sendable () -> Timestamp, start: Timestamp) {
        self.clock = clock
        number = .zero
        time = start
    }

    /// The current time, never before an earlier one.
    mutating func now() -> Timestamp {
        time = max(time, clock())
        return time
    }

    mutating func append(_ record: QueuedRecord) -> Int {
        records.append(record)
        ticket += 1
        return ticket
    }

    /// Gives a commit its number, time and ticket.
    mutating func append(_ commit: PendingCommit) {
        number = number.next
        commit.number = number
        commit.time = now()
        commit.ticket = append(.commit(commit))
    }

    mutating func takeAll(into batch: inout [QueuedRecord]) { swap(&records, &batch) }

    mutating func discardAll() { records = [] }

    mutating func close() { isOpen = false }

    // MARK: Names

    /// A name that no live store has: the wanted one, or `cart_2`.
    mutating func takeStoreName(_ wanted: String) -> String { storeNames.take(wanted) }

    /// Gives a store's name back, and makes the record of its end.
    mutating func ending(of track: any StoreTrack) -> QueuedRecord {
        storeNames.giveBack(track.name, wanted: track.wantedName)
        return .close(track, now())
    }
}

/// A record that waits to be encoded and written; the queue has the order of the journal.
enum QueuedRecord: Sendable {
    case open(any StoreTrack, Timestamp)
    case close(any StoreTrack, Timestamp)
    case derived(DerivedDeclaration)
    /// A derived value was released; its line stays.
    case forget(DerivedDeclaration)
    case commit(PendingCommit)
    case outcome(PendingCommit, [QueuedOutcome])
    case abort(any StoreTrack, Timestamp, SourceLocation, name: String, error: String)
    case mark(Timestamp, SourceLocation, text: String, level: MarkLevel?, payload: CommitAction?)
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
