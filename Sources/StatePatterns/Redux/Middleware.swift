internal import JournalFormat
public import StateEncoding
internal import StoreCore

/// Runs between a dispatch and the reducer: sees each action, and may delay it, change it, or answer it with others.
///
///     let logger = Middleware<CartState, CartAction> { store, next in
///         { action in
///             print("before", store.state)
///             next(action)
///             print("after", store.state)
///         }
///     }
///
/// The outer function runs once, when the store is made, so its variables are the middleware's own memory. The inner
/// one runs for each action, on the thread that dispatches. An action that it does not pass on is swallowed: nothing is
/// committed. Do not use it to change the state: the reducer does that.
///
/// What it dispatches goes through the whole chain again, and is reduced when `dispatch` returns: so each action that
/// answers another one is a call inside a call. Some thousands fit on the main thread's stack, some hundreds on a stack of
/// 512 KiB; the one that leaves less than 96 KiB of it ends the program with a message. A chain without an end is for an
/// effect, which may send any number of actions.
public struct Middleware<State: Sendable, Action: Sendable>: Sendable {
    /// What a middleware does with an action.
    public typealias Handler = @Sendable (Action) -> Void

    let connect: @Sendable (Dispatcher<State, Action>, NextDispatch<Action>) -> Handler

    /// Makes a middleware.
    ///
    /// - Parameter connect: given the store and the next in the chain, returns what is done with each action.
    public init(
        _ connect: @escaping @Sendable (_ store: Dispatcher<State, Action>, _ next: NextDispatch<Action>) -> Handler
    ) {
        self.connect = connect
    }

    /// Makes a middleware without a memory of its own.
    ///
    /// - Parameter handle: called with each action, and passes it on or does not.
    public init(
        _ handle:
            @escaping @Sendable (_ store: Dispatcher<State, Action>, _ next: NextDispatch<Action>, _ action: Action) ->
            Void
    ) {
        self.init { store, next in { action in handle(store, next, action) } }
    }

    /// Builds the chain: the first of the list sees an action first, `last` is the reducer.
    static func chain(
        _ middleware: [Middleware], _ store: Dispatcher<State, Action>, last: NextDispatch<Action>
    ) -> NextDispatch<Action> {
        middleware.reversed().reduce(last) { next, link in
            NextDispatch(owner: last.owner, handler: link.connect(store, next))
        }
    }
}

/// The rest of a chain of middleware, called like a function: `next(action)`.
public struct NextDispatch<Action: Sendable>: Sendable {
    let owner: ObjectIdentifier
    let handler: @Sendable (Action) -> Void

    /// Passes an action on.
    ///
    /// The commit is recorded with the location of the dispatch that the middleware is handling, also in the tasks that
    /// it starts; without such a dispatch, as in a detached task, with the location of this call.
    public func callAsFunction(
        _ action: Action, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) {
        if DispatchOrigin.current?.owner == owner { return handler(action) }
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        DispatchOrigin.$current.withValue(DispatchOrigin(owner: owner, location: location)) { handler(action) }
    }
}

/// The actions of a store as sequences that begin and end while it runs.
///
///     let listeners = ActionListeners<SearchState, SearchAction>()
///     let search = ReducerStore(SearchState(), middleware: [listeners.middleware]) { … }
///     for await action in listeners.actions() { … }
///
/// To wait for one action, make the sequence before what leads to it: `await actions.first { $0 == .found }`.
public final class ActionListeners<State: Sendable, Action: Sendable>: Sendable {
    private typealias Streams = (count: Int, open: [Int: AsyncStream<Action>.Continuation])

    private let streams = Locked<Streams>((0, [:]))

    /// Makes listeners without any; ``middleware`` is for one store.
    public init() {}

    /// What hears the actions that come to it, once the rest of the chain has answered them.
    public var middleware: Middleware<State, Action> {
        Middleware { [self] _, next, action in
            next(action)
            for stream in streams.wrappedValue.open.values { stream.yield(action) }
        }
    }

    /// The actions from now on; it ends with its task, or when the store and these listeners are gone.
    ///
    /// - Parameter buffering: what happens to actions that come faster than they are taken.
    public func actions(
        buffering: AsyncStream<Action>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Action> {
        let (stream, continuation) = AsyncStream<Action>.makeStream(bufferingPolicy: buffering)
        let number = streams.modify { streams in
            streams.count += 1
            streams.open[streams.count] = continuation
            return streams.count
        }
        continuation.onTermination = { [streams] _ in streams.modify { $0.open[number] = nil } }
        return stream
    }

    deinit { for stream in streams.wrappedValue.open.values { stream.finish() } }
}

extension ActionListeners: OpaqueToDump {}

extension Middleware: OpaqueToDump {}

extension NextDispatch: OpaqueToDump {}
