internal import JournalFormat
public import StateEncoding
internal import StoreCore

/// A running effect, as its work sees it: it reads the state, and sends actions.
///
/// It does not keep the reducer store alive. Once the effect is cancelled or the store has ended, it sends nothing more.
public struct RunningEffect<State: Sendable, Action: Sendable>: Sendable {
    fileprivate let dispatcher: Dispatcher<State, Action>
    fileprivate let table: EffectTable
    fileprivate let number: Int
    fileprivate let location: CommitLocation

    /// A copy of the state.
    public var state: State { dispatcher.state }

    /// Dispatches an action, with the location of the effect; it returns when the reducer has answered.
    public func send(_ action: Action) async { await send(action, isLast: false) }

    fileprivate func send(_ action: Action, isLast: Bool) async {
        await table.dispatch(from: number, isLast: isLast) { _ = sendNow(action) }
    }

    /// - Returns: the commit that answered; nil if there was none.
    fileprivate func sendNow(_ action: Action) -> CommitReference? {
        Task.isCancelled ? nil : dispatcher.anchor.store?.sendTracked(action, at: location)
    }
}

extension RunningEffect: OpaqueToDump {}

extension ReducerStore {
    /// Starts async work whose success and failure both become actions.
    ///
    ///     search.run(.takeLatest, id: "search", starting: .searching(text), success: { .found($0) },
    ///         failure: { .searchFailed("\($0)") }) { try await api.search(text) }
    ///
    /// The actions are recorded with this call's location, the end with the start as its cause. An effect that was cancelled,
    /// by its policy, by ``cancelEffects(id:)``, by cancelling its task or by the end of this store, dispatches nothing more:
    /// it counts as ended, although work that does not ask whether it is cancelled goes on.
    ///
    /// - Parameters:
    ///   - policy: what happens to effects with the same id.
    ///   - id: groups effects for the policy; by default, those that are started at this line.
    ///   - delay: how long the effect waits before it starts, on the store's clock. With ``EffectPolicy/takeLatest`` that
    ///     is a debounce: an effect that comes meanwhile takes the place of this one.
    ///   - starting: dispatched before the work starts, if the policy lets it start.
    ///   - success: makes an action of what the work returned.
    ///   - failure: makes an action of what the work threw.
    ///   - work: runs in a task of its own, and does not keep this store alive.
    /// - Returns: the effect's task, which ends when its last action is dispatched, and at once when it is cancelled; the
    ///   running effect's task if the policy ``EffectPolicy/takeLeading`` kept this one from starting.
    @discardableResult
    public func run<Value: Sendable>(
        _ policy: EffectPolicy = .takeEvery, id: (any Hashable & Sendable)? = nil, after delay: Duration? = nil,
        starting: Action? = nil, success: @escaping @Sendable (Value) -> Action,
        failure: @escaping @Sendable (any Error) -> Action,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Void, Never> {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return start(policy, id: id, after: delay, starting: starting, at: location) { _ in
            do { return success(try await work()) } catch { return failure(error) }
        }
    }

    /// Starts async work that reads the state and sends any number of actions; its failure becomes one.
    ///
    ///     downloads.run(.takeLatest, id: file, failure: { .failed("\($0)") }) { effect in
    ///         for try await part in api.parts(of: file, from: effect.state.received) { await effect.send(.received(part)) }
    ///         await effect.send(.done)
    ///     }
    ///
    /// The actions are recorded with this call's location.
    ///
    /// - Parameters:
    ///   - policy: what happens to effects with the same id.
    ///   - id: groups effects for the policy; by default, those that are started at this line.
    ///   - delay: how long the effect waits before it starts, on the store's clock. With ``EffectPolicy/takeLatest`` that
    ///     is a debounce: an effect that comes meanwhile takes the place of this one.
    ///   - starting: dispatched before the work starts, if the policy lets it start.
    ///   - failure: makes an action of what the work threw.
    ///   - work: runs in a task of its own, and does not keep this store alive.
    /// - Returns: the effect's task, as of the other ``run(_:id:after:starting:success:failure:fileID:line:column:function:_:)``.
    @discardableResult
    public func run(
        _ policy: EffectPolicy = .takeEvery, id: (any Hashable & Sendable)? = nil, after delay: Duration? = nil,
        starting: Action? = nil, failure: @escaping @Sendable (any Error) -> Action, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ work: @escaping @Sendable (RunningEffect<State, Action>) async throws -> Void
    ) -> Task<Void, Never> {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return start(policy, id: id, after: delay, starting: starting, at: location) { effect in
            do {
                try await work(effect)
                return nil
            } catch {
                return failure(error)
            }
        }
    }

    /// Cancels the effects of an id: they dispatch nothing more.
    public func cancelEffects(id: any Hashable & Sendable) { effects.cancel(EffectKey(id: id)) }

    /// How many effects are running.
    public var runningEffects: Int { effects.count }

    /// Waits until no effect is running, those started meanwhile too; for tests.
    ///
    /// A cancelled one counts as ended, although its work may go on.
    public func waitForEffects() async { await effects.waitUntilIdle() }

    /// - Parameter work: returns the last action, if there is one.
    func start(
        _ policy: EffectPolicy, id: (any Hashable & Sendable)?, after delay: Duration?, starting: Action?,
        at location: CommitLocation, _ work: @escaping @Sendable (RunningEffect<State, Action>) async -> Action?
    ) -> Task<Void, Never> {
        let number: Int
        switch effects.begin(EffectKey(id: id ?? location), policy) {
        case .started(let started): number = started
        case .refused(let leading): return leading
        }
        let effect = RunningEffect(dispatcher: dispatcher, table: effects, number: number, location: location)
        let wait = delay.map { Self.waiting(on: clock, for: $0) }
        let started = wait == nil ? starting.flatMap { sendTracked($0, at: location) } : nil
        let task = CommitReference.causing(started ?? DispatchOrigin.cause) {
            Task {
                await effect.table.run(number) {
                    if let wait {
                        await effect.run(after: wait, starting: starting, work)
                    } else {
                        await effect.run(work)
                    }
                }
            }
        }
        effects.attach(task, to: number)
        return task
    }

    /// Waits on a clock from now on, and not from when the task gets there.
    private static func waiting<WaitClock: Clock<Duration>>(
        on clock: WaitClock, for delay: Duration
    ) -> @Sendable () async throws -> Void {
        let end = clock.now.advanced(by: delay)
        return { try await clock.sleep(until: end, tolerance: nil) }
    }
}

extension RunningEffect {
    fileprivate func run(_ work: (RunningEffect) async -> Action?) async {
        if let action = await work(self) { await send(action, isLast: true) }
    }

