internal import JournalFormat
public import Observation
internal import Platform
public import StateEncoding
public import StoreCore
internal import Synchronization

/// A store that is changed by actions: each goes through the middleware to the reducer, whose answer is one commit.
///
///     let timeline = ReducerStore<TimelineState, TimelineAction>(TimelineState()) { state, action in … }
///     timeline.dispatch(.requestStart)
///
/// The commit's record names the action, its payload, and the line of the dispatch. It ends with its last reference:
/// then its effects are cancelled, and the ``Store`` continues for its other holders. Use a plain ``Store`` if no code
/// needs actions as data: a commit says the same in one place.
///
/// It is read, subscribed to and derived from as a store is: `timeline.posts`, `timeline.subscribe(\.posts) { … }`.
public final class ReducerStore<State: Sendable, Action: Sendable>: StoreReadable {
    /// The store that the actions change.
    public let store: Store<State>

    @usableFromInline let core: ReducerCore<State, Action>
    @usableFromInline let chain: NextDispatch<Action>?
    private let anchor: DispatchAnchor<State, Action>
    let effects = EffectTable()
    /// What effects that start after a delay wait on.
    let clock: any Clock<Duration>

    /// Makes a store take actions.
    ///
    /// - Parameters:
    ///   - store: the store; several reducers may share one.
    ///   - reducer: answers the actions.
    ///   - middleware: what sees the actions before the reducer does, in this order.
    ///   - clock: what effects that start after a delay wait on.
    public convenience init(
        _ store: Store<State>, reducer: Reducer<State, Action>, middleware: [Middleware<State, Action>] = [],
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(store, reducer, effects: nil, middleware, clock)
    }

    private init(
        _ store: Store<State>, _ reducer: Reducer<State, Action>,
        effects reduce: (@Sendable (inout State, Action) -> Effect<State, Action>?)?,
        _ middleware: [Middleware<State, Action>], _ clock: any Clock<Duration>
    ) {
        self.store = store
        self.clock = clock
        let anchor = DispatchAnchor<State, Action>()
        let dispatcher = Dispatcher(store: store, anchor: anchor)
        let core = ReducerCore(store: store, reducer: reducer)
        let last = NextDispatch<Action>(owner: ObjectIdentifier(anchor)) { action in
            guard let reduce else { return _ = core.answerDispatch(action, reducer.reduce) }
            var effect: Effect<State, Action>?
            let commit = core.answerDispatch(action) { effect = reduce(&$0, $1) }
            if let effect { CommitReference.causing(commit) { effect.start(dispatcher) } }
        }
        (self.anchor, self.core) = (anchor, core)
        chain = middleware.isEmpty && reduce == nil ? nil : Middleware.chain(middleware, dispatcher, last: last)
        anchor.set(self)
    }

    /// Makes a store, and has it take actions.
    ///
    ///     let counter = ReducerStore(0) { (count: inout Int, action: CounterAction) in … }
    ///
    /// - Parameters:
    ///   - initial: the state at version 0.
    ///   - name: its name in journals; by default from the type.
    ///   - recorder: what records it; nil for a store that is not recorded.
    ///   - middleware: what sees the actions before the reducer does, in this order.
    ///   - reduce: changes the state as the action says, from these two alone.
    public convenience init(
        _ initial: State, name: String? = nil, recorder: Recorder? = .current,
        middleware: [Middleware<State, Action>] = [], fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        reducer reduce: @escaping @Sendable (_ state: inout State, _ action: Action) -> Void
    ) {
        self.init(
            Store(
                initial, name: name, recorder: recorder, fileID: fileID, line: line, column: column,
                function: function),
            reducer: Reducer(reduce), middleware: middleware)
    }

    /// Makes a store, and has it take actions, some of which begin work: the reducer says which, beside what it changes.
    ///
    ///     let search = ReducerStore<SearchState, SearchAction>(SearchState()) { state, action in
    ///         switch action {
    ///         case .typed(let text):
    ///             state.text = text
    ///             return .run(.takeLatest, failure: { .failed("\($0)") }) { await $0.send(.found(try await find(text))) }
    ///         case .found(let found): state.found = found
    ///         case .failed(let error): state.error = error
    ///         }
    ///         return nil
    ///     }
    ///
    /// - Parameters:
    ///   - initial: the state at version 0.
    ///   - name: its name in journals; by default from the type.
    ///   - recorder: what records it; nil for a store that is not recorded.
    ///   - middleware: what sees the actions before the reducer does, in this order.
    ///   - clock: what effects that start after a delay wait on.
    ///   - reduce: changes the state as the action says, from these two alone, and may return an effect, which begins when the
    ///     commit is made.
    public convenience init(
        _ initial: State, name: String? = nil, recorder: Recorder? = .current,
        middleware: [Middleware<State, Action>] = [], clock: any Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function,
        effects reduce: @escaping @Sendable (_ state: inout State, _ action: Action) -> Effect<State, Action>?
    ) {
        self.init(
            Store(
                initial, name: name, recorder: recorder, fileID: fileID, line: line, column: column,
                function: function),
            Reducer { _ = reduce(&$0, $1) }, effects: reduce, middleware, clock)
    }

