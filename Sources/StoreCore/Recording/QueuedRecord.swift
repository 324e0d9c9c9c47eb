internal import JournalFormat

/// What waits in the recorder's queue to be encoded and written, in the order of the journal.
enum QueuedRecord: Sendable {
    case open(any StoreTrack, Timestamp)
    case close(any StoreTrack, Timestamp)
    case derived(DerivedDeclaration)
    /// A derived value is gone; its line stands.
    case forget(DerivedDeclaration)
    case commit(PendingCommit)
    case outcome(PendingCommit, [QueuedOutcome])
    case abort(any StoreTrack, Timestamp, SourceLocation, name: String, error: String)
    case mark(Timestamp, SourceLocation, text: String, level: MarkLevel?)
}

/// What a derived value did, and the versions of stores that it saw, which the writer holds against those at the commit.
struct QueuedOutcome: Sendable {
    let declaration: DerivedDeclaration
    let outcome: DerivedOutcome
    let value: [UInt8]?
    let seen: [SeenVersion]
}
