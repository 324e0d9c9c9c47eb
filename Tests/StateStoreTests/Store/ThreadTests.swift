import JSONCore
import JournalFormat
import StateStore
import Testing

struct ThreadTests {
    @Test(
        "commits of many threads are in one order, in the versions, at each sink and in the journal",
        arguments: [JournalWriter.Durability.synchronous, .background(capacity: 1 << 20, whenFull: .wait)])
    func order(_ durability: JournalWriter.Durability) async throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, durability: durability)
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
        #expect(queued.entries == expected)
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

    @Test("subscribing and cancelling while other threads commit delivers each version from the first one on")
    func comings() async {
        let store = Store(Cart(), recorder: nil)
        let gaps = Ticks()
        await concurrently(4) { thread in
            for _ in 0..<50 {
                if thread < 2 {
                    for _ in 0..<4 { store.commit { $0.count += 1 } }
                    continue
                }
                let last = Locked(-1)
                let link = store.subscribe { changes in
                    if last.wrappedValue >= 0, changes.version != last.wrappedValue + 1 { _ = gaps.next() }
                    last.wrappedValue = changes.version
                }
                store.commit { $0.count += 1 }
                link.cancel()
            }
        }
        #expect(gaps.value == 0)
        #expect(store.version == 500)
    }
}
