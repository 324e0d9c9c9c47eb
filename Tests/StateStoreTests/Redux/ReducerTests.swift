import Foundation
import JSONCore
import StateStore
import TestSupport
import Testing

private typealias Action = TimelineState.Action

private struct App: Codable, Equatable, Sendable {
    var timeline = TimelineState()
    var draft: TimelineState?
    var dispatches = 0
}

private enum AppAction: Sendable {
    case timeline(TimelineState.Action)
    case quit
}

struct ReducerTests {
    @Test("combined reducers see each other's work in order, one pulled back sees its part and its actions")
    func combination() {
        let timeline = TimelineState.reducer.pullback(\App.timeline) { (action: AppAction) in
            if case .timeline(let inner) = action { inner } else { nil }
        }
        let counter = Reducer<App, AppAction> { app, _ in app.dispatches += app.timeline.texts.count + 1 }
        let store = ReducerStore(Store(App(), recorder: nil), reducer: .combine(timeline, counter))
        store.dispatch(.timeline(.requestSuccess(["a", "b"])))
        #expect(store.state.dispatches == 3)
        store.dispatch(.quit)
        #expect(store.state.timeline.texts == ["a", "b"])
        #expect(store.state.dispatches == 6)
    }

    @Test("a reducer of a part that may be missing does nothing without it")
    func optional() {
        let reducer: Reducer<App, Action> = TimelineState.reducer.optional().pullback(\.draft)
        var app = App()
        reducer.reduce(&app, .requestStart)
        #expect(app == App())
        app.draft = TimelineState()
        reducer.reduce(&app, .requestStart)
        #expect(app.draft?.isLoading == true)
    }

    @Test("a row's reducer answers for the rows that actions name, in arrays and tables, and for none that is gone")
    func rows() {
        struct Row: Encodable, Equatable, Identifiable, Sendable {
            var id: Int
            var count = 0
        }
        struct Rows: Encodable, Equatable, Sendable {
            var list = [Row(id: 1), Row(id: 2)]
            var table = EntityTable([Row(id: 1), Row(id: 2)])
        }
        enum RowsAction: Sendable {
            case list(id: Int, by: Int)
            case table(id: Int, by: Int)

            var list: (id: Int, action: Int)? {
                if case .list(let id, let count) = self { (id, count) } else { nil }
            }
        }
        let row = Reducer<Row, Int> { row, count in row.count += count }
        let reducer = Reducer<Rows, RowsAction>.combine(
            row.forEach(\.list, action: \.list),
            row.forEach(\.table) { if case .table(let id, let count) = $0 { (id, count) } else { nil } })
        let store = ReducerStore(Store(Rows(), recorder: nil), reducer: reducer)
        for action: RowsAction in [
            .list(id: 2, by: 3), .list(id: 7, by: 1), .table(id: 1, by: 5), .table(id: 7, by: 1), .list(id: 2, by: 1),
        ] { store.dispatch(action) }
        #expect(store.state.list.map(\.count) == [0, 4])
        let counts = [1, 2, 7].map { store.state.table[$0]?.count }
        #expect(counts == [5, 0, nil])
    }

