internal import JournalFormat
public import StateEncoding
internal import StoreCore

/// Dispatches to a ``ReducerStore`` without keeping it alive: what middleware, thunks and effects hold.
///
/// It is called like a function, `dispatch(.requestStart)`. What it dispatches goes through the whole chain of
/// middleware and is recorded with its own location; after the middleware has passed an action on, also with that
/// action's commit as its cause. Once the store has ended, it does nothing.
public struct Dispatcher<State: Sendable, Action: Sendable>: Sendable {
    let store: Store<State>
    let anchor: DispatchAnchor<State, Action>

    /// A copy of the state.
    public var state: State { store.state }

    /// Dispatches an action.
    public func dispatch(
        _ action: Action, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) {
        anchor.store?.send(action, at: CommitLocation(file: fileID, line: line, column: column, function: function))
    }

    /// Dispatches an action.
    public func callAsFunction(
        _ action: Action, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) {
        anchor.store?.send(action, at: CommitLocation(file: fileID, line: line, column: column, function: function))
    }

    /// Starts an effect, as ``ReducerStore/run(_:id:after:starting:success:failure:fileID:line:column:function:_:)`` does.
    ///
    /// - Returns: the effect's task; nil once the store has ended.
    @discardableResult
    public func run<Value: Sendable>(
        _ policy: EffectPolicy = .takeEvery, id: (any Hashable & Sendable)? = nil, after delay: Duration? = nil,
        starting: Action? = nil, success: @escaping @Sendable (Value) -> Action,
        failure: @escaping @Sendable (any Error) -> Action,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Void, Never>? {
        anchor.store?.run(
            policy, id: id, after: delay, starting: starting, success: success, failure: failure, fileID: fileID,
            line: line, column: column, function: function, work)
    }

    /// Starts an effect that sends any number of actions, as
    /// ``ReducerStore/run(_:id:after:starting:failure:fileID:line:column:function:_:)`` does.
    ///
    /// - Returns: the effect's task; nil once the store has ended.
    @discardableResult
    public func run(
        _ policy: EffectPolicy = .takeEvery, id: (any Hashable & Sendable)? = nil, after delay: Duration? = nil,
        starting: Action? = nil, failure: @escaping @Sendable (any Error) -> Action, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ work: @escaping @Sendable (RunningEffect<State, Action>) async throws -> Void
    ) -> Task<Void, Never>? {
        anchor.store?.run(
            policy, id: id, after: delay, starting: starting, failure: failure, fileID: fileID, line: line,
            column: column, function: function, work)
    }

    /// Cancels the effects of an id.
    public func cancelEffects(id: any Hashable & Sendable) { anchor.store?.cancelEffects(id: id) }
}

extension Dispatcher: OpaqueToDump {}
