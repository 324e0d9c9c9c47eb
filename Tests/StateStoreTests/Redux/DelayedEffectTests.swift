import StateStore
import StateStoreTesting
import Synchronization
import Testing

/// Effects that start after a delay, and effects that send several actions.
struct DelayedEffectTests {
    private typealias Action = TimelineState.Action

    private static func loading(
        _ loads: Log<String>, _ policy: EffectPolicy = .takeLatest, starting: Bool = false
    ) -> Middleware<TimelineState, TimelineState.Action> {
        Middleware { store, next in
            { action in
                next(action)
                guard case .pair(_, let text) = action else { return }
                store.run(
                    policy, id: "load", after: .milliseconds(300), starting: starting ? .requestStart : nil,
                    success: { .requestSuccess($0) }, failure: EffectTests.failure
                ) {
                    loads.add(text)
                    return [text]
                }
            }
        }
    }

    @Test("a debounced effect runs once, for the last action, when its time has passed on the test's clock")
    func debounce() async {
        let loads = Log<String>()
        let timeline = TestStore(TimelineState(), reducer: TimelineState.reducer, middleware: [Self.loading(loads)])
        for text in ["a", "ab", "abc"] {
            timeline.send(.pair(0, text))
            timeline.clock.advance(by: .milliseconds(299))
        }
        #expect(loads.entries.isEmpty)
        timeline.clock.advance(by: .milliseconds(1))
        await timeline.receive(.requestSuccess(["abc"])) { $0.texts = ["abc"] }
        #expect(loads.entries == ["abc"])
        await timeline.finish()
    }

    @Test("what leads is started once its time has passed, others meanwhile are not")
    func throttle() async {
        let loads = Log<String>()
        let timeline = TestStore(
            TimelineState(), reducer: TimelineState.reducer, middleware: [Self.loading(loads, .takeLeading)])
        timeline.send(.pair(0, "a"))
        timeline.send(.pair(0, "b"))
        timeline.clock.advance(by: .seconds(1))
        await timeline.receive(.requestSuccess(["a"])) { $0.texts = ["a"] }
        #expect(loads.entries == ["a"])
        await timeline.finish()
    }

    @Test("the action that starts a delayed effect is dispatched after the delay, and is the cause of its end")
    func starting() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let loads = Log<String>()
        let timeline = TestStore(
            TimelineState(), recorder: recorder, reducer: TimelineState.reducer,
            middleware: [Self.loading(loads, starting: true)])
        timeline.send(.pair(0, "a"))
        timeline.clock.advance(by: .milliseconds(300))
        await timeline.receive(.requestStart) { $0.isLoading = true }
        await timeline.receive(.requestSuccess(["a"])) { state in
            state.isLoading = false
            state.texts = ["a"]
        }
        await timeline.finish()
        recorder.close()
        #expect(try journal.causes() == [nil, 1, 2])
    }

    @Test("an effect that is cancelled while it waits dispatches nothing, and ends")
    func cancelled() async {
        let loads = Log<String>()
        let timeline = TestStore(
            TimelineState(), reducer: TimelineState.reducer, middleware: [Self.loading(loads, starting: true)])
        timeline.send(.pair(0, "a"))
        timeline.store.cancelEffects(id: "load")
        await timeline.finish()
        timeline.clock.advance(by: .seconds(1))
        #expect(loads.entries.isEmpty)
    }

    @Test("an effect reads the state and sends several actions, in order; its failure is one, too")
    func several() async {
        let paging = Middleware<TimelineState, Action>.effect(
            on: { action in if case .limit(let pages?) = action { pages } else { nil } }, failure: EffectTests.failure
        ) { pages, effect in
            for page in 0..<pages {
                await effect.send(.requestSuccess(["page \(page) after \(effect.state.texts.count)"]))
            }
            throw Offline()
        }
        let timeline = TestStore(TimelineState(), reducer: TimelineState.reducer, middleware: [paging])
        timeline.send(.limit(to: 2)) { $0.limit = 2 }
        await timeline.receive(.requestSuccess(["page 0 after 0"])) { $0.texts = ["page 0 after 0"] }
        await timeline.receive(.requestSuccess(["page 1 after 1"])) { $0.texts.append("page 1 after 1") }
        await timeline.receive(.requestFailure(reason: "Offline()", code: 0)) { $0.failure = "Offline() 0" }
        await timeline.finish()
    }

    @Test("an effect that another one took the place of sends nothing more, though its work goes on")
    func superseded() async {
        let store = makeTimeline(nil)
        let (first, second) = (Gate<Void>(), Gate<Void>())
        func run(_ name: String, _ gate: Gate<Void>) -> Task<Void, Never> {
            store.run(.takeLatest, id: 1, failure: EffectTests.failure) { effect in
                await effect.send(.requestSuccess(["\(name) begins"]))
                try? await Task { try await gate.pass() }.value
                await effect.send(.requestSuccess(["\(name) ends"]))
            }
        }
        let one = run("one", first)
        await first.arrival()
        let two = run("two", second)
        await second.arrival()
        first.open(.success(()))
        await one.value
        second.open(.success(()))
        await two.value
        #expect(store.state.texts == ["one begins", "two begins", "two ends"])
    }

    @Test("an effect waits for the moment that is its delay after its start, however late its task begins")
    func deadline() async {
        let clock = LoggingClock()
        clock.inner.advance(by: .seconds(2))
        let store = ReducerStore(Store(TimelineState(), recorder: nil), reducer: TimelineState.reducer, clock: clock)
        store.run(after: .milliseconds(300), success: { .limit(to: $0) }, failure: EffectTests.failure) { 1 }
        clock.inner.advance(by: .seconds(2))
        await store.waitForEffects()
        #expect(clock.ends.entries == [.milliseconds(2300)])
        #expect(store.state.limit == 1)
    }

    /// A clock that logs the moments for which it is to wait, and does not wait.
    private final class LoggingClock: Clock {
        let inner = TestClock()
        let ends = Log<Duration>()
        var now: TestClock.Instant { inner.now }
        var minimumResolution: Duration { inner.minimumResolution }
        func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws { ends.add(deadline.elapsed) }
    }

    @Test("a clock wakes the sleepers that are due, the earliest first, and those that come too late at once")
    func clock() async throws {
        let clock = TestClock()
        let start = clock.now
        clock.advance(by: .seconds(5))
        #expect(start.duration(to: clock.now) == .seconds(5))
        try await clock.sleep(until: start.advanced(by: .seconds(3)))
        let sleeper = Task { try await clock.sleep(until: start.advanced(by: .seconds(8))) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
