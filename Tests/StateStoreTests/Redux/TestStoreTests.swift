import StateStore
import StateStoreTesting
import Synchronization
import TestSupport
import Testing

private struct Search: Encodable, Equatable, Sendable {
    var text = ""
    var isSearching = false
    var found: [String] = []
}

private enum SearchAction: Encodable, Equatable, Sendable {
    case type(String)
    case start
    case found([String])
    case failed(String)
    case clear
}

/// A state without a form in JSON.
private struct Dialog: Equatable, Sendable {
    private final class Image: Sendable {}

    var title = ""
    private let image = Image()
    private let onClose: @Sendable () -> Void = {}

    static func == (left: Dialog, right: Dialog) -> Bool { left.title == right.title }

    static let reducer = Reducer<Dialog, String> { state, title in state.title = title }
}

private struct NoNetwork: Error {}

private let reducer = Reducer<Search, SearchAction> { state, action in
    switch action {
    case .type(let text): state.text = text
    case .start: state.isSearching = true
    case .found(let found):
        state.found = found
        state.isSearching = false
    case .failed: state.isSearching = false
    case .clear: state = Search()
    }
}

/// Starts a search at each `.start`.
private func searching(_ find: @escaping @Sendable () async throws -> [String]) -> Middleware<Search, SearchAction> {
    .effect(
        .takeLatest, id: "search", on: { $0 == .start ? true : nil }, success: { .found($0) },
        failure: { .failed("\($0)") }, { _ in try await find() })
}

extension Issue {
    /// What a test says of it.
    fileprivate var text: String { comments.map(\.rawValue).joined(separator: " ") }
    fileprivate var line: Int? { sourceLocation?.line }
}

struct TestStoreTests {
    @Test("what is sent and received as told, effects among it, is no issue")
    func happyPath() async {
        let store = TestStore(Search(), recorder: nil, reducer: reducer, middleware: [searching { ["a", "b"] }])
        store.send(.type("a")) { $0.text = "a" }
        store.send(.start) { $0.isSearching = true }
        await store.receive(.found(["a", "b"])) {
            $0.found = ["a", "b"]
            $0.isSearching = false
        }
        #expect(store.state == Search(text: "a", found: ["a", "b"]))
        await store.finish()
    }

    @Test("a state that differs is an issue at the line of the call, with each property that differs")
    func difference() async throws {
        let line = #line + 3
        let issues = try await issues {
            let store = TestStore(Search(found: ["x", "y"]), recorder: nil, reducer: reducer)
            store.send(.type("swift")) {
                $0.text = "swuft"
                $0.found = ["x"]
            }
        }
        #expect(issues.count == 1 && issues.first?.line == line)
        let text = try #require(issues.first?.text)
        #expect(text.contains("the state after 'type(\"swift\")' differs"), "\(text)")
        #expect(text.contains(#"/text   expected "swuft", is "swift""#), "\(text)")
        #expect(text.contains(#"/found/1   expected nothing, is "y""#), "\(text)")
    }

