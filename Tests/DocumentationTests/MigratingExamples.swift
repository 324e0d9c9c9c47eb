import StateStore
import StateStoreTesting
import TestSupport
import Testing

private struct Item: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var name: String
}

private struct AppState: Codable, Equatable, Sendable {
    var title = ""
    var items: [Item] = []
    var isLoading = false
    var counter = CounterState()
    var failure: String?
}

private struct CounterState: Codable, Equatable, Sendable {
    var count = 0
}

private struct Client: Sendable {
    func items() async throws -> [Item] { [Item(id: 1, name: "tea")] }
}

/// The code of the pages `ComingFromVerge`, `ComingFromTCA` and `ComingFromRedux`.
struct MigratingExamples {
    // MARK: Verge

    @Test("as in Verge")
    func verge() async {
        let seen = Locked<[String]>([])
        let store = Store(AppState(), name: "app")
        store.commit { $0.title = "Hello" }
        let subscription = store.subscribe { changes in
            changes.ifChanged(\.title) { title in seen.modify { $0.append(title) } }
        }
        let names = store.derived(\.items) { items in items.map(\.name) }
        let both = Derived(names, store[\.title]) { names, title in "\(title): \(names.count)" }
        store.commit { $0.items = [Item(id: 1, name: "tea")] }
        #expect(both.value == "Hello: 1")
        #expect(seen.wrappedValue == ["Hello"])
        subscription.cancel()
    }

    // MARK: ReSwift

    private enum CounterAction: Codable, Equatable, Sendable {
        case increase
        case decrease
        case set(Int)
    }

    private static let counterReducer = Reducer<CounterState, CounterAction> { state, action in
        switch action {
        case .increase: state.count += 1
        case .decrease: state.count -= 1
        case .set(let count): state.count = count
        }
    }

    @Test("as in ReSwift")
    func reSwift() {
        let counterReducer = Reducer<CounterState, CounterAction> { state, action in
            switch action {
            case .increase: state.count += 1
            case .decrease: state.count -= 1
            case .set(let count): state.count = count
            }
        }
        let logging = Middleware<CounterState, CounterAction> { store, next in
            { action in
                print("before", action, store.state)
                next(action)
            }
        }
        let mainStore = ReducerStore(
            Store(CounterState(), name: "counter"), reducer: counterReducer, middleware: [logging])
        mainStore.dispatch(.increase)
        let subscription = mainStore.subscribe(\.count) { @MainActor count in print(count) }
        mainStore.dispatch { dispatch, getState in
            if getState().count < 10 { dispatch(.set(10)) }
        }
        #expect(mainStore.state.count == 10)
        subscription.cancel()
    }

    // MARK: The Composable Architecture

    private enum AppAction: Codable, Equatable, Sendable {
        case appeared
        case loaded([Item])
        case failed(String)
        case counter(CounterAction)

        var counter: CounterAction? { if case .counter(let action) = self { action } else { nil } }
    }

    private static let appReducer = Reducer<AppState, AppAction>.combine(
        Reducer { state, action in
            switch action {
            case .appeared: state.isLoading = true
            case .loaded(let items):
                state.items = items
                state.isLoading = false
            case .failed(let message):
                state.failure = message
                state.isLoading = false
            case .counter: break
            }
        },
        counterReducer.pullback(\.counter, action: \.counter))

    private static func loading(_ client: Client) -> Middleware<AppState, AppAction> {
        .effect(
            .takeLatest, id: "items", on: { $0 == .appeared ? true : nil }, success: { .loaded($0) },
            failure: { .failed("\($0)") }, { _ in try await client.items() })
    }

    @Test("as in The Composable Architecture")
    func composable() async {
        let app = ReducerStore(
            Store(AppState(), name: "app"), reducer: Self.appReducer, middleware: [Self.loading(Client())])
        app.dispatch(.counter(.increase))
        #expect(app.store.scope(\.counter).state.count == 1)

        let store = TestStore(AppState(), reducer: Self.appReducer, middleware: [Self.loading(Client())])
        store.send(.appeared) { $0.isLoading = true }
        await store.receive(.loaded([Item(id: 1, name: "tea")])) {
            $0.items = [Item(id: 1, name: "tea")]
            $0.isLoading = false
        }
        store.send(.counter(.increase)) { $0.counter.count = 1 }
        await store.finish()
    }

    // MARK: Redux Toolkit

    private struct ItemsState: Encodable, Equatable, Sendable {
        var items = EntityTable<Item>()
        var filter = ""
        var status = "idle"
    }

    private enum ItemsAction: Encodable, Equatable, Sendable {
        case pending
        case fulfilled([Item])
        case rejected(String)
        case filterChanged(String)
    }

    private static let itemsReducer = Reducer<ItemsState, ItemsAction> { state, action in
        switch action {
        case .pending: state.status = "loading"
        case .fulfilled(let items):
            state.items.setAll(items)
            state.status = "idle"
        case .rejected(let message): state.status = "failed: \(message)"
        case .filterChanged(let filter): state.filter = filter
        }
    }

    @Test("as in Redux Toolkit")
    func toolkit() async {
        let client = Client()
        let store = ReducerStore(Store(ItemsState(), name: "items"), reducer: Self.itemsReducer)
        await store.run(
            .takeLeading, id: "fetchItems", starting: .pending,
            success: { .fulfilled($0) }, failure: { .rejected("\($0)") }
        ) { try await client.items() }.value
        let visible = store.derived(\.items, \.filter) { items, filter in
            items.sorted(by: \.id).filter { filter.isEmpty || $0.name.contains(filter) }
        }
        #expect(visible.value == [Item(id: 1, name: "tea")])
        store.dispatch(.filterChanged("coffee"))
        #expect(visible.value.isEmpty)
    }
}
