import JSONCore
import JournalFormat
import JournalReading
import StateReplay
import StateStore
import Testing

/// Subscribers that do at the wrong moment what they may.
struct DeliverySafetyTests {
    @Test("a sink may let its store go, and another one's subscription")
    func letGo() {
        let box = Locked<Store<Cart>?>(Store(Cart(), name: "let go", recorder: nil))
        let (seen, links) = (Log<String>(), Locked<[Subscription]>([]))
        let first = box.wrappedValue?.subscribe(initially: false) { changes in
            seen.add("first \(changes.version)")
            box.wrappedValue = nil
            links.wrappedValue = []
        }
        let second = box.wrappedValue?.subscribe(initially: false) { seen.add("second \($0.version)") }
        links.modify { $0.append(contentsOf: [second].compactMap(\.self)) }
        box.wrappedValue?.commit { $0.count = 1 }
        #expect(seen.entries.first == "first 1")
        first?.cancel()
        #expect(!StoreRegistry.live.contains { $0.name == "let go" })
    }

    @Test("a sink that cancels itself hears no more, the others go on")
    func cancelItself() {
        let store = Store(Cart(), recorder: nil)
        let (seen, links) = (Log<String>(), Log<Subscription>())
        links.add(
            store.subscribe(initially: false) { _ in
                seen.add("once")
                store.commit { $0.count += 1 }
                links.entries.first?.cancel()
            })
        let other = store.subscribe(initially: false) { seen.add("\($0.version)") }
        store.commit { $0.count += 1 }
        store.commit { $0.count += 1 }
        #expect(seen.entries == ["once", "1", "2", "3"])
        other.cancel()
    }

    @Test("sinks of two stores that commit to each other come to an end, each version once")
    func pingPong() {
        let (left, right) = (Store(Cart(), recorder: nil), Store(Session(), recorder: nil))
        let seen = Log<String>()
        let links = [
            left.subscribe(initially: false) { changes in
                seen.add("left \(changes.version)")
                if changes.count < 5 { right.commit { $0.visits = changes.count + 1 } }
            },
            right.subscribe(initially: false) { changes in
                seen.add("right \(changes.version)")
                left.commit { $0.count = changes.visits + 1 }
            },
        ]
        left.commit { $0.count = 1 }
        #expect(seen.entries == ["left 1", "right 1", "left 2", "right 2", "left 3"])
        links.forEach { $0.cancel() }
    }

    @Test("with sinks that commit, come and go in the middle of deliveries, the journal has every version in its order")
    func recorded() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Cart(), recorder: recorder)
        let (seen, late) = (Log<Int>(), Log<Int>())
        let links = Locked<[Subscription]>([])
        let first = store.subscribe(initially: false) { changes in
            seen.add(changes.version)
            if changes.count < 6 { store.commit { $0.count += 1 } }
            if changes.version == 2 {
                links.wrappedValue = [store.subscribe(initially: false) { late.add($0.version) }]
            }
            if changes.version == 4 { links.wrappedValue = [] }
        }
        store.commit { $0.count += 1 }
        recorder.close()
        first.cancel()
        #expect(seen.entries == [1, 2, 3, 4, 5, 6])
        #expect(late.entries.allSatisfy { (3...4).contains($0) } && !late.entries.isEmpty)
        try journal.verify()
        let commits = try journal.records("commit")
        #expect(commits.map { $0.integer("version") } == seen.entries)
        #expect(commits.map { $0.integer("cause") } == [nil, 1, 2, 3, 4, 5])
        for version in seen.entries {
            #expect(
                try JournalReader(journal.path).state(at: .commit(version), of: "cart", as: Cart.self).count == version)
        }
    }

    @Test("two threads that commit to two stores whose sinks read and commit to each other do not wait for one another")
    func crossing() async {
        let (left, right) = (Store(Cart(), recorder: nil), Store(Session(), recorder: nil))
        let links = [
            left.subscribe(initially: false) { _ in right.commit { $0.token = "\(left.state.count)" } },
            right.subscribe(initially: false) { changes in
                changes.ifChanged(\.visits) { visits in left.commit { $0.items = [Cart.Item(id: visits, name: "")] } }
            },
        ]
        await concurrently(2) { thread in
            for _ in 0..<300 {
                if thread == 0 {
                    left.commit { $0.count += right.state.visits >= 0 ? 1 : 0 }
                } else {
                    right.commit { $0.visits += left.state.count >= 0 ? 1 : 0 }
                }
            }
        }
        await left.waitUntilDelivered()
        await right.waitUntilDelivered()
        #expect(left.state.count == 300)
        #expect(right.state.visits == 300)
        links.forEach { $0.cancel() }
    }

    @Test("a store is registered from its birth to its death, with its type, its journal and its count of commits")
    func registry() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        do {
            let store = Store(Cart(), name: "born", recorder: recorder)
            store.scope(\.user).commit { $0.id = 2 }
            let entry = StoreRegistry.live.first { $0.name == "born" }
            #expect(entry?.type == "Cart")
            #expect(entry?.version == 1)
            #expect(entry?.journal == recorder.path)
        }
        #expect(!StoreRegistry.live.contains { $0.name == "born" })
        recorder.close()
        #expect(try journal.records("store").map { try $0.text("store") } == ["born"])
        #expect(try journal.records("close").map { try $0.text("store") } == ["born"])
    }
}
