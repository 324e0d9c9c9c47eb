internal import JournalFormat

/// What waits in the recorder's queue to be encoded and written, in the order of the journal.
enum QueuedRecord: Sendable {
    case open(any StoreTrack, Timestamp)
    case close(any StoreTrack, Timestamp)
    case derived(DerivedDeclaration)
    /// A derived value is gone; its line stands.
    case forget(DerivedDeclaration)
    case commit(PendingCommit)
    case outcome(PendingCommit, [EncodedOutcome])
    case abort(any StoreTrack, Timestamp, SourceLocation, name: String, error: String)
    case mark(Timestamp, SourceLocation, text: String, level: MarkLevel?)
}
