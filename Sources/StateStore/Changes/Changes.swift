public import JournalFormat

/// A state as it is, and as it was directly before: what a subscriber is given.
///
/// It never changes, and may be kept and passed to any thread. It reads through to the state: `changes.items` is
/// `changes.current.items`. Keeping one keeps two states alive, never more: the chain is cut behind ``previous``.
@dynamicMemberLookup
public final class Changes<State: Sendable>: Sendable {
    private let node: StateNode<State>
    private let previousNode: StateNode<State>?

    init(_ node: StateNode<State>, previous: StateNode<State>?) {
        self.node = node
        previousNode = previous
    }

    /// The state.
    public var current: State { node.state }

    /// What was before, whose own `previous` is nil; nil in the first delivery of a subscription.
    public var previous: Changes<State>? { previousNode.map { Changes($0, previous: nil) } }

    /// The store's count of commits at this state; of a derived value, how often it had a new value.
    public var version: Int { node.version }

    /// Where the commit was made; the store's birth where there was none yet.
    public var location: SourceLocation { node.location }

    /// The commit whose delivery made this one, if there is one.
    public var cause: CommitReference? { node.cause }

    /// A property of the current state.
    public subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value { node.state[keyPath: path] }

    /// Whether a property differs from the one before; true in a first delivery.
    public func hasChanges<Value: Equatable>(_ path: KeyPath<State, Value>) -> Bool {
        hasChanges(path, by: ==)
    }

    /// Whether a property differs from the one before by a comparison of the caller's; true in a first delivery.
    ///
    /// - Parameter isEqual: whether the property before and the current one count as equal.
    public func hasChanges<Value>(_ path: KeyPath<State, Value>, by isEqual: (Value, Value) -> Bool) -> Bool {
        guard let previousNode else { return true }
        return !isEqual(previousNode.state[keyPath: path], node.state[keyPath: path])
    }

    /// Whether a property is equal to the one before; false in a first delivery.
    public func noChanges<Value: Equatable>(_ path: KeyPath<State, Value>) -> Bool { !hasChanges(path) }

    /// Hands over properties where any of them differs from the one before, or there is none before.
    ///
    ///     changes.ifChanged(\.user, \.cart) { user, cart in … }
    ///
    /// - Returns: what the closure returned, nil where it was not run.
    /// - Throws: what the closure throws.
    @discardableResult
    public func ifChanged<each Value: Equatable, Result, Failure: Error>(
        _ paths: repeat KeyPath<State, each Value>, perform body: (repeat each Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        var isChanged = previousNode == nil
        for path in repeat each paths { isChanged = isChanged || hasChanges(path) }
        guard isChanged else { return nil }
        return try body(repeat node.state[keyPath: each paths])
    }
}

extension Changes where State: Equatable {
    /// Whether the state differs from the one before; true in a first delivery.
    public var hasChanges: Bool { hasChanges(\.self) }

    /// Whether the state is equal to the one before; false in a first delivery.
    public var noChanges: Bool { !hasChanges }
}
