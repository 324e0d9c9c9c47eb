import Foundation
import JSONCore
import JournalFormat
import StateReplay
import StateStore
import Synchronization
import Testing

/// Everything at once, from eight threads, for a second; `STATE_INSPECT_STRESS=300` goes on for so many.
struct StressTests {
    @Test(
        "under eight threads nothing is lost, nothing comes twice, and all agree in the end",
        arguments: [Recorder.Durability.synchronous, .background])
    func everything(durability: Recorder.Durability) async throws {
        let seconds = getenv("STATE_INSPECT_STRESS").flatMap { Double(String(cString: $0)) } ?? 0.5
        let journal = TemporaryJournal()
        let crowd = try Crowd(journal.path, durability)
        let deadline = ContinuousClock.now + .seconds(seconds)
        let updates = Ticks()
        async let updating: Void = {
            while ContinuousClock.now < deadline {
                _ = try? await crowd.photos.update(1) { $0 += 1 }
                _ = updates.next()
            }
        }()
        await onThreads(
            (0..<8).map { thread in
                {
                    var round = 0
                    while ContinuousClock.now < deadline {
                        crowd.act(thread, round)
                        round += 1
                        if round % 4 == 0 { usleep(100) }
                    }
                }
            })
        await updating
        for store in crowd.stores { await store.waitUntilDelivered() }
        #expect(crowd.problems.entries.isEmpty)
        for (store, watch) in zip(crowd.stores, crowd.watches) {
            #expect(watch.last.wrappedValue == store.version)
            #expect(store.state.count == store.version && store.state.parts.reduce(0, +) == store.version)
        }
        let counts = crowd.stores.map(\.state.count)
        #expect(crowd.sum.value == counts[0] + counts[1] && crowd.double.value == 2 * counts[0])
        #expect(crowd.last.wrappedValue == crowd.sum.value)
        #expect(crowd.photos.state(of: 1)?.content ?? 0 == updates.value)
        crowd.recorder.close()
        try journal.verify()
        let reader = try JournalReader(journal.path)
        for store in crowd.stores { #expect(try reader.state(of: store.name, as: Tally.self) == store.state) }
        crowd.links.forEach { $0.cancel() }
    }
}

/// How often each thread committed.
private struct Tally: Codable, Equatable, Sendable {
    var count = 0
    var parts = [Int](repeating: 0, count: 8)
}

/// Sees to it that versions come one after another.
private final class Watch: Sendable {
    let last: Locked<Int>

    init(after version: Int = 0) { last = Locked(version) }

    /// - Returns: whether this is the one that had to come.
    func see(_ changes: Changes<Tally>) -> Bool {
        last.modify { last in
            defer { last = changes.version }
            return changes.version == last + 1 && changes.current.count == changes.version
        }
    }
}

/// The stores and what hangs on them.
private final class Crowd: Sendable {
    let recorder: Recorder
    let stores: [Store<Tally>]
    let watches = [Watch(), Watch()]
    let problems = Log<String>()
    let double: Derived<Int>
    let sum: Derived<Int>
    let photos: Repository<Int, Int>
    /// The sum that was told last.
    let last = Locked(0)
    let links: [Subscription]

    init(_ path: String, _ durability: Recorder.Durability) throws {
        let (problems, last) = (problems, last)
        recorder = try Recorder(path, durability: durability) { problems.add("\($0)") }
        let (left, right) = (
            Store(Tally(), name: "left", recorder: recorder), Store(Tally(), name: "right", recorder: recorder)
        )
        stores = [left, right]
        let once = left.derived(\.count, named: "once") { $0 }
        let double = left.derived(\.count, named: "double") { $0 * 2 }
        sum = Derived(once, double, right[\.count], named: "sum") { once, double, count in
            if double != 2 * once { problems.add("\(once) beside \(double)") }
            return once + count
        }
        self.double = double
        photos = Repository("photos", recorder: recorder, source: RepositorySource(fetch: { _ in 0 }))
        var links = zip(stores, watches).map { store, watch in
            store.subscribe(initially: false) { if !watch.see($0) { problems.add("version \($0.version)") } }
        }
        links.append(
            sum.subscribe { changes in
                if let last = changes.previous, last.version + 1 != changes.version {
                    problems.add("a hole in the sum")
                }
                last.modify { last in
                    if changes.current < last { problems.add("the sum fell") }
                    last = changes.current
                }
            })
        self.links = links
    }

