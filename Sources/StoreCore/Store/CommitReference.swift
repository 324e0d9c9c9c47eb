public import JournalFormat

/// Names one commit: what a later commit gives as its cause.
public final class CommitReference: Sendable {
    /// The commit that what is committed here is caused by: the one whose delivery runs, unless a nearer one was set.
    ///
    /// It goes on into the sinks, what they commit, and the tasks they start; the nearest one counts.
    @TaskLocal public static var current: CommitReference?

    /// The store's name.
    public let store: String
    /// The store's count of commits after it.
    public let version: Int
    /// Where it was made.
    public let location: SourceLocation
    /// Its number in the journal, or, for a store without a recorder, that of the nearest recorded commit that led to it.
    public var number: CommitNumber? { entry?.number }

    /// The recorded commit that stands for it in a journal.
    struct Entry: Sendable {
        /// Tells recorders apart, since a number means nothing in another one's journal.
        var recorder: Int
        var number: CommitNumber
    }
    private let entry: Entry?

    init(store: String, version: Int, location: SourceLocation, entry: Entry?) {
        self.store = store
        self.version = version
        self.location = location
        self.entry = entry
    }

    /// The recorded commit that stands for this one, to be handed on to what it causes.
    var journalEntry: Entry? { entry }

    /// Its number in the journal of one recorder; nil where it is not in there.
    func number(in recorder: Int) -> CommitNumber? { entry?.recorder == recorder ? entry?.number : nil }
}
