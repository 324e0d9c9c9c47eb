internal import JournalFormat
public import StateEncoding
internal import Synchronization

/// A state, and the one directly before it: what a subscriber is given.
///
/// It never changes, and may be kept and passed to any thread. It reads through to the state: `changes.items` is
/// `changes.current.items`. Keeping one keeps two states alive, never more: the chain is cut after ``previous``.
@dynamicMemberLookup
public final class Changes<State: Sendable>: Sendable {
    let node: StateNode<State>
    let previousNode: StateNode<State>?
    /// The commit that led here; nil in a first delivery, and for a change of a derived value that was made for no
    /// commit.
    let commit: CommitReference?
    let recordedPatch: [UInt8]?
    /// What the recorder keeps out of its journal, and so out of a patch that is made here; nil without a recorder.
    let protection: StateProtection?
    let foundPatch = AtomicLazyReference<FoundPatch>()

    init(
        _ node: StateNode<State>, previous: StateNode<State>?, commit: CommitReference? = nil,
        recordedPatch: [UInt8]? = nil, protection: StateProtection? = nil
    ) {
        self.node = node
        previousNode = previous
        self.commit = commit
        self.recordedPatch = recordedPatch
        self.protection = protection
    }

    /// The state.
    public var current: State { node.state }

    /// What this subscriber saw before, whose own `previous` is nil; nil in the first delivery of a subscription.
    ///
    /// For a subscription without a first delivery it is, at first, the state at the subscription. Versions equal to
    /// the one before are not delivered, and so are never a previous one.
    public var previous: Changes<State>? { previousNode.map { Changes($0, previous: nil) } }

    /// The store's count of commits at this state; of a derived value, the count of its values.
    public var version: Int { node.version }

    /// Where the commit was made; before the first commit, where the store was made.
    public var location: CommitLocation { node.location }

    /// The commit whose delivery made this one, if there is one.
    public var cause: CommitReference? { node.cause }

    /// A property of the current state.
    public subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value { node.state[keyPath: path] }

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

    func following(_ seen: StateNode<State>?) -> Changes<State> {
        seen === previousNode ? self : Changes(node, previous: seen, commit: commit, protection: protection)
    }
}

final class FoundPatch: Sendable {
    let result: Result<StatePatch, StatePatchError>

    init(_ result: Result<StatePatch, StatePatchError>) { self.result = result }
}

/// The version that a store delivered last, once it was asked for.
final class LatestChanges<State: Sendable>: Sendable {
    private let subscription: Subscription
    private let content: Locked<Changes<State>>

    init(of store: Store<State>) {
        let content = Locked(Changes(store.present, previous: nil))
        self.content = content
        subscription = store.subscribe(on: .inline, buffering: nil, initially: true, onEnd: nil) {
            content.wrappedValue = $0
        }
    }

    var changes: Changes<State> { content.wrappedValue }
}

extension Changes: OpaqueToDump {}