    fileprivate func run(
        after wait: () async throws -> Void, starting: Action?, _ work: (RunningEffect) async -> Action?
    ) async {
        // A wait that throws was cancelled.
        guard (try? await wait()) != nil else { return }
        guard let starting else { return await run(work) }
        var started: CommitReference?
        await table.dispatch(from: number) { started = sendNow(starting) }
        await CommitReference.$current.withValue(started ?? CommitReference.current) { await run(work) }
    }
}

/// Work that a reducer asks for with its answer: it begins when the commit of the action is made, which is its cause.
public struct Effect<State: Sendable, Action: Sendable>: Sendable {
    let start: @Sendable (Dispatcher<State, Action>) -> Void

    /// Work that sends any number of actions, as
    /// ``ReducerStore/run(_:id:after:starting:failure:fileID:line:column:function:_:)`` starts it.
    ///
    /// - Parameters:
    ///   - policy: what happens to effects with the same id.
    ///   - id: groups effects for the policy; by default, those of this line.
    ///   - delay: how long it waits before it starts, on the store's clock.
    ///   - failure: makes an action of what the work threw.
    ///   - work: runs in a task of its own.
    public static func run(
        _ policy: EffectPolicy = .takeEvery, id: (any Hashable & Sendable)? = nil, after delay: Duration? = nil,
        failure: @escaping @Sendable (any Error) -> Action, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        _ work: @escaping @Sendable (RunningEffect<State, Action>) async throws -> Void
    ) -> Effect {
        Effect { dispatcher in
            dispatcher.run(
                policy, id: id, after: delay, failure: failure, fileID: fileID, line: line, column: column,
                function: function, work)
        }
    }

