internal import JournalFormat
public import StateStore
internal import Synchronization
public import Testing

/// A reducer store whose actions and changes a test asserts one by one, so that none is overlooked.
///
///     let search = TestStore(Search(), reducer: searchReducer, middleware: [.effect(…)])
///     search.send(.started("a")) { $0.isSearching = true }
///     await search.receive(.found(["a1"])) {
///         $0.found = ["a1"]
///         $0.isSearching = false
///     }
///     await search.finish()
///
/// A test sends its own actions, and receives those that middleware, effects and other code dispatch, in the order in
/// which the reducer handled them. Each call takes a closure that makes the expected state of the state before. Any
/// difference is an issue of the test, at the line that says what was expected, with the properties that differ: those
/// of the state's JSON if it is Encodable, else its stored ones.
///
/// With ``Exhaustivity/on`` everything counts: an action that was not received, a change that was not asserted, an
/// effect that is still running at ``finish(timeout:sourceLocation:)``. A test that forgets to finish gets an issue
/// when the store is released.
public final class TestStore<State: Equatable & Sendable, Action: Sendable>: Sendable {
    /// What happens to actions and changes that the test does not assert.
    public enum Exhaustivity: Sendable, Hashable {
        /// They are issues.
        case on
        /// They are skipped: only what is asserted has to hold.
        case off
    }

    /// The reducer store under test, for what dispatches to it by itself: a view model, a thunk, an effect.
    public let store: ReducerStore<State, Action>
    /// What its effects that start after a delay wait on, until the test advances it.
    public let clock: TestClock

    let log: ActionLog<State, Action>
    private let mode: Mutex<Exhaustivity>
    private let birth: Testing.SourceLocation

    /// Makes a store to test a reducer with.
    ///
    /// - Parameters:
    ///   - initial: the state at first.
    ///   - name: the store's name in journals.
    ///   - recorder: what records it; by default that of a `.journaled` test, which so keeps the actions of one that fails.
    ///   - reducer: what is tested.
    ///   - middleware: what runs before it, effects among it, with clients that answer as the test needs.
    ///   - exhaustivity: whether everything has to be asserted.
    public init(
        _ initial: State, name: String? = nil, recorder: Recorder? = .current, reducer: Reducer<State, Action>,
        middleware: [Middleware<State, Action>] = [], exhaustivity: Exhaustivity = .on, function: String = #function,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        let log = ActionLog<State, Action>(initial)
        let clock = TestClock()
        let recorded = Reducer<State, Action> { state, action in
            let before = state
            reducer.reduce(&state, action)
            log.record(action, from: before, to: state)
        }
        store = ReducerStore(
            Store(
                initial, name: name, recorder: recorder, at: TestStore.place(sourceLocation, function)),
            reducer: recorded, middleware: [SentAction.mark()] + middleware, clock: clock)
        self.log = log
        self.clock = clock
        mode = Mutex(exhaustivity)
        birth = sourceLocation
    }

    private static func place(_ location: Testing.SourceLocation, _ function: String) -> CommitLocation {
        CommitLocation(
            JournalFormat.SourceLocation(
                file: location.fileID, line: location.line, column: location.column, function: function))
    }

    deinit {
        guard exhaustivity == .on else { return }
        report(unreceived: log.takeAll(), "when the test store went away", at: birth)
        if store.runningEffects > 0 {
            Issue.record(
                "\(effects(store.runningEffects)) still running when the test store went away: call 'finish()'",
                sourceLocation: birth)
        }
    }

    /// The state after the last action that the test asserted.
    public var state: State { log.asserted }

    /// Whether everything has to be asserted; may be changed for a part of a test.
    public var exhaustivity: Exhaustivity {
        get { mode.withLock(\.self) }
        set { mode.withLock { $0 = newValue } }
    }

    // MARK: Asserting

    /// Dispatches an action, and asserts what it changes.
    ///
    /// - Parameters:
    ///   - action: goes through the middleware to the reducer. One that middleware swallows changes nothing.
    ///   - change: makes the expected state of the one before; without it the state has to stay as it is. With
    ///     ``Exhaustivity/off`` it is given the actual state, and has to leave that as it is.
    public func send(
        _ action: Action, function: String = #function, sourceLocation: Testing.SourceLocation = #_sourceLocation,
        _ change: ((inout State) throws -> Void)? = nil
    ) {
        let unreceived = log.takeAll()
        if exhaustivity == .on {
            report(unreceived: unreceived, "before '\(words(of: action))' was sent", at: sourceLocation)
        }
        let sent = SentAction()
        SentAction.$current.withValue(sent) {
            store.send(action, at: TestStore.place(sourceLocation, function))
        }
        let answer = log.takeAnswer(to: sent)
        check(answer, of: words(of: action), change, at: sourceLocation)
    }

    /// Waits for the next action that the test did not send, and asserts which it is and what it changes.
    ///
    /// - Parameters:
    ///   - action: the action; with ``Exhaustivity/off`` others before it are skipped.
    ///   - timeout: how long it may take to come.
    ///   - change: makes the expected state of the one before it, as with ``send(_:function:sourceLocation:_:)``.
    public func receive(
        _ action: Action, timeout: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation,
        sourceLocation: Testing.SourceLocation = #_sourceLocation, _ change: ((inout State) throws -> Void)? = nil
    ) async where Action: Equatable {
        await receive(
            { $0 == action }, "'\(words(of: action))'", timeout: timeout, isolation: isolation, at: sourceLocation,
            change)
    }

    /// Waits for the next action that the test did not send, and asserts what it is like and what it changes.
    ///
    ///     await search.receive(where: { if case .failed = $0 { true } else { false } }) { $0.isSearching = false }
    ///
    /// - Parameters:
    ///   - matches: whether it is the expected one.
    ///   - timeout: how long it may take to come.
    ///   - change: makes the expected state of the one before it.
    public func receive(
        where matches: (Action) -> Bool, timeout: Duration = .seconds(1),
        isolation: isolated (any Actor)? = #isolation, sourceLocation: Testing.SourceLocation = #_sourceLocation,
        _ change: ((inout State) throws -> Void)? = nil
    ) async {
        await receive(
            matches, "an action that matches", timeout: timeout, isolation: isolation, at: sourceLocation, change)
    }

    /// Ends the test: waits for the running effects, and asserts that every action was received.
    ///
    /// - Parameter timeout: how long the effects may take. Cancel those that never end by themselves first.
    public func finish(
        timeout: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async {
        var deadline = Deadline(timeout)
        let haveEnded = await deadline.wait { store.runningEffects == 0 }
        let unreceived = log.takeAll()
        guard exhaustivity == .on else { return }
        report(unreceived: unreceived, "at the end of the test", at: sourceLocation)
        if !haveEnded {
            Issue.record(
                "\(effects(store.runningEffects)) still running after \(timeout): let them end, or cancel them",
                sourceLocation: sourceLocation)
            // Reported once, and not again when this store is released.
            exhaustivity = .off
        }
    }

    private func effects(_ count: Int) -> String { count == 1 ? "1 effect is" : "\(count) effects are" }
}
