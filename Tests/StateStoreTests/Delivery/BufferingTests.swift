import Dispatch
import StateStore
import Synchronization
import TestSupport
import Testing

@testable import StoreCore

/// What becomes of versions that come faster than a subscriber receives them.
struct BufferingTests {
    @Test("a blocked queue holds the newest 1,024 versions, and its subscriber continues from what it saw last")
    func blockedQueue() async {
        let living = Counted.Living()
        let store = Store(Counted(living), recorder: nil)
        let (queue, seen) = (DispatchQueue(label: "blocked"), Log<String>())
        let link = store.subscribe(on: .queue(queue)) { seen.add(Self.step($0)) }
        await store.waitUntilDelivered()
        queue.suspend()
        for _ in 0..<5_000 { store.commit { $0.tick() } }
        // The versions that wait, the one that was seen, and the store's own.
        #expect(living.count.withLock(\.self) <= 1_024 + 3)
        queue.resume()
        await store.waitUntilDelivered()
        let first = 5_000 - 1_024 + 1
        #expect(seen.entries == ["-1>0", "0>\(first)"] + ((first + 1)...5_000).map { "\($0 - 1)>\($0)" })
        link.cancel()
    }

    @Test("a subscriber that asks for all versions receives them, however late")
    func unbounded() async {
        let store = Store(Cart(), recorder: nil)
        let (queue, seen) = (DispatchQueue(label: "blocked"), Log<Int>())
        queue.suspend()
        let link = store.subscribe(on: .queue(queue), buffering: .unbounded) { seen.add($0.version) }
        for _ in 0..<3_000 { store.commit { $0.count += 1 } }
        queue.resume()
        await store.waitUntilDelivered()
        #expect(seen.entries == Array(0...3_000))
        link.cancel()
    }

    @Test("every kind of subscription leaves out what was asked to be left out, and never the last one")
    func everySubscription() async {
        let (queue, seen) = (DispatchQueue(label: "blocked"), Log<String>())
        let store = Store(Cart(), recorder: nil)
        let badge = store.derived(\.count, named: "badge") { $0 * 2 }
        let atom = Atom(0, name: "query", recorder: nil)
        let models = ModelObserver(recorder: nil)
        let repository = Repository<Int, Int>("numbers", recorder: nil, source: RepositorySource(fetch: { _ in 0 }))
        await repository.set(0, for: 1)
        queue.suspend()
        let context = DeliveryContext.queue(queue)
        let links = [
            store.subscribe(on: context, buffering: .newest(1)) { seen.add("store \($0.count)") },
            store.subscribe(\.count, on: context, buffering: .newest(1)) { seen.add("selected \($0)") },
            badge.subscribe(on: context, buffering: .newest(1)) { seen.add("derived \($0.current)") },
            atom.subscribe(on: context, buffering: .newest(1)) { seen.add("atom \($0.current)") },
            models.add(Number(id: 1, value: 0), on: context, buffering: .newest(1)) { seen.add("model \($0.value)") },
            repository.observe(1, on: context, buffering: .newest(1)) { seen.add("key \($0.content ?? -1)") },
        ]
        for number in 1...5 {
            store.commit { $0.count = number }
            atom.set(number)
            models.update(Number(id: 1, value: number))
            await repository.set(number, for: 1)
        }
        queue.resume()
        await store.waitUntilDelivered()
        await atom.store.waitUntilDelivered()
        await models.waitUntilDelivered()
        queue.sync {}
        #expect(seen.entries.sorted() == ["atom 5", "derived 10", "key 5", "model 5", "selected 5", "store 5"])
        links.forEach { $0.cancel() }
    }

