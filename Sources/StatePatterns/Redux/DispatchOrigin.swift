internal import JournalFormat
internal import StoreCore

/// One dispatch on its way through the middleware: where it was made, and what came of it.
final class DispatchOrigin: Sendable {
    /// The dispatch whose middleware runs here, or that started this task.
    @TaskLocal static var current: DispatchOrigin?

    /// The reducer store that the action was dispatched to.
    let owner: ObjectIdentifier
    /// Where the dispatch was written: what its commit is recorded with, whatever middleware lies between.
    let location: SourceLocation
    /// What the dispatch committed so far.
    let chain: CommitChain

    init(owner: ObjectIdentifier, location: SourceLocation) {
        self.owner = owner
        self.location = location
        chain = CommitChain()
    }

    /// What a dispatch or an effect that begins now is caused by.
    static var cause: CommitReference? { current.map(\.chain.cause) ?? CommitReference.current }
}
