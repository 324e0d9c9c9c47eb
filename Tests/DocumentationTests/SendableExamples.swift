import StateStore
import StateStoreTesting
import Synchronization
import TestSupport
import Testing

private struct Progress: Equatable, Sendable {
    var started = 0
    var done: [String: Int] = [:]
}

private func fetch(_ name: String) async throws -> Int { name.utf8.count }

private actor Downloads {
    let progress = Store(Progress(), name: "downloads")

    func load(_ names: [String]) async throws {
        for name in names {
            let size = try await fetch(name)
            progress.commit { $0.done[name] = size }
        }
    }
}

private final class Image: Sendable {}

private struct Screen: Sendable {
    var title = ""
    var image = Image()
}

@MainActor private final class Label { var text = "" }

/// The code on actors of the page `OwningStores`.
struct SendableExamples {
    @Test("an actor commits, and others wait for it")
    func actors() async throws {
        let downloads = Downloads()
        let progress = downloads.progress
        let isFirst = progress.commit { state in
            defer { state.started += 1 }
            return state.started == 0
        }
        #expect(isFirst)
        try await downloads.load(["a", "bc"])
        for await state in progress.values(\.done.count) where state == 2 { break }
        #expect(progress.done == ["a": 1, "bc": 2])
    }

    @Test("a state with a reference is compared as the app says")
    func reference() {
        let screen = Store(Screen(), name: "screen", comparing: { $0.title == $1.title })
        let count = Locked(0)
        let link = screen.subscribe(initially: false) { _ in count.modify { $0 += 1 } }
        screen.commit { $0.image = Image() }
        screen.commit { $0.title = "a" }
        link.cancel()
        #expect(count.modify { $0 } == 1)
    }

    @MainActor
    @Test("a closure of the main actor uses what belongs to it")
    func mainActor() {
        let progress = Store(Progress())
        let label = Label()
        let shown = progress.subscribe { @MainActor changes in
            label.text = "\(changes.done.count)"
        }
        progress.commit { $0.done["a"] = 1 }
        #expect(label.text == "1")
        shown.cancel()
    }
}

private struct CartState: Encodable, Equatable {
    var items: [String] = []
}

/// The code of the page `RecordingARun` on recordings that begin later.
struct AttachingExamples {
    @Test("a store is recorded from now on")
    func attach() throws {
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")
        let cart = Store(CartState(items: ["apple"]), name: "cart", recorder: nil)
        let recorder = try Recorder(path)
        recorder.attach(cart)
        cart.commit { $0.items.append("pear") }
        recorder.detach(cart)
        recorder.close()
        let lines = TemporaryFolder.lines(path)
        #expect(lines.count == 5 && lines[1].contains(#""state":{"items":["apple"]}"#))
    }
}

private enum Tracing {
    @TaskLocal static var traceparent = ""
}

/// The code of the page `RecordingARun` on traces.
struct TraceExamples {
    @Test("a commit is in the trace of its thread")
    func trace() throws {
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")
        let recorder = try Recorder(path, context: { TraceContext(traceparent: Tracing.traceparent) })
        let cart = Store(CartState(), name: "cart", recorder: recorder)
        Tracing.$traceparent.withValue("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01") {
            cart.commit { $0.items.append("apple") }
        }
        recorder.close()
        let line = TemporaryFolder.lines(path)[2]
        #expect(line.contains(#""trace":"4bf92f3577b34da6a3ce929d0e0e4736","span":"00f067aa0ba902b7""#))
    }
}

private struct Search: Encodable, Equatable, Sendable {
    var text = ""
    var found: [String] = []
}

private enum SearchAction: Encodable, Equatable, Sendable {
    case typed(String)
    case found([String])
    case failed(String)
}

private let reducer = Reducer<Search, SearchAction> { state, action in
    switch action {
    case .typed(let text): state.text = text
    case .found(let found): state.found = found
    case .failed: break
    }
}

private func find(_ text: String) async throws -> [String] { [text + "1"] }

