import StateStore
import StateStoreTesting
import TestSupport
import Testing

private struct Search: Encodable, Equatable, Sendable {
    var text = ""
    var isSearching = false
    var found: [String] = []
}

private enum SearchAction: Encodable, Equatable, Sendable {
    case started(String)
    case found([String])
    case failed(String)
    case cleared
}

private struct Offline: Error {}

private let reducer = Reducer<Search, SearchAction> { state, action in
    switch action {
    case .started(let text):
        state.text = text
        state.isSearching = true
    case .found(let found):
        state.found = found
        state.isSearching = false
    case .failed:
        state.isSearching = false
    case .cleared:
        state = Search()
    }
}

private func searching(
    _ find: @escaping @Sendable (String) async throws -> [String]
) -> Middleware<Search, SearchAction> {
    .effect(
        .takeLatest, id: "search", on: { if case .started(let text) = $0 { text } else { nil } },
        success: { .found($0) }, failure: { .failed("\($0)") }, find)
}

/// The code of the page `TestingReducers`.
struct TestStoreExamples {
    @Test("a search is found", .journaled)
    func search() async {
        let search = TestStore(Search(), reducer: reducer, middleware: [searching { text in [text + "1"] }])
        search.send(.started("a")) {
            $0.text = "a"
            $0.isSearching = true
        }
        await search.receive(.found(["a1"])) {
            $0.found = ["a1"]
            $0.isSearching = false
        }
        await search.finish()
    }

    @Test("an action that cannot be compared is told by what it is like")
    func failure() async {
        let search = TestStore(Search(), reducer: reducer, middleware: [searching { _ in throw Offline() }])
        search.send(.started("a")) {
            $0.text = "a"
            $0.isSearching = true
        }
        await search.receive(where: { if case .failed = $0 { true } else { false } }) { $0.isSearching = false }
        await search.finish()
    }

    @Test("an effect that never ends is cancelled")
    func cancelled() async {
        let search = TestStore(
            Search(), reducer: reducer,
            middleware: [
                searching { _ in
                    try await Task.sleep(for: .seconds(60))
                    return []
                }
            ])
        search.send(.started("a")) {
            $0.text = "a"
            $0.isSearching = true
        }
        search.store.cancelEffects(id: "search")
        await search.finish()
    }

    @Test("a debounced effect starts when the test's clock has advanced")
    func debounced() async {
        let searching = Middleware<Search, SearchAction>.effect(
            .takeLatest, id: "search", after: .milliseconds(300),
            on: { if case .started(let text) = $0 { text } else { nil } },
            success: { .found($0) }, failure: { .failed("\($0)") }, { text in [text + "1"] })
        let search = TestStore(Search(), reducer: reducer, middleware: [searching])
        search.send(.started("a")) {
            $0.text = "a"
            $0.isSearching = true
        }
        search.clock.advance(by: .milliseconds(300))
        await search.receive(.found(["a1"])) {
            $0.found = ["a1"]
            $0.isSearching = false
        }
        await search.finish()
    }

    @Test("a long way is told by its ends")
    func notExhaustive() async {
        let search = TestStore(
            Search(), reducer: reducer, middleware: [searching { text in [text + "1"] }], exhaustivity: .off)
        search.send(.started("a"))
        await search.receive(.found(["a1"])) { $0.isSearching = false }
    }
}
