internal import JSONCore
internal import StateEncoding
internal import Synchronization

/// A state, and the one directly before it: what a subscriber is given.
///
/// It never changes, and may be kept and passed to any thread. It reads through to the state: `changes.items` is
/// `changes.current.items`. Keeping one keeps two states alive, never more: the chain is cut after ``previous``.
@dynamicMemberLookup
public final class Changes<State: Sendable>: StateVersion, @unchecked Sendable {
    // Unchecked: adds constants to what its superclass explains.

    /// The state.
    public let current: State
    /// The latest computed values of all versions; nil where none are carried over.
    let computed: ComputedMemories?

    init(
        _ state: State, version: Int, location: CommitLocation, cause: CommitReference?,
        computed: ComputedMemories? = nil, before: StateVersion? = nil, commit: CommitReference? = nil
    ) {
        current = state
        self.computed = computed
        super.init(version: version, location: location, cause: cause, before: before, commit: commit)
    }

    /// - Parameter place: where the state is; it is copied once from there.
    init(
        at place: Borrowed<State>, version: Int, location: CommitLocation, cause: CommitReference?,
        computed: ComputedMemories
    ) {
        current = place.value
        self.computed = computed
        super.init(version: version, location: location, cause: cause)
    }

    var protection: StateProtection? { extras.object?.protection }

    /// What this subscriber saw before, whose own `previous` is nil; nil in the first delivery of a subscription.
    ///
    /// For a subscription without a first delivery it is, at first, the state at the subscription. Versions equal to
    /// the one before are not delivered, and so are never a previous one.
    public var previous: Changes<State>? { before?.of(State.self) }

    /// A property of the current state.
    public subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value { current[keyPath: path] }

    /// Runs a closure whose commits, and those of the tasks it starts, have this object's commit as their cause.
    ///
    /// In a subscriber's closure they have it anyway. Call it where the object was passed on: out of an
    /// ``Store/changes(initially:buffering:)`` sequence, to a queue or an actor. A first delivery has no commit, and
    /// then this changes nothing.
    ///
    /// - Returns: what the closure returns.
    public func causing<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let commit else { return try body() }
        return try CommitReference.$current.withValue(commit, operation: body)
    }

    /// Runs an asynchronous closure whose commits have this object's commit as their cause.
    public func causing<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard let commit else { return try await body() }
        return try await CommitReference.$current.withValue(commit, operation: body, isolation: isolation)
    }

    /// This version after another one, as delivered for a commit.
    func copy(
        after before: StateVersion? = nil, for commit: CommitReference? = nil, protection: StateProtection? = nil
    ) -> Changes<State> {
        let copy = Changes(
            current, version: version, location: location, cause: cause, computed: computed, before: before,
            commit: commit)
        let known = extras.object
        if known != nil || protection != nil {
            copy.extras.add(VersionExtras(protection: protection ?? known?.protection, memories: known?.memories))
        }
        return copy
    }

    override func following(_ seen: StateVersion?) -> StateVersion {
        seen === before ? self : copy(after: seen, for: commit)
    }

    override func alone() -> StateVersion {
        // What is computed of one of them is known to the other.
        extras.add(VersionExtras(protection: protection))
        return copy()
    }
}

/// The version that a store delivered last, once it was asked for.
final class LatestChanges<State: Sendable>: Sendable {
    private let subscription: Subscription
    private let content: Locked<Changes<State>>

    init(of store: Store<State>) {
        let content = Locked(store.present)
        self.content = content
        subscription = store.subscribe(on: .inline, buffering: nil, initially: true, onEnd: nil) {
            content.wrappedValue = $0
        }
    }

    var changes: Changes<State> { content.wrappedValue }
}