/// The code of the page `Debouncing`.
struct DebouncingExamples {
    @Test("of what is typed quickly only the last is looked for")
    func typed() async {
        let clock = TestClock()
        let search = ReducerStore(Store(Search(), name: "search"), reducer: reducer, clock: clock)
        func type(_ text: String) {
            search.dispatch(.typed(text))
            search.run(
                .takeLatest, id: "search", after: .milliseconds(300),
                success: { .found($0) }, failure: { .failed("\($0)") }
            ) { try await find(text) }
        }
        type("a")
        type("ab")
        clock.advance(by: .milliseconds(300))
        await search.waitForEffects()
        #expect(search.state.found == ["ab1"])
    }

    @Test("a test advances the clock", .journaled)
    func tested() async {
        let search = TestStore(
            Search(), reducer: reducer,
            middleware: [
                .effect(
                    .takeLatest, id: "search", after: .milliseconds(300),
                    on: { if case .typed(let text) = $0 { text } else { nil } }, success: { .found($0) },
                    failure: { .failed("\($0)") }, find)
            ])
        search.send(.typed("a")) { $0.text = "a" }
        search.send(.typed("ab")) { $0.text = "ab" }
        search.clock.advance(by: .milliseconds(300))
        await search.receive(.found(["ab1"])) { $0.found = ["ab1"] }
        await search.finish()
    }

    @Test("a document is saved now and then, and its last version always")
    func saved() async {
        struct Draft: Equatable, Sendable { var document = "" }
        let store = Store(Draft())
        let clock = TestClock()
        let saves = Locked<[String]>([])
        @Sendable func save(_ document: String) { saves.modify { $0.append(document) } }
        let documents = store.values(\.document, initially: false)
        let saving = Task {
            var saved: String?
            for await _ in documents {
                try await clock.sleep(for: .seconds(1))
                let document = store.document
                if document != saved { save(document) }
                saved = document
            }
        }
        for text in ["ab", "abcd"] {
            store.commit { $0.document = String(text.dropLast()) }
            store.commit { $0.document = text }
            while saves.modify({ $0.last }) != text {
                clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
        #expect(
            saves.modify(\.self) == ["ab", "abcd"], "neither the first value, nor one that was followed by another")
        saving.cancel()
    }
}

private struct Tweet: Codable, Equatable, Sendable {
    var id: Int
    var likes: Int
}

private struct Client: Sendable {
    func like(_ id: Int) async throws -> Tweet { Tweet(id: id, likes: 5) }
}

private struct Offline: Error {}

/// The code of the page `OptimisticUpdates`.
struct OptimisticExamples {
    @Test("a guess is shown, answered, and taken back")
    func guess() async throws {
        let client = Client()
        let tweets = Repository<Int, Tweet>("tweets", source: RepositorySource(fetch: { Tweet(id: $0, likes: 3) }))
        let seen = Mutex<[Int]>([])
        let row = tweets.observe(7) { state in
            if let likes = state.content?.likes { seen.withLock { $0.append(likes) } }
        }
        _ = try await tweets.value(for: 7)
        try await tweets.update(7, optimistically: { $0.likes += 1 }) { tweet in
            tweet = try await client.like(tweet.id)
        }
        await #expect(throws: Offline.self) {
            try await tweets.update(7, optimistically: { $0.likes += 1 }) { _ in throw Offline() }
        }
        #expect(seen.withLock(\.self) == [3, 4, 5, 6, 5])
        row.cancel()
    }

    @Test("a store takes its own guess back")
    func store() async {
        struct Draft: Equatable, Sendable { var title = "old" }
        let store = Store(Draft())
        func send(_ title: String) async throws { throw Offline() }
        func rename(_ title: String) async throws {
            let before = store.title
            store.commit { $0.title = title }
            do { try await send(title) } catch {
                store.commit(name: "takeBack") { state in if state.title == title { state.title = before } }
                throw error
            }
        }
        await #expect(throws: Offline.self) { try await rename("new") }
        #expect(store.title == "old")
    }
}
