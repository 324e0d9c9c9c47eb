import Foundation
import JSONCore
import StateStore
import Synchronization
import Testing

private typealias Timeline = Middleware<TimelineState, TimelineState.Action>

struct MiddlewareTests {
    private static func logging(_ name: String, _ log: Log<String>) -> Timeline {
        Middleware { store, next in
            { action in
                log.add("\(name) before \(store.state.texts.count)")
                next(action)
                log.add("\(name) after \(store.state.texts.count)")
            }
        }
    }

    @Test("the first middleware sees an action first, and the state before and after the reducer")
    func order() {
        let log = Log<String>()
        let store = makeTimeline(middleware: [MiddlewareTests.logging("a", log), MiddlewareTests.logging("b", log)])
        store.dispatch(.requestSuccess(["x"]))
        #expect(log.entries == ["a before 0", "b before 0", "b after 1", "a after 1"])
    }

    @Test("middleware that dispatches without an end traps with its words")
    func endless() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            MiddlewareTests.dispatchWithoutEnd()
        }
        MiddlewareTests.expectWords(in: result)
    }

    @Test("middleware that dispatches without an end traps with its words on a small stack, too")
    func endlessOnSmallStack() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let thread = Thread { MiddlewareTests.dispatchWithoutEnd() }
            thread.stackSize = 512 << 10
            thread.start()
            while true { sleep(1) }
        }
        MiddlewareTests.expectWords(in: result)
    }

    private static func expectWords(in result: ExitTest.Result?) {
        #expect(result.errors.contains("the dispatch of 'Action' at"))
        #expect(result.errors.contains("is inside so many others that no stack is left"))
    }

    private static func dispatchWithoutEnd() {
        let endless = Timeline { store, next in
            { action in
                next(action)
                store.dispatch(action)
            }
        }
        makeTimeline(nil, middleware: [endless]).dispatch(.requestStart)
    }

    @Test("a dispatch in middleware has been reduced when it returns, hundreds deep")
    func nested() {
        let depth = 300
        let nesting = Timeline { store, next in
            { action in
                next(action)
                if case .limit(let rest?) = action, rest > 0 { store.dispatch(.limit(to: rest - 1)) }
            }
        }
        let store = makeTimeline(nil, middleware: [nesting])
        store.dispatch(.limit(to: depth))
        #expect(store.store.version == depth + 1)
    }

    @Test("a middleware may swallow an action, change it, or hand it on twice")
    func control() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let control = Timeline { _, next in
            { action in
                switch action {
                case .requestStart: break
                case .requestSuccess(let texts): next(.requestSuccess(texts.map { $0.uppercased() }))
                default:
                    next(action)
                    next(action)
                }
            }
        }
        let store = makeTimeline(recorder, middleware: [control])
        store.dispatch(.requestStart)
        #expect(store.store.version == 0)
        store.dispatch(.requestSuccess(["a"]))
        store.dispatch(.limit(to: 1))
        recorder.close()
        #expect(store.state.texts == ["A"])
        let type = "TimelineState.Action"
        #expect(try journal.actions() == ["\(type).requestSuccess", "\(type).limit", "\(type).limit"])
    }

    @Test(
        "what a middleware dispatches goes through the whole chain, has its own line, and the answered action as cause")
    func redispatch() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let log = Log<String>()
        let own = #line + 7
        let retry = Timeline { store, next in
            { action in
                switch action {
                case .requestFailure:
                    store.dispatch(.limit(to: 9))
                    next(action)
                    store(.requestStart)
                default: next(action)
                }
            }
        }
        let store = makeTimeline(recorder, middleware: [MiddlewareTests.logging("first", log), retry])
        let line = #line + 1
        store.dispatch(.requestFailure(reason: "x", code: 1))
        recorder.close()
        #expect(log.entries.count { $0.hasPrefix("first before") } == 3)
        #expect(try journal.lines() == [own - 2, line, own])
        // What it dispatches before it hands the action on was caused by nothing in the journal.
        #expect(try journal.causes() == [nil, nil, 2])
    }

    @Test("an action that is handed on later has the dispatch's own line, in a detached task that of `next`")
    func laterHandOn() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let tasks = Log<Task<Void, Never>>()
        let own = #line + 6
        let delay = Timeline { _, next in
            { action in
                if case .requestStart = action {
                    tasks.add(Task { next(action) })
                } else {
                    tasks.add(Task.detached { next(action) })
                }
            }
        }
        let store = makeTimeline(recorder, middleware: [delay])
        let line = #line + 1
        store.dispatch(.requestStart)
        for task in tasks.entries { await task.value }
        store.dispatch(.limit(to: 1))
        for task in tasks.entries { await task.value }
        recorder.close()
        #expect(try journal.lines() == [line, own])
        #expect(store.state == TimelineState(isLoading: true, limit: 1))
    }

    @Test("a middleware is connected once, and keeps its own memory")
    func memory() {
        let connections = Ticks()
        let numbers = Log<Int>()
        let counting = Timeline { _, next in
            _ = connections.next()
            let actions = Ticks()
            return { action in
                numbers.add(actions.next())
                next(action)
            }
        }
        let store = makeTimeline(middleware: [counting])
        for _ in 0..<3 { store.dispatch(.requestStart) }
        #expect(connections.value == 1)
        #expect(numbers.entries == [1, 2, 3])
    }

    @Test("dispatches of many threads through middleware lose nothing")
    func threads() async {
        let store = ReducerStore(
            Store(Cart(), recorder: nil), reducer: Reducer<Cart, Int> { cart, number in cart.count += number },
            middleware: [Middleware { _, next in { next($0 * 2) } }])
        await concurrently(4) { _ in for _ in 0..<250 { store.dispatch(1) } }
        #expect(store.state.count == 2000)
    }

    @Test("a reducer store whose middleware holds its dispatcher goes away with its last reference")
    func noCycle() {
        let holder = Mutex<Dispatcher<TimelineState, TimelineState.Action>?>(nil)
        let connected = Timeline { store, next in
            holder.withLock { $0 = store }
            return { action in
                _ = store.state
                next(action)
            }
        }
        weak var gone: ReducerStore<TimelineState, TimelineState.Action>?
        do {
            let store = makeTimeline(middleware: [connected])
            store.dispatch(.requestStart)
            gone = store
        }
        #expect(gone == nil)
        let left = holder.withLock(\.self)
        left?.dispatch(.limit(to: 1))
        #expect(left?.state.limit == nil)
    }
}

