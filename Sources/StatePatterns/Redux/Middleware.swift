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

extension Middleware: OpaqueToDump {}

extension NextDispatch: OpaqueToDump {}
