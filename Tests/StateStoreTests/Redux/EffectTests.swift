import StateStore
import Synchronization
import Testing

private typealias Action = TimelineState.Action

/// Work that ends when a test says so.
final class Gate<Value: Sendable>: Sendable {
    private let arrivals = AsyncStream.makeStream(of: Void.self)
    private let answers = AsyncStream.makeStream(of: Result<Value, any Error>.self)

    /// Waits for the answer; where its task is cancelled, throws that.
    func pass() async throws -> Value {
        arrivals.continuation.yield()
        for await answer in answers.stream { return try answer.get() }
        throw CancellationError()
    }

    /// Waits until somebody waits.
    func arrival() async { for await _ in arrivals.stream { return } }

    func open(_ answer: Result<Value, any Error>) { answers.continuation.yield(answer) }
}

struct Offline: Error, Equatable {}

struct EffectTests {
    private enum Search: Sendable, Codable, Equatable {
        case typed(String), found([String]), failed(String), reset, stop
    }
    private struct Found: Sendable, Codable, Equatable {
        var text = ""
        var found: [String] = []
        var failure: String?
    }

    @Test("a reducer begins the effects that it returns when its commit is made, with that as their cause")
    func effectsOfReducers() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let gate = Gate<[String]>()
        let store = ReducerStore<Found, Search>(Found(), name: "search", recorder: recorder) { state, action in
            switch action {
            case .typed(let text):
                state.text = text
                return .run(.takeLatest, id: "search", failure: { .failed("\(type(of: $0))") }) { effect in
                    #expect(effect.state.text == text)
                    await effect.send(.found(try await gate.pass()))
                }
            case .found(let found): state.found = found
            case .failed(let failure): state.failure = failure
            case .reset:
                state = Found()
                return .merge(.send(.found(["nothing"])), .send(.failed("reset")))
            case .stop: return .cancel(id: "search")
            }
            return nil
        }
        store.dispatch(.typed("a"))
        await gate.arrival()
        gate.open(.success(["a1"]))
        await store.waitForEffects()
        #expect(store.found == ["a1"])
        store.dispatch(.typed("b"))
        await gate.arrival()
        gate.open(.failure(Offline()))
        await store.waitForEffects()
        #expect(store.failure == "Offline")
        store.dispatch(.reset)
        #expect(store.state == Found(found: ["nothing"], failure: "reset"))
        store.dispatch(.typed("c"))
        await gate.arrival()
        store.dispatch(.stop)
        await store.waitForEffects()
        #expect(store.found == ["nothing"] && store.runningEffects == 0)
        recorder.close()
        #expect(try journal.causes() == [nil, 1, nil, 3, nil, 5, 5, nil, nil])
    }

    @Test("a reducer that returns effects runs once for each action")
    func effectfulReducerRunsOnce() {
        let runs = Locked(0)
        let store = ReducerStore<Int, Int>(0, recorder: nil) { sum, number in
            runs.modify { $0 += 1 }
            sum += number
            return number == 3 ? .send(4) : nil
        }
        store.dispatch(1)
        store.dispatch(3)
        #expect(store.state == 8 && runs.wrappedValue == 3)
    }

    @Test(
        "listeners hear the actions from when they begin, in order, once the reducer has answered; they end with the store"
    )
    func listeners() async {
        let listeners = ActionListeners<TimelineState, Action>()
        var store: ReducerStore? = makeTimeline(nil, middleware: [listeners.middleware])
        store?.dispatch(.requestStart)
        let actions = listeners.actions()
        let other = Task { await listeners.actions().first { _ in false } }
        for limit in 1...3 { store?.dispatch(.limit(to: limit)) }
        #expect(await actions.first { $0 == .limit(to: 2) } != nil)
        #expect(await actions.first { _ in true } == .limit(to: 3))
        other.cancel()
        #expect(await other.value == nil)
        store = nil
    }

    @Test("an effect's success and failure both become actions, with its own line and its start as their cause")
    func ends() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = makeTimeline(recorder)
        func run(line: Int, _ work: @escaping @Sendable () async throws -> [String]) async {
            await store.run(
                starting: .requestStart, success: { .requestSuccess($0) }, failure: EffectTests.failure, line: line,
                work
            ).value
        }
        await run(line: 10) { ["a"] }
        #expect(store.state == TimelineState(texts: ["a"]))
        await run(line: 20) { throw Offline() }
        #expect(store.state.failure == "Offline() 0")
        let line = #line + 1
        await store.run(success: { .limit(to: $0) }, failure: EffectTests.failure) { 1 }.value
        recorder.close()
        let type = "TimelineState.Action"
        #expect(
            try journal.actions()
                == [
                    "\(type).requestStart", "\(type).requestSuccess", "\(type).requestStart", "\(type).requestFailure",
                    "\(type).limit",
                ])
        #expect(try journal.lines() == [10, 10, 20, 20, line])
        #expect(try journal.causes() == [nil, 1, nil, 3, nil])
    }

    @Test("of effects of which the first leads, each answers with the first's task, which ends with it")
    func leadingTask() async {
        let store = makeTimeline(nil)
        let gate = Gate<[String]>()
        func run() -> Task<Void, Never> {
            store.run(
                .takeLeading, id: "x", success: { .requestSuccess($0) }, failure: EffectTests.failure
            ) { try await gate.pass() }
        }
        let first = run()
        await gate.arrival()
        let second = run()
        #expect(first == second)
        gate.open(.success(["paid"]))
        await second.value
        #expect(store.state.texts == ["paid"])
    }

    @Test("take latest cancels what runs, take leading does not start, take every lets both run")
    func policies() async {
        for policy in [EffectPolicy.takeLatest, .takeLeading, .takeEvery] {
            // A gate serves one task: the cancellation of who waits closes it.
            let (first, second) = (Gate<[String]>(), Gate<[String]>())
            let store = makeTimeline()
            let one = EffectTests.start(store, policy, first)
            await first.arrival()
            let two = EffectTests.start(store, policy, second)
            if policy != .takeLeading { await second.arrival() }
            if policy != .takeLatest { first.open(.success(["1"])) }
            await one.value
            if policy != .takeLeading { second.open(.success(["2"])) }
            await two.value
            let expected = [EffectPolicy.takeLatest: ["2"], .takeLeading: ["1"], .takeEvery: ["1", "2"]]
            #expect(store.state.texts == expected[policy], "\(policy)")
        }
    }

    @Test("a cancelled effect has ended, also where its work ignores that, and nothing of the work is dispatched")
    func cancelledWork() async {
        let store = makeTimeline(nil)
        let (gates, finished) = ((0..<3).map { _ in AsyncStream<Void>.makeStream() }, AsyncStream<Void>.makeStream())
        var tasks: [Task<Void, Never>] = []
        for (number, gate) in gates.enumerated() {
            let begun = AsyncStream<Void>.makeStream()
            tasks.append(
                store.run(id: number, failure: EffectTests.failure) { effect in
                    begun.continuation.yield()
                    // Waits whether it is cancelled or not.
                    await Task.detached { for await _ in gate.stream { return } }.value
                    await effect.send(.requestSuccess(["late"]))
                    finished.continuation.yield()
                })
            for await _ in begun.stream { break }
        }
        tasks[0].cancel()
        await tasks[0].value
        #expect(store.runningEffects == 2)
        store.cancelEffects(id: 1)
        await tasks[1].value
        #expect(store.runningEffects == 1, "one of another id goes on")
        store.cancelEffects(id: 2)
        await store.waitForEffects()
        #expect(store.runningEffects == 0)
        gates.forEach { $0.continuation.yield() }
        var ends = finished.stream.makeAsyncIterator()
        for _ in gates { await ends.next() }
        #expect(store.store.version == 0 && store.state.texts.isEmpty)
    }

    @Test("effects end with their store, and do not keep it alive")
    func endWithStore() async {
        let gate = Gate<[String]>()
        weak var gone: ReducerStore<TimelineState, TimelineState.Action>?
        let inner = Store(TimelineState(), recorder: nil)
        let task: Task<Void, Never>
        do {
            let store = ReducerStore(inner, reducer: TimelineState.reducer)
            task = EffectTests.start(store, .takeEvery, gate)
            await gate.arrival()
            gone = store
        }
        #expect(gone == nil)
        await task.value
        #expect(task.isCancelled)
        #expect(inner.version == 0)
    }

    @Test("a middleware's effect starts once the reducer has answered its action, which is the cause of its end")
    func middlewareEffect() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let line = #line + 1
        let loading = Middleware<TimelineState, TimelineState.Action>.effect(
            .takeLatest, on: { action in if case .requestStart = action { "page" } else { nil } },
            success: { .requestSuccess($0) }, failure: EffectTests.failure
        ) { request in [request] }
        let store = makeTimeline(recorder, middleware: [loading])
        store.dispatch(.limit(to: 5))
        let dispatch = #line + 1
        store.dispatch(.requestStart)
        await store.waitForEffects()
        recorder.close()
        #expect(store.state.texts == ["page"])
        #expect(try journal.lines() == [dispatch - 2, dispatch, line])
        #expect(try journal.causes() == [nil, nil, 2])
    }

    @Test("of many effects that take the latest, each result is the newest so far, and the last one's stands")
    func latest() async {
        let store = ReducerStore(
            Store(Cart(), recorder: nil),
            reducer: Reducer<Cart, Int> { cart, number in
                cart.items.append(Cart.Item(id: number, name: ""))
            })
        for number in 1...200 {
            store.run(.takeLatest, id: 1, success: { $0 }, failure: { _ in -1 }) {
                for _ in 0..<(number % 5) { await Task.yield() }
                return number
            }
            if number.isMultiple(of: 3) { await Task.yield() }
        }
        await store.waitForEffects()
        let numbers = store.state.items.map(\.id)
        #expect(numbers == numbers.sorted())
        #expect(numbers.last == 200)
    }

    @Test("an action creator may return nothing; then nothing is committed")
    func creators() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = makeTimeline(recorder)
        func request(_ state: TimelineState) -> TimelineState.Action? { state.isLoading ? nil : .requestStart }
        let line = #line + 1
        #expect(store.dispatch(request))
        #expect(!store.dispatch(request))
        #expect(!store.dispatch { state in state.isLoading ? nil : .limit(to: 1) })
        recorder.close()
        #expect(try journal.lines() == [line])
        #expect(store.store.version == 1)
    }

    @Test("a thunk reads the state, dispatches at its own lines, and may return and throw")
    func thunks() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = makeTimeline(recorder)
        let line = #line + 2
        let count = store.dispatch { dispatch, getState in
            dispatch(.requestSuccess(["a"]))
            if getState().texts.count == 1 { dispatch(.requestSuccess(["b"])) }
            return getState().texts.count
        }
        #expect(count == 2)
        #expect(throws: Offline.self) { try store.dispatch { _, _ throws(Offline) in throw Offline() } }
        recorder.close()
        #expect(try journal.lines() == [line, line + 1])
    }
}

extension EffectTests {
    static let failure: @Sendable (any Error) -> TimelineState.Action = { .requestFailure(reason: "\($0)", code: 0) }

    static func start(
        _ store: ReducerStore<TimelineState, TimelineState.Action>, _ policy: EffectPolicy, _ gate: Gate<[String]>
    ) -> Task<Void, Never> {
        store.run(policy, success: { .requestSuccess($0) }, failure: failure) { try await gate.pass() }
    }
}
