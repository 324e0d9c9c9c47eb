public import JournalFormat
public import StateEncoding
internal import Synchronization

/// Names one commit: what a later commit gives as its cause.
public final class CommitReference: @unchecked Sendable {
    // Unchecked: changed only by the delivery that made it, while nothing else holds it.

    /// The cause of commits that are made here: the commit being delivered, unless a nearer one was set.
    ///
    /// It is inherited by subscribers, by what they commit, and by the tasks that they start; the nearest one counts.
    @TaskLocal public static var current: CommitReference?

    /// The store's name.
    public let store: String
    /// The store's count of commits after it.
    @safe @exclusivity(unchecked) public private(set) var version: Int
    /// Where it was made.
    @safe @exclusivity(unchecked) public private(set) var location: CommitLocation
    /// Its number in the journal, or, for a store without a recorder, that of the nearest recorded commit that led to it.
    public var number: CommitNumber? { entry?.number }

    /// The recorded commit that stands for it in a journal.
    struct Entry: Sendable {
        /// Which recorder the number belongs to: it means nothing in another recorder's journal.
        var recorder: Int
        var number: CommitNumber

        /// The caller keeps the commit's recorder alive.
        init(_ commit: PendingCommit) {
            recorder = commit.recorder.identity
            number = commit.number
        }
    }
    @safe @exclusivity(unchecked) private var entry: Entry?

    init(store: String, version: Int, location: CommitLocation, entry: Entry?) {
        self.store = store
        (self.version, self.location, self.entry) = (version, location, entry)
    }

    /// Makes it name another commit of its store; nothing but the caller holds it.
    func rename(version: Int, location: CommitLocation, entry: Entry?) {
        (self.version, self.location, self.entry) = (version, location, entry)
    }

    /// The recorded commit that stands for this one, for what it causes.
    var journalEntry: Entry? { entry }

    /// Its number in the journal of one recorder; nil if it is not in there.
    func number(in recorder: Int) -> CommitNumber? { entry?.recorder == recorder ? entry?.number : nil }
}

/// The commits of one run of a function, each the cause of the next.
///
/// Code that continues after its own commit is not inside that commit's delivery, so ``CommitReference/current`` does
/// not name it. The run therefore remembers its last commit, and gives that as the cause unless a nearer one is set.
/// ``Scope/run(_:)`` and reducers make a chain for each run.
@usableFromInline
package final class CommitChain: Sendable {
    /// What the run itself is caused by.
    private let outer = CommitReference.current
    private let latest = Mutex<CommitReference?>(nil)

    package init() {}

    package var last: CommitReference? { latest.withLock(\.self) }

    package func append(_ commit: CommitReference) { latest.withLock { $0 = commit } }

    /// The cause of a commit made now: the run's last commit, unless a delivery or a task is nearer.
    package var cause: CommitReference? {
        let nearest = CommitReference.current
        return nearest === outer ? last ?? nearest : nearest
    }
}

extension CommitReference {
    /// Runs a closure whose commits, and the tasks that it starts, are caused by a commit; nil is none.
    package static func causing<Result, Failure: Error>(
        _ cause: CommitReference?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `withValue` loses the type of the thrown error.
        var outcome: Swift.Result<Result, Failure>?
        $current.withValue(cause) {
            do throws(Failure) { outcome = .success(try body()) } catch { outcome = .failure(error) }
        }
        guard let outcome else { preconditionFailure("a closure ended without a result") }
        return try outcome.get()
    }

    /// Runs an async closure whose commits, and the tasks that it starts, are caused by a commit; nil is none.
    package static func causing<Result: Sendable, Failure: Error>(
        _ cause: CommitReference?, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        await $current.withValue(cause) {
            do throws(Failure) { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        }
        guard let outcome else { preconditionFailure("a closure ended without a result") }
        return try outcome.get()
    }
}

/// One dispatch in the middleware of a reducer store: where it was made, and what it committed.
package final class DispatchOrigin: Sendable {
    /// The dispatch whose middleware runs here, or that started this task.
    @TaskLocal package static var current: DispatchOrigin?

    package let owner: ObjectIdentifier
    /// Where the dispatch was written: the place of its commit, whatever middleware lies between.
    package let location: CommitLocation
    package let chain: CommitChain

    package init(owner: ObjectIdentifier, location: CommitLocation) {
        self.owner = owner
        self.location = location
        chain = CommitChain()
    }

    /// The cause of a dispatch or an effect that begins now.
    package static var cause: CommitReference? { current.map(\.chain.cause) ?? CommitReference.current }
}

extension CommitChain: OpaqueToDump {}

extension DispatchOrigin: OpaqueToDump {}