    func act(_ thread: Int, _ round: Int) {
        let store = stores[round % 2]
        switch thread {
        case 0...3: commit(store, thread)
        case 4: listen(to: store, thread)
        case 5: derive(from: store)
        case 6:
            let short = Store(Tally(), name: "short", recorder: recorder)
            for _ in 0..<3 { short.commit { $0.count += 1 } }
        default:
            let read = store.state
            if read.count != read.parts.reduce(0, +) { problems.add("half a state") }
            commit(store, thread)
        }
    }

    private func commit(_ store: Store<Tally>, _ thread: Int) {
        store.commit { tally in
            tally.count += 1
            tally.parts[thread] += 1
        }
    }

    /// Subscribes for a while; what comes has no holes.
    private func listen(to store: Store<Tally>, _ thread: Int) {
        let (watch, problems) = (Locked<Watch?>(nil), problems)
        let link = store.subscribe { changes in
            guard let watch = watch.wrappedValue else { return watch.wrappedValue = Watch(after: changes.version) }
            if !watch.see(changes) { problems.add("a hole before version \(changes.version)") }
        }
        for _ in 0..<3 { commit(store, thread) }
        link.cancel()
    }

    private func derive(from store: Store<Tally>) {
        let value = store.derived(\.count, named: "short") { $0 + 1 }
        let (before, link) = (value.value, value.subscribe { _ in })
        if value.value < before { problems.add("a derived value fell") }
        link.cancel()
    }
}

struct ThreadTests {
    @Test(
        "commits of many threads are in one order, in the versions, at each sink and in the journal",
        arguments: [Recorder.Durability.synchronous, .background])
    func order(_ durability: Recorder.Durability) async throws {
        let (journal, recorder) = try TemporaryJournal.recording(durability: durability)
        let store = Store(Cart(), recorder: recorder)
        let (inline, queued) = (Log<[Int]>(), Log<[Int]>())
        let links = [
            store.subscribe(initially: false) { inline.add([$0.version, $0.count, $0.previous?.version ?? -1]) },
            store.subscribe(on: .mainActor, initially: false) {
                queued.add([$0.version, $0.count, $0.previous?.version ?? -1])
            },
        ]
        await concurrently(8) { _ in for _ in 0..<250 { store.commit { $0.count += 1 } } }
        await store.waitUntilDelivered()
        recorder.close()
        let expected = (1...2000).map { [$0, $0, $0 - 1] }
        #expect(inline.entries == expected)
        // Where the main actor is busy, what waits for it comes at once: each is given with the version that was given before.
        let given = queued.entries
        #expect(given.map { $0[0] } == given.map { $0[1] } && given.last?.first == 2000)
        #expect(given.map { $0[2] } == [0] + given.dropLast().map { $0[0] })
        let commits = try journal.records("commit")
        #expect(commits.compactMap { $0.integer("seq") } == Array(1...2000))
        #expect(commits.compactMap { $0.integer("version") } == Array(1...2000))
        let counts = commits.map { $0["patch"]?.text() }
        #expect(counts == (1...2000).map { #"[{"op":"replace","path":"/count","value":\#($0),"old":\#($0 - 1)}]"# })
        links.forEach { $0.cancel() }
    }

    @Test("a store without recorder and subscriber loses no commit of many threads")
    func unheard() async {
        let store = Store(Cart(), recorder: nil)
        await concurrently(8) { _ in
            for _ in 0..<1000 {
                let count = store.commit { cart in
                    cart.count += 1
                    return cart.count
                }
                if store.state.count < count { Issue.record("a state older than the own commit") }
            }
        }
        #expect(store.state.count == 8000)
        #expect(store.version == 8000)
    }
}
