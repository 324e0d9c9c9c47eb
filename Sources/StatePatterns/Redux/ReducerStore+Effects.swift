internal import JournalFormat
internal import StoreCore

/// The two actions that an effect ends with.
struct EffectAnswers<Action: Sendable, Value: Sendable>: Sendable {
    let success: @Sendable (Value) -> Action
    let failure: @Sendable (any Error) -> Action
}

extension ReducerStore {
    /// Starts async work whose success and failure both become actions.
    ///
    ///     search.run(.takeLatest, id: "search", starting: .searching(text), success: { .found($0) },
    ///         failure: { .searchFailed("\($0)") }) { try await api.search(text) }
    ///
    /// The actions are recorded with this call's location, the end with the start as its cause. An effect that was cancelled,
    /// by its policy, by ``cancelEffects(id:)``, by cancelling its task or by the end of this store, dispatches nothing more.
    ///
    /// - Parameters:
    ///   - policy: what happens to effects with the same id.
    ///   - id: groups effects for the policy; by default, those that are started at this line.
    ///   - starting: dispatched before the work starts, if the policy lets it start.
    ///   - success: makes an action of what the work returned.
    ///   - failure: makes an action of what the work threw.
    ///   - work: runs in a task of its own, and does not keep this store alive.
    /// - Returns: the effect's task, which ends when its last action is dispatched; the running effect's task if the
    ///   policy ``EffectPolicy/takeLeading`` kept this one from starting.
    @discardableResult
    public func run<Value: Sendable>(
        _ policy: EffectPolicy = .takeEvery, id: (any Hashable & Sendable)? = nil, starting: Action? = nil,
        success: @escaping @Sendable (Value) -> Action, failure: @escaping @Sendable (any Error) -> Action,
        fileID: String = #fileID, line: Int = #line, column: Int = #column, function: String = #function,
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Void, Never> {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        let answers = EffectAnswers(success: success, failure: failure)
        return start(policy, id: id, starting: starting, answers: answers, at: location, work)
    }

    /// Cancels the effects of an id: they dispatch nothing more.
    public func cancelEffects(id: any Hashable & Sendable) { effects.cancel(EffectKey(id: id)) }

    /// How many effects are running.
    public var runningEffects: Int { effects.count }

    /// Waits until no effect is running, those started meanwhile too; for tests.
    public func waitForEffects() async { await effects.waitUntilIdle() }

    func start<Value: Sendable>(
        _ policy: EffectPolicy, id: (any Hashable & Sendable)?, starting: Action?,
        answers: EffectAnswers<Action, Value>, at location: SourceLocation,
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Void, Never> {
        let number: Int
        switch effects.begin(EffectKey(id: id ?? location), policy) {
        case .started(let started): number = started
        case .refused(let leading): return leading
        }
        let started = starting.flatMap { sendTracked($0, at: location) }
        let dispatcher = dispatcher
        let effects = effects
        let task = CommitReference.causing(started ?? DispatchOrigin.cause) {
            Task {
                let action: Action
                do { action = answers.success(try await work()) } catch { action = answers.failure(error) }
                if await effects.claimEnd(of: number), !Task.isCancelled {
                    dispatcher.anchor.store?.send(action, at: location)
                }
                effects.end(number)
            }
        }
        effects.attach(task, to: number)
        return task
    }
}

extension Middleware {
    /// Makes a middleware that starts an effect for some actions, after the reducer has handled them.
    ///
    /// The effect's actions are recorded with this call's location, and with the commit of the handled action as their
    /// cause.
    ///
    /// - Parameters:
    ///   - policy: what happens to effects with the same id.
    ///   - id: groups effects for the policy; by default, those of this middleware.
    ///   - request: what the work needs of the action; nil for an action that starts no effect.
    ///   - success: makes an action of what the work returned.
    ///   - failure: makes an action of what the work threw.
    ///   - work: runs in a task of its own.
    public static func effect<Request: Sendable, Value: Sendable>(
        _ policy: EffectPolicy = .takeEvery, id: (any Hashable & Sendable)? = nil,
        on request: @escaping @Sendable (Action) -> Request?, success: @escaping @Sendable (Value) -> Action,
        failure: @escaping @Sendable (any Error) -> Action, fileID: String = #fileID, line: Int = #line,
        column: Int = #column, function: String = #function,
        _ work: @escaping @Sendable (Request) async throws -> Value
    ) -> Middleware {
        Middleware { store, next in
            { action in
                next(action, fileID: fileID, line: line, column: column, function: function)
                guard let request = request(action) else { return }
                store.run(
                    policy, id: id, success: success, failure: failure, fileID: fileID, line: line, column: column,
                    function: function
                ) { try await work(request) }
            }
        }
    }
}
