package import JournalFormat

/// What a commit did: what its closure returned, its name in the journal, and what it changed.
///
/// ``Store/commit(named:action:at:_:)`` returns it. Do not keep it: it holds the states before and after.
package struct Commit<State: Sendable, Result> {
    package let result: Result
    /// The commit, as the cause of what follows from it; with its number, where it is in a journal.
    package let reference: CommitReference

    private let before: Changes<State>
    private let after: Changes<State>
    private let protection: StateProtection?

    fileprivate init(
        result: Result, reference: CommitReference, before: Changes<State>, after: Changes<State>,
        protection: StateProtection?
    ) {
        self.result = result
        self.reference = reference
        self.before = before
        self.after = after
        self.protection = protection
    }

    /// Its number in the journal; nil for a commit that is in none.
    package var number: CommitNumber? { reference.number }

    /// The state after it and the one directly before, whatever was committed since.
    ///
    /// - Complexity: O(1).
    package var changes: Changes<State> {
        after.copy(after: before, for: reference, protection: protection)
    }
}

extension Commit: Sendable where Result: Sendable {}

extension Commit: CustomStringConvertible, CustomReflectable {
    /// The store, the version and the place of the commit, and nothing of the states.
    package var description: String {
        "commit of '\(reference.store)' to version \(reference.version) at \(reference.location.file):\(reference.location.line)"
    }

    /// Only the description: `dump` would print what the recorder redacts.
    package var customMirror: Mirror { Mirror(self, children: [("reference", description)]) }
}

/// Passes on what a commit did: filled under the store's lock, read by the same thread after the commit returned.
@usableFromInline
final class CommitReceipt<State: Sendable> {
    /// The commit in the recorder's queue; nil without a recorder.
    fileprivate var entry: CommitReference.Entry?
    fileprivate var protection: StateProtection?
    fileprivate var before: Changes<State>?
    fileprivate var after: Changes<State>?
    /// What the commit takes back; set by its closure, before it is recorded.
    var takesBack: TakenBack?
}

extension Store {
    /// Commits, and returns what the commit did: for code between the app and its store.
    ///
    /// A reducer, a repository or a helper of the app's own passes the location of its caller and the action to be
    /// handled, and names the commit as the cause of what it does next:
    ///
    ///     let commit = store.commit(named: "like", at: location) { $0.likes += 1 }
    ///     CommitReference.$current.withValue(commit.reference) { Task { await send(commit.changes) } }
    ///
    /// - Parameters:
    ///   - name: the commit's name in the journal; by default the function of the location.
    ///   - action: what the commit is the answer to, as recorded; nil for none.
    ///   - location: the line that is recorded as the commit's place.
    ///   - body: changes the state, and may return a value. It must not commit to any store: that traps.
    /// - Complexity: that of ``commit(name:fileID:line:column:function:_:)`` and three small objects.
    @discardableResult
    package func commit<Result, Failure: Error>(
        named name: String? = nil, action: CommitAction? = nil, at location: CommitLocation,
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Commit<State, Result> {
        let receipt = CommitReceipt<State>()
        let result = try perform(body, named: name, action: action, at: location, receipt: receipt)
        guard let before = receipt.before, let after = receipt.after else {
            preconditionFailure("a commit ended without a receipt")
        }
        let reference = CommitReference(
            store: self.name, version: after.version, location: location,
            entry: receipt.entry ?? CommitReference.current?.journalEntry)
        return Commit(
            result: result, reference: reference, before: before, after: after, protection: receipt.protection)
    }

    /// Keeps the state that a commit starts from; the caller holds the store's commit lock.
    @usableFromInline
    func captureBefore(_ receipt: CommitReceipt<State>) {
        receipt.before = present
    }

    /// Keeps the state that a commit made; the caller holds the store's commit lock.
    @usableFromInline
    func captureAfter(_ receipt: CommitReceipt<State>, _ pending: PendingCommit?) {
        receipt.entry = pending.map { CommitReference.Entry($0) }
        receipt.protection = recording?.track.protection
        receipt.after = present
    }

    /// The state that readers see, as a version.
    var present: Changes<State> {
        published.withLock { origin in
            Changes(
                published.stateUnderLock, version: origin.version, location: origin.location,
                cause: origin.cause)
        }
    }
}