    @Test("a dispatch is one commit, with its own line, the function that it is in, and the action")
    func record() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = makeTimeline(recorder)
        let line = #line + 1
        store.dispatch(.requestSuccess(["a"]))
        recorder.close()
        let commit = try #require(try journal.records("commit").first)
        #expect(try journal.lines() == [line])
        #expect(try commit.text("name") == "record()")
        #expect(commit["action"]?.text() == #"{"type":"TimelineState.Action.requestSuccess","payload":["a"]}"#)
        #expect(commit["patch"]?.text() == #"[{"op":"add","path":"/texts/0","value":"a"}]"#)
    }

    @Test(
        "an action is recorded by its case and its associated values alone",
        arguments: [
            (Action.requestStart, #"{"type":"TimelineState.Action.requestStart"}"#),
            (.requestSuccess([]), #"{"type":"TimelineState.Action.requestSuccess","payload":[]}"#),
            (
                .requestFailure(reason: "x", code: 2),
                #"{"type":"TimelineState.Action.requestFailure","payload":{"reason":"x","code":2}}"#
            ),
            (.pair(1, "y"), #"{"type":"TimelineState.Action.pair","payload":{"_0":1,"_1":"y"}}"#),
            (.limit(to: 3), #"{"type":"TimelineState.Action.limit","payload":{"to":3}}"#),
            (.limit(to: nil), #"{"type":"TimelineState.Action.limit","payload":{"to":null}}"#),
        ])
    fileprivate func payload(action: TimelineState.Action, json: String) throws {
        #expect(try ReducerTests.recorded(action) == json)
    }

    @Test(
        "a struct is recorded whole, an enum of raw values and what is not Encodable by their names, private ones too")
    func otherActions() throws {
        #expect(try ReducerTests.recorded(Rename(id: 1, to: "x")) == #"{"type":"Rename","payload":{"id":1,"to":"x"}}"#)
        #expect(try ReducerTests.recorded(Key.enter) == #"{"type":"Key.enter"}"#)
        #expect(try ReducerTests.recorded(Opaque.run {}) == #"{"type":"Opaque.run"}"#)
        #expect(try ReducerTests.recorded(Box(value: 1)) == #"{"type":"Box<Int>","payload":{"value":1}}"#)
        struct Local: Encodable, Sendable { var a = 1 }
        #expect(try ReducerTests.recorded(Local())?.contains("context") == false)
        // Actions of several types behind one protocol: what is inside counts.
        let existential: any Encodable & Sendable = Action.limit(to: 1)
        #expect(
            try ReducerTests.recorded(existential) == #"{"type":"TimelineState.Action.limit","payload":{"to":1}}"#)
    }

    @Test("an action that carries nothing but another one is recorded with the cases of both")
    func nestedAction() throws {
        enum Tone: String, Encodable, Sendable { case loud }
        enum ProfileAction: Encodable, Sendable {
            case rename(to: String)
            case close
        }
        enum Screen: Encodable, Sendable {
            case profile(ProfileAction)
            case pair(ProfileAction, Int)
            case tone(Tone)
        }
        let types = try [Screen.profile(.rename(to: "x")), .profile(.close), .pair(.close, 1), .tone(.loud)].map {
            action in
            try #require(try ReducerTests.recorded(action)).split(separator: "\"")[3].split(separator: ".").suffix(2)
                .joined(separator: ".")
        }
        #expect(types == ["profile.rename", "profile.close", "Screen.pair", "Screen.tone"])
    }

    @Test("a payload without a JSON form is left out and reported, the commit stands")
    func refusedPayload() throws {
        struct Refusing: Encodable, Sendable {
            func encode(to encoder: any Encoder) throws { throw CancellationError() }
        }
        let problems = Log<String>()
        let (journal, recorder) = try TemporaryJournal.recording(onError: { problems.add("\($0)") })
        let store = ReducerStore(
            Store(Cart(), recorder: recorder), reducer: Reducer<Cart, Refusing> { cart, _ in cart.count += 1 })
        store.dispatch(Refusing())
        recorder.close()
        #expect(problems.entries.count == 1)
        #expect(try journal.actions().first??.hasSuffix("Refusing") == true)
        #expect(try journal.replayed().last?["cart"]?.member("count") == .number(JSONNumber(1)))
    }

    @Test("without a recorder no action is named or encoded")
    func unrecorded() {
        let encodings = Ticks()
        struct Counting: Encodable, Sendable {
            let encodings: Ticks
            func encode(to encoder: any Encoder) throws { _ = encodings.next() }
        }
        let store = ReducerStore(
            Store(Cart(), recorder: nil), reducer: Reducer<Cart, Counting> { cart, _ in cart.count += 1 })
        store.dispatch(Counting(encodings: encodings))
        #expect(store.state.count == 1)
        #expect(encodings.value == 0)
    }

    @Test("a dispatch inside a reducer traps and names both source locations, with middleware and without")
    func nestedDispatch() async {
        let direct = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Nest.build(middleware: []).dispatch(1)
        }
        let chained = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Nest.build(middleware: [Middleware { _, next in { next($0) } }]).dispatch(1)
        }
        for result in [direct, chained] {
            #expect(
                result.errors.split(separator: "StateStoreTests/ReducerTests.swift:").count >= 3, "\(result.errors)")
        }
    }

    @Test("the recorded actions, reduced again, give the recorded states", arguments: [11, 12, 13, 14] as [UInt64])
    func replay(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = makeTimeline(recorder)
        for _ in 0..<200 { store.dispatch(ReducerTests.random(&generator)) }
        recorder.close()
        var state = TimelineState()
        for (record, recorded) in zip(try journal.records("commit"), try journal.replayed()) {
            TimelineState.reducer.reduce(&state, try ReducerTests.action(of: record))
            #expect(try recorded["timeline"] == JSONParser.parse(ReducerTests.json(state)), "seed \(seed)")
        }
        #expect(state == store.state)
    }
}

extension ReducerTests {
    /// What the journal says of an action.
    static func recorded<Action: Sendable>(_ action: Action) throws -> String? {
        let (journal, recorder) = try TemporaryJournal.recording()
        ReducerStore(Store(Cart(), recorder: recorder), reducer: Reducer<Cart, Action> { _, _ in }).dispatch(action)
        recorder.close()
        return try journal.records("commit").first?["action"]?.text()
    }

    private static func random(_ generator: inout SeededGenerator) -> TimelineState.Action {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: .requestStart
        case 1: .requestSuccess((0..<Int.random(in: 0..<4, using: &generator)).map { "t\($0)" })
        case 2: .requestFailure(reason: "é\u{0}", code: .random(in: -9...9, using: &generator))
        case 3: .pair(.random(in: 0..<5, using: &generator), "p")
        default: .limit(to: Bool.random(using: &generator) ? nil : .random(in: 0..<5, using: &generator))
        }
    }

    /// Puts an action together from its record, as Codable has it.
    private static func action(of record: JSONObject) throws -> TimelineState.Action {
        guard case .object(let action)? = record["action"],
            let name = try action.text("type").split(separator: ".").last.map(String.init)
        else { throw TemporaryJournal.Missing(name: "action") }
        var values = JSONValue.object(JSONObject())
        switch action["payload"] {
        case .object(let members)?: values = .object(members)
        case let payload?: values = .object(JSONObject([(key: "_0", value: payload)]))
        case nil: break
        }
        let text = JSONValue.object(JSONObject([(key: name, value: values)])).text()
        return try JSONDecoder().decode(TimelineState.Action.self, from: Data(text.utf8))
    }

    /// A state with its nils, which `JSONEncoder` leaves out.
    private static func json(_ state: TimelineState) throws -> [UInt8] {
        guard case .object(var object) = try JSONParser.parse(Array(JSONEncoder().encode(state))) else { return [] }
        for name in ["failure", "limit"] where object[name] == nil { object[name] = .null }
        return Array(JSONValue.object(object).text().utf8)
    }
}