    @Test("a state that is not Encodable is tested too, and its stored properties that differ are an issue")
    func anyState() async throws {
        let issues = try await issues {
            let store = TestStore(Dialog(), recorder: nil, reducer: Dialog.reducer)
            store.send("open") { $0.title = "open" }
            store.send("closed") { $0.title = "open" }
            await store.finish()
        }
        #expect(
            issues.map(\.text) == [
                "the state after 'closed' differs:\n  title   expected \"open\", is \"closed\""
            ])
    }

    @Test("a change that is not told is an issue, and so is one that is told and does not happen")
    func untold() async throws {
        let issues = try await issues {
            let store = TestStore(Search(), recorder: nil, reducer: reducer)
            store.send(.start)
            store.send(.clear) { _ in }
        }
        #expect(
            issues.map(\.text) == [
                "'start' changed the state:\n  /isSearching   expected false, is true",
                "the state after 'clear' differs:\n  /isSearching   expected true, is false",
            ])
    }

    @Test("an error in an expectation is an issue")
    func throwing() async throws {
        let issues = try await issues {
            TestStore(Search(), recorder: nil, reducer: reducer).send(.start) { _ in throw NoNetwork() }
        }
        #expect(issues.map(\.text) == ["the expected state after 'start' could not be computed"])
    }

    @Test("another action than the expected one is an issue, and so is none")
    func otherAction() async throws {
        let line = #line + 4
        let issues = try await issues {
            let store = TestStore(Search(), recorder: nil, reducer: reducer, middleware: [searching { ["a"] }])
            store.send(.start) { $0.isSearching = true }
            await store.receive(.found(["b"])) { $0.found = ["b"] }
            await store.store.waitForEffects()
            await store.receive(.clear, timeout: .milliseconds(20))
            await store.finish()
        }
        #expect(
            issues.map(\.text) == [
                "expected to receive 'found([\"b\"])', received 'found([\"a\"])'",
                "expected to receive 'clear', received nothing within 0.02 seconds; no effect is running",
            ])
        #expect(issues.map(\.line) == [line, line + 2])
    }

    @Test("actions that are not received are issues: before the next one is sent, and at the end")
    func unreceived() async throws {
        let issues = try await issues {
            let store = TestStore(Search(), recorder: nil, reducer: reducer, middleware: [searching { ["a"] }])
            store.send(.start) { $0.isSearching = true }
            await store.store.waitForEffects()
            store.send(.type("b")) { $0.text = "b" }
            store.send(.start) { $0.isSearching = true }
            await store.finish()
        }
        #expect(
            issues.map(\.text) == [
                "1 action was not received before 'type(\"b\")' was sent:\n  found([\"a\"])",
                "1 action was not received at the end of the test:\n  found([\"a\"])",
            ])
    }

    @Test("an effect that is still running at the end is an issue, once; a cancelled one is none")
    func running() async throws {
        let forever: @Sendable () async throws -> [String] = {
            try await Task.sleep(for: .seconds(86_400))
            return []
        }
        let issues = try await issues {
            let store = TestStore(Search(), recorder: nil, reducer: reducer, middleware: [searching(forever)])
            store.send(.start) { $0.isSearching = true }
            await store.finish(timeout: .milliseconds(20))
        }
        #expect(issues.map(\.text) == ["1 effect is still running after 0.02 seconds: let them end, or cancel them"])
        let store = TestStore(Search(), recorder: nil, reducer: reducer, middleware: [searching(forever)])
        store.send(.start) { $0.isSearching = true }
        store.store.cancelEffects(id: "search")
        await store.finish()
    }

    @Test("a test that does not finish is told so where its store was made")
    func unfinished() async throws {
        let line = #line + 2
        let issues = try await issues {
            let store = TestStore(Search(), recorder: nil, reducer: reducer, middleware: [searching { ["a"] }])
            store.send(.start) { $0.isSearching = true }
            await store.store.waitForEffects()
        }
        #expect(
            issues.map(\.text) == [
                "1 action was not received when the test store went away:\n  found([\"a\"])"
            ])
        #expect(issues.map(\.line) == [line])
    }

    @Test("not exhaustive, only what is told has to be so")
    func notExhaustive() async throws {
        let issues = try await issues {
            let store = TestStore(
                Search(), recorder: nil, reducer: reducer, middleware: [searching { ["a"] }], exhaustivity: .off)
            store.send(.type("x"))
            store.send(.start) { $0.isSearching = true }
            store.store.dispatch(.type("y"))
            await store.receive(.found(["a"])) { $0.found = ["a"] }
            store.send(.clear) { $0.text = "z" }
            await store.store.waitForEffects()
            await store.receive(.start, timeout: .milliseconds(10))
        }
        #expect(
            issues.map(\.text) == [
                "the state after 'clear' differs:\n  /text   expected \"z\", is \"\"",
                "expected to receive 'start', received nothing within 0.01 seconds; no effect is running",
            ])
    }

    @Test("an action that middleware swallows changes nothing; one that it dispatches is received")
    func middleware() async {
        let pedantic = Middleware<Search, SearchAction> { store, next in
            { action in
                if action == .start, store.state.text.isEmpty { return store(.failed("type something")) }
                if action == .clear { store(.type("")) }
                next(action)
            }
        }
        let store = TestStore(Search(), recorder: nil, reducer: reducer, middleware: [pedantic])
        store.send(.start)
        await store.receive(.failed("type something"))
        store.send(.type("a")) { $0.text = "a" }
        store.send(.clear) { _ in }
        await store.receive(.type("")) { $0.text = "" }
        await store.finish()
    }

    @Test("a commit without an action is an issue")
    func otherCommit() async throws {
        let issues = try await issues {
            let store = TestStore(Search(), recorder: nil, reducer: reducer)
            store.store.store.commit { $0.found = ["z"] }
            store.send(.type("b")) { $0.text = "b" }
        }
        #expect(
            issues.map(\.text) == [
                "a commit without an action changed the state before 'type(\"b\")':\n  /found/0   expected nothing, is \"z\""
            ])
    }

    @Test("expectations may use what only the main actor may")
    @MainActor func mainActor() async {
        final class Counter { var count = 0 }
        let counter = Counter()
        let store = TestStore(Search(), recorder: nil, reducer: reducer, middleware: [searching { ["a"] }])
        store.send(.start) {
            counter.count += 1
            $0.isSearching = true
        }
        await store.receive(.found(["a"])) {
            counter.count += 1
            $0.found = ["a"]
            $0.isSearching = false
        }
        #expect(counter.count == 2)
        await store.finish()
    }

    @Test("the journal of the test names each action, at the line that sent it", .journaled)
    func journal() throws {
        let recorder = try #require(Recorder.current)
        let store = TestStore(Search(), name: "search", reducer: reducer)
        store.send(.type("a")) { $0.text = "a" }
        let line = #line - 1
        let text = TemporaryFolder.lines(recorder.path).joined(separator: "\n")
        #expect(text.contains(#""type":"SearchAction.type""#) && text.contains("\"line\":\(line)"), "\(text)")
    }
}