/// The state and the actions of the reducer tests.
struct TimelineState: Codable, Equatable, Sendable {
    enum Action: Codable, Equatable, Sendable {
        case requestStart
        case requestSuccess([String])
        case requestFailure(reason: String, code: Int)
        case pair(Int, String)
        case limit(to: Int?)
    }

    var isLoading = false
    var texts: [String] = []
    var failure: String?
    var limit: Int?

    static let reducer = Reducer<TimelineState, Action> { state, action in
        switch action {
        case .requestStart:
            state.isLoading = true
            state.failure = nil
        case .requestSuccess(let texts):
            state.isLoading = false
            state.texts += texts
            if let limit = state.limit { state.texts = Array(state.texts.suffix(limit)) }
        case .requestFailure(let reason, let code):
            state.isLoading = false
            state.failure = "\(reason) \(code)"
        case .pair(let count, let text): state.texts = Array(repeating: text, count: count)
        case .limit(let limit): state.limit = limit
        }
    }
}

/// A reducer store of a timeline, recorded or not.
func makeTimeline(
    _ recorder: Recorder? = nil, middleware: [Middleware<TimelineState, TimelineState.Action>] = []
) -> ReducerStore<TimelineState, TimelineState.Action> {
    ReducerStore(
        Store(TimelineState(), name: "timeline", recorder: recorder), reducer: TimelineState.reducer,
        middleware: middleware)
}

extension TemporaryJournal {
    /// The lines that the commits were made at.
    func lines() throws -> [Int?] {
        try records("commit").map { record in
            guard case .object(let at) = record["at"] else { return nil }
            return at.integer("line")
        }
    }

    /// The causes of the commits.
    func causes() throws -> [Int?] { try records("commit").map { $0.integer("cause") } }

    /// The names of the commits.
    func names() throws -> [String] { try records("commit").map { try $0.text("name") } }

    /// The types of the commits' actions.
    func actions() throws -> [String?] {
        try records("commit").map { record in
            guard case .object(let action) = record["action"] else { return nil }
            return try action.text("type")
        }
    }
}
