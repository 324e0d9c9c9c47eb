import Dispatch
import StateStore
import Synchronization
import Testing

/// Subscribers on the main actor that receive in the turn of the commit.
@MainActor
struct MainActorAtOnceTests {
    /// What a screen shows.
    private final class Screen {
        var lines: [String] = []
    }

    @Test("a subscription and a commit on the main actor are received before they return")
    func atOnce() {
        let store = Store(Cart(), recorder: nil)
        let screen = Screen()
        let link = store.subscribe(on: MainActor.self, atOnce: true) { changes in
            screen.lines.append("\(changes.previous?.version ?? -1)>\(changes.version)")
        }
        #expect(screen.lines == ["-1>0"])
        store.commit { $0.count += 1 }
        #expect(screen.lines == ["-1>0", "0>1"])
        link.cancel()
        store.commit { $0.count += 1 }
        #expect(screen.lines.count == 2)
    }

    @Test("a selection, a derived value, an atom, a key of a repository and a model are received at once, too")
    func everySubscription() async throws {
        let screen = Screen()
        var links: Set<Subscription> = []
        let store = Store(Cart(), recorder: nil)
        store.subscribe(select: \.count, on: MainActor.self, atOnce: true) { screen.lines.append("selected \($0)") }
            .store(in: &links)
        let badge = store.derived("badge", \.count) { $0 * 2 }
        badge.subscribe(on: MainActor.self, atOnce: true) { screen.lines.append("derived \($0.current)") }
            .store(in: &links)
        let atom = Atom("query", "a", recorder: nil)
        atom.subscribe(on: MainActor.self, atOnce: true) { screen.lines.append("atom \($0.current)") }
            .store(in: &links)
        let models = ModelObserver(recorder: nil)
        models.add(Note(id: 1, text: "x"), on: MainActor.self, atOnce: true) { screen.lines.append("model \($0.text)") }
            .store(in: &links)
        let repository = Repository<Int, String>(
            "texts", recorder: nil, source: RepositorySource(fetch: { key in "text \(key)" }))
        await repository.set("first", for: 1)
        repository.observe(1, on: MainActor.self, atOnce: true) { screen.lines.append("key \($0.content ?? "-")") }
            .store(in: &links)
        #expect(screen.lines == ["selected 0", "derived 0", "atom a", "model x", "key first"])
        screen.lines = []
        store.commit { $0.count = 1 }
        atom.set("b")
        models.update(Note(id: 1, text: "y"))
        #expect(screen.lines == ["selected 1", "derived 2", "atom b", "model y"])
        screen.lines = []
        repository.refresh(1)
        #expect(screen.lines == ["key first"])
        links = []
    }

    @Test(
        "a commit of another thread comes in a later turn; one of the main actor brings what waits, each once, in order"
    )
    func mixed() async {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<String>()
        let link = store.subscribe(on: .mainActorAtOnce) { changes in
            MainActor.preconditionIsolated()
            seen.add("\(changes.previous?.version ?? -1)>\(changes.version)")
        }
        // The main actor waits here, so that the other thread's versions wait for a later turn.
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue(label: "commits").async {
            for _ in 0..<3 { store.commit { $0.count += 1 } }
            isDone.signal()
        }
        isDone.wait()
        #expect(seen.entries == ["-1>0"])
        store.commit { $0.count += 1 }
        #expect(seen.entries == ["-1>0", "0>1", "1>2", "2>3", "3>4"])
        await store.waitUntilDelivered()
        #expect(seen.entries.count == 5)
        link.cancel()
    }

    @Test("a commit that the subscriber makes is received in the same turn, after the version that led to it")
    func nested() {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        let link = store.subscribe(on: .mainActorAtOnce) { changes in
            if changes.version < 3 { store.commit { $0.count += 1 } }
            seen.add(changes.version)
        }
        #expect(seen.entries == [0, 1, 2, 3])
        link.cancel()
    }

    @Test("a subscription elsewhere, and commits there, are received on the main actor")
    func elsewhere() async {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<Int>()
        let link = await Task.detached {
            let link = store.subscribe(on: .mainActorAtOnce) { changes in
                MainActor.preconditionIsolated()
                seen.add(changes.version)
            }
            for _ in 0..<3 { store.commit { $0.count += 1 } }
            return link
        }.value
        await store.waitUntilDelivered()
        #expect(seen.entries == [0, 1, 2, 3])
        link.cancel()
    }

    @Test(
        "commits of the main actor and of other threads together are received each once, in order")
    func stress() async {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<String>()
        let link = store.subscribe(on: .mainActorAtOnce) { changes in
            MainActor.preconditionIsolated()
            seen.add("\(changes.previous?.version ?? -1)>\(changes.version)")
            if changes.version.isMultiple(of: 100) { store.commit { $0.user.id += 1 } }
        }
        async let others: Void = concurrently(3) { _ in for _ in 0..<300 { store.commit { $0.count += 1 } } }
        for _ in 0..<300 {
            store.commit { $0.count += 1 }
            await Task.yield()
        }
        await others
        await store.waitUntilDelivered()
        #expect(seen.entries == (0...store.version).map { "\($0 - 1)>\($0)" })
        link.cancel()
    }

    private struct Note: ObservedModel, Equatable {
        let id: Int
        var text: String
    }
}