    /// An action that is dispatched at once.
    public static func send(
        _ action: Action, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
        function: StaticString = #function
    ) -> Effect {
        Effect { $0.dispatch(action, fileID: fileID, line: line, column: column, function: function) }
    }

    /// Cancels the effects of an id.
    public static func cancel(id: any Hashable & Sendable) -> Effect { Effect { $0.cancelEffects(id: id) } }

    /// Begins several, in this order.
    public static func merge(_ effects: Effect...) -> Effect {
        Effect { dispatcher in for effect in effects { effect.start(dispatcher) } }
    }
}

extension Effect: OpaqueToDump {}

extension Middleware {
    /// Makes a middleware that starts an effect for some actions, after the reducer has handled them.
    ///
    /// The effect's actions are recorded with this call's location, and with the commit of the handled action as their
    /// cause.
    ///
    /// - Parameters:
    ///   - policy: what happens to effects with the same id.
    ///   - id: groups effects for the policy; by default, those of this middleware.
    ///   - delay: how long an effect waits before it starts, on the store's clock. With ``EffectPolicy/takeLatest`` that
    ///     is a debounce: an effect that comes meanwhile takes the place of this one.
    ///   - request: what the work needs of the action; nil for an action that starts no effect.
    ///   - success: makes an action of what the work returned.
    ///   - failure: makes an action of what the work threw.
    ///   - work: runs in a task of its own.
    public static func effect<Request: Sendable, Value: Sendable>(
        _ policy: EffectPolicy = .takeEvery, id: (any Hashable & Sendable)? = nil, after delay: Duration? = nil,
        on request: @escaping @Sendable (Action) -> Request?, success: @escaping @Sendable (Value) -> Action,
        failure: @escaping @Sendable (any Error) -> Action, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        _ work: @escaping @Sendable (Request) async throws -> Value
    ) -> Middleware {
        starting(on: request, fileID: fileID, line: line, column: column, function: function) { store, request in
            store.run(
                policy, id: id, after: delay, success: success, failure: failure, fileID: fileID, line: line,
                column: column, function: function
            ) { try await work(request) }
        }
    }

    /// Makes a middleware that starts an effect for some actions, which reads the state and sends any number of actions.
    ///
    /// - Parameters:
    ///   - policy: what happens to effects with the same id.
    ///   - id: groups effects for the policy; by default, those of this middleware.
    ///   - delay: how long an effect waits before it starts, on the store's clock. With ``EffectPolicy/takeLatest`` that
    ///     is a debounce: an effect that comes meanwhile takes the place of this one.
    ///   - request: what the work needs of the action; nil for an action that starts no effect.
    ///   - failure: makes an action of what the work threw.
    ///   - work: runs in a task of its own.
    public static func effect<Request: Sendable>(
        _ policy: EffectPolicy = .takeEvery, id: (any Hashable & Sendable)? = nil, after delay: Duration? = nil,
        on request: @escaping @Sendable (Action) -> Request?, failure: @escaping @Sendable (any Error) -> Action,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ work: @escaping @Sendable (Request, RunningEffect<State, Action>) async throws -> Void
    ) -> Middleware {
        starting(on: request, fileID: fileID, line: line, column: column, function: function) { store, request in
            store.run(
                policy, id: id, after: delay, failure: failure, fileID: fileID, line: line, column: column,
                function: function
            ) { effect in try await work(request, effect) }
        }
    }

    /// Starts an effect after each action of which a request can be made.
    private static func starting<Request: Sendable>(
        on request: @escaping @Sendable (Action) -> Request?, fileID: StaticString, line: Int, column: Int,
        function: StaticString,
        _ start: @escaping @Sendable (Dispatcher<State, Action>, Request) -> Void
    ) -> Middleware {
        Middleware { store, next in
            { action in
                next(action, fileID: fileID, line: line, column: column, function: function)
                if let request = request(action) { start(store, request) }
            }
        }
    }
}
