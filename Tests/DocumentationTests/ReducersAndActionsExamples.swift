import StateStore
import StateStoreTesting
import TestSupport
import Testing

private struct Search: Encodable, Equatable, Sendable {
    var text = ""
    var isSearching = false
    var found: [String] = []
    var failure: String?
}

private enum SearchAction: Encodable, Sendable {
    case started(String)
    case found([String])
    case failed(String)
}

private struct Row: Encodable, Equatable, Identifiable, Sendable {
    var id: Int
    var title = ""
    var isDone = false
}

private enum RowAction: Encodable, Sendable {
    case renamed(String)
    case checked
}

private struct ListState: Encodable, Equatable, Sendable { var rows: [Row] = [] }

private enum ListAction: Sendable {
    case row(id: Row.ID, action: RowAction)

    var row: (id: Row.ID, action: RowAction)? { if case .row(let id, let action) = self { (id, action) } else { nil } }
}

private func find(_ text: String) async throws -> [String] { [text + "1", text + "2"] }

/// The code of the page `ReducersAndActions`.
struct ReducersAndActionsExamples {
    private static let reducer = Reducer<Search, SearchAction> { state, action in
        switch action {
        case .started(let text):
            state.text = text
            state.isSearching = true
        case .found(let found):
            state.found = found
            state.isSearching = false
        case .failed(let message):
            state.failure = message
            state.isSearching = false
        }
    }

    @Test("an action is answered by a reducer, in one commit")
    func dispatch() {
        let reducer = Reducer<Search, SearchAction> { state, action in
            switch action {
            case .started(let text):
                state.text = text
                state.isSearching = true
            case .found(let found):
                state.found = found
                state.isSearching = false
            case .failed(let message):
                state.failure = message
                state.isSearching = false
            }
        }
        let search = ReducerStore(Store(Search(), name: "search"), reducer: reducer)
        search.dispatch(.started("swift"))
        #expect(search.state == Search(text: "swift", isSearching: true))
    }

    @Test("the reducer of a row answers for all rows")
    func rows() {
        let row = Reducer<Row, RowAction> { row, action in
            switch action {
            case .renamed(let title): row.title = title
            case .checked: row.isDone = true
            }
        }
        let rows = row.forEach(\ListState.rows, action: \ListAction.row)
        let list = ReducerStore(Store(ListState(rows: [Row(id: 1), Row(id: 2)]), name: "list"), reducer: rows)
        list.dispatch(.row(id: 2, action: .renamed("tea")))
        list.dispatch(.row(id: 2, action: .checked))
        list.dispatch(.row(id: 3, action: .checked))
        #expect(list.state.rows == [Row(id: 1), Row(id: 2, title: "tea", isDone: true)])
    }

    @Test("an effect ends with an action")
    func effect() async {
        let search = ReducerStore(Store(Search(), name: "search"), reducer: Self.reducer)
        let text = "a"
        search.run(
            .takeLatest, id: "search", starting: .started(text),
            success: { .found($0) }, failure: { .failed("\($0)") }
        ) { try await find(text) }
        await search.waitForEffects()
        #expect(search.state.found == ["a1", "a2"])
    }

    @Test("a reducer returns its effect")
    func effectOfReducer() async {
        let search = ReducerStore<Search, SearchAction>(Search(), name: "search") { state, action in
            switch action {
            case .started(let text):
                state.text = text
                return .run(.takeLatest, id: "search", failure: { .failed("\($0)") }) { effect in
                    await effect.send(.found(try await find(text)))
                }
            case .found(let found): state.found = found
            case .failed(let message): state.failure = message
            }
            return nil
        }
        search.dispatch(.started("a"))
        await search.waitForEffects()
        #expect(search.state.found == ["a1", "a2"])
    }

    @Test("an effect waits, reads the state and sends several actions")
    func severalActions() async {
        let clock = TestClock()
        let search = ReducerStore(Store(Search(), name: "search"), reducer: Self.reducer, clock: clock)
        let text = "a"
        search.run(.takeLatest, id: "search", after: .milliseconds(300), failure: { .failed("\($0)") }) { effect in
            await effect.send(.started(text))
            for part in try await find(text) { await effect.send(.found(effect.state.found + [part])) }
        }
        clock.advance(by: .milliseconds(300))
        await search.waitForEffects()
        #expect(search.state.text == "a" && search.state.found == ["a1", "a2"])
    }

    @Test("a middleware stands between a dispatch and the reducer")
    func middleware() {
        let impatient = Middleware<Search, SearchAction> { store, next in
            { action in
                if case .started = action, store.state.isSearching { return }
                next(action)
            }
        }
        let search = ReducerStore(Store(Search(), name: "search"), reducer: Self.reducer, middleware: [impatient])
        search.dispatch(.started("a"))
        search.dispatch(.started("b"))
        #expect(search.state.text == "a")
    }

    @Test("creators and thunks decide by the state, a selection skips equal values")
    func thunks() {
        let search = ReducerStore(Store(Search(), name: "search"), reducer: Self.reducer)
        search.dispatch { state in state.isSearching ? nil : .started("b") }
        search.dispatch { dispatch, getState in
            dispatch(.found(["b1"]))
            if getState().found.count == 1 { dispatch(.failed("that was all")) }
        }
        let subscription = search.subscribe(\.found.count) { count in
            print("found \(count)")
        }
        #expect(search.state.failure == "that was all")
        subscription.cancel()
    }
}