struct Rename: Encodable, Sendable {
    var id: Int
    var to: String
}
enum Key: String, Encodable, Sendable { case enter }
enum Opaque: Sendable { case run(@Sendable () -> Void) }
struct Box<Value: Encodable & Sendable>: Encodable, Sendable { var value: Value }

/// A reducer that dispatches.
private enum Nest {
    nonisolated(unsafe) static var store: ReducerStore<Cart, Int>?

    static func build(middleware: [Middleware<Cart, Int>]) -> ReducerStore<Cart, Int> {
        let store = ReducerStore(
            Store(Cart(), recorder: nil), reducer: Reducer<Cart, Int> { _, _ in Nest.store?.dispatch(2) },
            middleware: middleware)
        Nest.store = store
        return store
    }
}

/// Forms that have to compile as they stand: what the compiler infers is a promise, too.
struct ReducerInferenceTests {
    private struct Whole: Encodable, Equatable, Sendable {
        var count = 0
        var text = ""
    }
    private enum Step: Sendable { case up, down }
    private enum WholeAction: Sendable {
        case step(Step)
        case text(String)
        var step: Step? { if case .step(let step) = self { step } else { nil } }
    }

    private let counter = Reducer<Int, Step> { count, step in count += step == .up ? 1 : -1 }
    private let text = Reducer<Whole, WholeAction> { whole, action in
        if case .text(let text) = action { whole.text = text }
    }

    @Test("a reducer is pulled back by a closure whose parameter is inferred, or by a property of the action")
    func pullback() {
        let reducers = [
            .combine(counter.pullback(\Whole.count) { if case .step(let step) = $0 { step } else { nil } }, text),
            .combine(counter.pullback(\.count) { $0.step }, text),
            .combine(counter.pullback(\.count, action: \.step), text),
            Reducer<Whole, WholeAction>.combine(text, counter.pullback(\Whole.count, action: \WholeAction.step)),
        ]
        for reducer in reducers {
            var whole = Whole()
            for action in [WholeAction.step(.up), .text("a"), .step(.up), .step(.down)] {
                reducer.reduce(&whole, action)
            }
            #expect(whole == Whole(count: 1, text: "a"))
        }
        let alone = counter.pullback(\Whole.count, action: \WholeAction.step)
        var whole = Whole()
        alone.reduce(&whole, .step(.up))
        #expect(whole.count == 1)
    }
}
