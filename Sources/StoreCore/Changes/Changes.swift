public import JournalFormat
public import StateEncoding
internal import Synchronization

/// A state as it is, and as it was directly before: what a subscriber is given.
///
/// It never changes, and may be kept and passed to any thread. It reads through to the state: `changes.items` is
/// `changes.current.items`. Keeping one keeps two states alive, never more: the chain is cut behind ``previous``.
@dynamicMemberLookup
public final class Changes<State: Sendable>: Sendable {
    let node: StateNode<State>
    let previousNode: StateNode<State>?
    /// The commit that led here; nil in a first delivery, and for what the commit of a derived value's store is.
    let commit: CommitReference?
    /// What the journal has between the two states, where it has it.
    let recordedPatch: [UInt8]?
    /// What the recorder keeps out of its journal, and so of a patch that is made here; nil where nobody records.
    let protection: StateProtection<State>?
    /// The patch, once somebody has asked for it.
    let foundPatch = Mutex<Result<StatePatch, StatePatchError>?>(nil)

    init(
        _ node: StateNode<State>, previous: StateNode<State>?, commit: CommitReference? = nil,
        recordedPatch: [UInt8]? = nil, protection: StateProtection<State>? = nil
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
    /// Of one that asked for no first delivery it is the state at the subscription at first. Versions that are equal to the
    /// one before are delivered to nobody, and so are previous to nothing.
    public var previous: Changes<State>? { previousNode.map { Changes($0, previous: nil) } }

    /// The store's count of commits at this state; of a derived value, how often it had a new value.
    public var version: Int { node.version }

    /// Where the commit was made; the store's birth where there was none yet.
    public var location: SourceLocation { node.location }

    /// The commit whose delivery made this one, if there is one.
    public var cause: CommitReference? { node.cause }

    /// A property of the current state.
    public subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value { node.state[keyPath: path] }

    /// Runs a closure whose commits, and those of the tasks it starts, have the commit behind this object as their cause.
    ///
    /// In a subscriber's closure that is so anyway. Say it where the object was handed on: out of an
    /// ``Store/changes(initially:buffering:)`` sequence, to a queue or an actor. A first delivery has no commit, and this then
    /// changes nothing.
    ///
    /// - Returns: what the closure returns.
    public func causing<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let commit else { return try body() }
        return try CommitReference.$current.withValue(commit, operation: body)
    }

    /// Runs an asynchronous closure whose commits have the commit behind this object as their cause.
    public func causing<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard let commit else { return try await body() }
        return try await CommitReference.$current.withValue(commit, operation: body, isolation: isolation)
    }

    /// The same state for somebody who saw another one before it, or none.
    func following(_ seen: StateNode<State>?) -> Changes<State> {
        seen === previousNode ? self : Changes(node, previous: seen, commit: commit, protection: protection)
    }
}

extension Changes: OpaqueToDump {}