    deinit { effects.cancelAll() }

    /// A copy of the state, from any thread.
    @inlinable
    public var state: State { store.state }

    /// The dispatcher for middleware, thunks and effects: it does not keep this store alive.
    public var dispatcher: Dispatcher<State, Action> { Dispatcher(store: store, anchor: anchor) }

    // MARK: Actions

    /// Dispatches an action: when this returns, every middleware has seen it, and the reducer has handled it unless one
    /// swallowed it.
    ///
    /// - Complexity: that of a commit; without middleware and recorder, nothing more.
    @inlinable
    public func dispatch(
        _ action: Action, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) {
        send(action, at: CommitLocation(file: fileID, line: line, column: column, function: function))
    }

    /// Dispatches the action that an action creator makes of the state, if it makes one.
    ///
    ///     search.dispatch { state in state.isSearching ? nil : .start }
    ///
    /// - Parameter creator: returns the action, or nil for none; it runs before the commit, on the state as it is then.
    /// - Returns: whether there was an action.
    @discardableResult
    public func dispatch(
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ creator: (_ state: State) -> Action?
    ) -> Bool {
        guard let action = creator(state) else { return false }
        send(action, at: CommitLocation(file: fileID, line: line, column: column, function: function))
        return true
    }

    /// Runs a thunk: a function that reads the state and dispatches any number of actions, each with its own location.
    ///
    ///     cart.dispatch { dispatch, getState in
    ///         if getState().items.isEmpty { dispatch(.hint) }
    ///     }
    ///
    /// - Returns: what the thunk returned.
    /// - Throws: what the thunk throws.
    @discardableResult
    public func dispatch<Result, Failure: Error>(
        _ thunk: (_ dispatch: Dispatcher<State, Action>, _ getState: () -> State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try thunk(dispatcher) { store.state }
    }

    @inlinable
    package func send(_ action: Action, at location: CommitLocation) {
        if chain == nil && !store.isRecorded {
            core.commitUnrecorded(action, at: location)
        } else {
            sendTracked(action, at: location)
        }
    }

    /// - Returns: the commit that handled it, the last one of several; nil if it was swallowed.
    @usableFromInline
    @discardableResult
    func sendTracked(_ action: Action, at location: CommitLocation) -> CommitReference? {
        requireStackRoom(for: action, at: location)
        return CommitReference.causing(DispatchOrigin.cause) {
            let origin = DispatchOrigin(owner: ObjectIdentifier(anchor), location: location)
            DispatchOrigin.$current.withValue(origin) {
                if let chain { chain.handler(action) } else { _ = core.answerDispatch(action, core.reducer.reduce) }
            }
            return origin.chain.last
        }
    }

    /// Traps before the stack is used up: a dispatch returns once its action is reduced, so one inside middleware is a call
    /// inside a call, and cannot wait in a queue.
    private func requireStackRoom(for action: Action, at location: CommitLocation) {
        requirement(
            StackRoom().isLeft,
            """
            the dispatch of '\(Action.self)' at \(location.file):\(location.line):\(location.column) is inside so many others that no stack is left: middleware that \
            answers each action by another one never returns; send them from an effect
            """)
    }
}

/// A reducer store without its middleware and effects, which may hold it.
@usableFromInline
final class ReducerCore<State: Sendable, Action: Sendable>: Sendable {
    @usableFromInline let store: Store<State>
    @usableFromInline let reducer: Reducer<State, Action>

    init(store: Store<State>, reducer: Reducer<State, Action>) {
        self.store = store
        self.reducer = reducer
    }

    /// Commits what the reducer does, without recording the action.
    @inlinable
    func commitUnrecorded(_ action: Action, at location: CommitLocation) {
        store.commit(asAt: location) { state in reducer.reduce(&state, action) }
    }

    /// Commits what the reducer does with an action that came through the chain.
    func answerDispatch(_ action: Action, _ reduce: (inout State, Action) -> Void) -> CommitReference? {
        guard let origin = DispatchOrigin.current else { preconditionFailure("an action without its dispatch") }
        let commit = store.commit(action: store.isRecorded ? CommitAction(of: action) : nil, at: origin.location) {
            state in
            reduce(&state, action)
        }
        origin.chain.append(commit.reference)
        return commit.reference
    }
}

/// A reference to a reducer store from what the store holds, which does not keep it alive.
final class DispatchAnchor<State: Sendable, Action: Sendable>: Sendable {
    private struct Target: Sendable {
        weak let store: ReducerStore<State, Action>?
    }

    private let target = Mutex(Target(store: nil))

    /// The reducer store; nil once it has ended.
    var store: ReducerStore<State, Action>? { target.withLock { $0.store } }

    func set(_ store: ReducerStore<State, Action>) { target.withLock { $0 = Target(store: store) } }
}

/// Reads of the state are tracked, as those of a ``Store``.
extension ReducerStore: Observable {}

extension ReducerStore: OpaqueToDump {}