    @Test(
        "each version has the one received before it as its previous, and the last one comes", arguments: seeds(1..<61))
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...4, using: &random)
        let store = Store(Cart(), recorder: nil)
        let (turns, seen) = (Turns(), Log<(previous: Int, version: Int)>())
        let link = store.subscribe(
            on: turns.context, buffering: .newest(limit), initially: Bool.random(using: &random)
        ) { changes in seen.add((changes.previous?.version ?? -1, changes.version)) }
        var last = 0
        for _ in 0..<40 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: turns.take()
            // An equal version, which is not delivered.
            case 1: store.commit { _ in }
            default:
                store.commit { $0.count += 1 }
                last = store.version
            }
        }
        turns.take()
        let received = seen.entries
        for (before, after) in zip(received, received.dropFirst()) {
            #expect(after.previous == before.version && after.version > before.version, "seed \(seed)")
        }
        #expect((received.last?.version ?? 0) == last, "seed \(seed)")
        link.cancel()
    }

    @Test("a subscriber that would keep nothing traps")
    func nothing() async {
        await #expect(processExitsWith: .failure) {
            _ = Store(Cart(), recorder: nil).subscribe(on: .mainActor, buffering: .newest(0)) { _ in }
        }
    }

    @Test("a sequence of the newest keeps no more states than it was asked to, and the one that was seen")
    func newestOnly() async {
        let living = Counted.Living()
        let store = Store(Counted(living), recorder: nil)
        let sequence = store.changes(buffering: .newest(1))
        for _ in 0..<100 { store.commit { $0.tick() } }
        #expect(living.count.withLock(\.self) <= 3)
        var iterator = sequence.makeAsyncIterator()
        _ = await iterator.next()
        for _ in 0..<100 { store.commit { $0.tick() } }
        #expect(living.count.withLock(\.self) <= 3)
        withExtendedLifetime(sequence) {}
    }

    private static func step<State>(_ changes: Changes<State>) -> String {
        "\(changes.previous?.version ?? -1)>\(changes.version)"
    }

    private struct Number: ObservedModel, Equatable {
        let id: Int
        var value: Int
    }

    /// A state of which it is known how many there are.
    private struct Counted: Encodable, Sendable {
        /// Tests run beside each other: each counts its own.
        final class Living: Sendable {
            let count = Mutex(0)
        }
        private final class Token: Sendable {
            let living: Living
            init(of living: Living) {
                self.living = living
                living.count.withLock { $0 += 1 }
            }
            deinit { living.count.withLock { $0 -= 1 } }
        }
        private var token: Token
        var number = 0
        enum CodingKeys: CodingKey { case number }
        init(_ living: Living) { token = Token(of: living) }
        mutating func tick() { (token, number) = (Token(of: token.living), number + 1) }
    }
}

/// Subscribers on the main actor that receive in the turn of the commit.
@MainActor
struct MainActorAtOnceTests {
    /// What a screen shows.
    private final class Screen { var lines: [String] = [] }

    @Test("a store, a selection, a derived value, an atom, a key of a repository and a model are received at once")
    func everySubscription() async throws {
        let screen = Screen()
        var links: Set<Subscription> = []
        let store = Store(Cart(), recorder: nil)
        store.subscribe { @MainActor in screen.lines.append("store \($0.version)") }
            .store(in: &links)
        store.subscribe(\.count) { @MainActor in screen.lines.append("selected \($0)") }
            .store(in: &links)
        let badge = store.derived(\.count, named: "badge") { $0 * 2 }
        badge.subscribe { @MainActor in screen.lines.append("derived \($0.current)") }
            .store(in: &links)
        let atom = Atom("a", name: "query", recorder: nil)
        atom.subscribe { @MainActor in screen.lines.append("atom \($0.current)") }
            .store(in: &links)
        let models = ModelObserver(recorder: nil)
        models.add(Note(id: 1, text: "x")) { @MainActor in screen.lines.append("model \($0.text)") }
            .store(in: &links)
        let repository = Repository<Int, String>(
            "texts", recorder: nil, source: RepositorySource(fetch: { key in "text \(key)" }))
        await repository.set("first", for: 1)
        repository.observe(1) { @MainActor in screen.lines.append("key \($0.content ?? "-")") }
            .store(in: &links)
        #expect(screen.lines == ["store 0", "selected 0", "derived 0", "atom a", "model x", "key first"])
        screen.lines = []
        store.commit { $0.count = 1 }
        atom.set("b")
        models.update(Note(id: 1, text: "y"))
        #expect(screen.lines == ["store 1", "selected 1", "derived 2", "atom b", "model y"])
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
