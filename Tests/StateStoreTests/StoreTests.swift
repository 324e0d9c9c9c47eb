import Dispatch
import JournalFormat
import StateStore
import Testing

struct StoreTests {
    @Test("a commit changes the state, returns its closure's value and counts a version")
    func commit() {
        let store = Store(Cart(), recorder: nil)
        let count = store.commit { state -> Int in
            state.count += 2
            return state.count
        }
        #expect(count == 2)
        #expect(store.state.count == 2)
        #expect(store.version == 1)
        #expect(store.name == "cart")
    }

    @Test("a commit that throws leaves state and version as they were, and throws what its closure threw")
    func abort() {
        struct Full: Error, Equatable {}
        let store = Store(Cart(), recorder: nil)
        do throws(Full) {
            try store.commit { (state) throws(Full) in
                state.count = 9
                throw Full()
            }
            Issue.record("the commit did not throw")
        } catch {
            #expect(error == Full())
        }
        #expect(store.state == Cart())
        #expect(store.version == 0)
    }

    @Test("a commit inside a commit traps and names both source locations")
    func nestedCommit() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (outer, inner) = (Store(Cart(), recorder: nil), Store(Session(), recorder: nil))
            outer.commit { _ in inner.commit { $0.visits += 1 } }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.split(separator: "StateStoreTests/StoreTests.swift:").count >= 3, "\(message)")
    }

    @Test("subscribers hear in the order of subscription, at once unless asked not to, and no more once cancelled")
    func subscriptions() {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<String>()
        let first = store.subscribe { seen.add("a\($0.version) \($0.previous == nil)") }
        var second: Subscription? = store.subscribe(initially: false) {
            seen.add("b\($0.version) \($0.previous == nil)")
        }
        store.commit { $0.count += 1 }
        #expect(second != nil)
        second = nil
        store.commit { $0.count += 1 }
        first.cancel()
        store.commit { $0.count += 1 }
        #expect(seen.entries == ["a0 true", "a1 false", "b1 false", "a2 false"])
    }

    @Test("a sink that commits has that commit delivered after the current one, to every sink with its true previous")
    func commitInDelivery() {
        let store = Store(Cart(), recorder: nil)
        let seen = Log<String>()
        let first = store.subscribe(initially: false) { changes in
            seen.add("a\(changes.previous?.count ?? -1)>\(changes.count)")
            if changes.count < 3 { store.commit { $0.count += 1 } }
        }
        let second = store.subscribe(initially: false) { seen.add("b\($0.previous?.count ?? -1)>\($0.count)") }
        store.commit { $0.count += 1 }
        #expect(seen.entries == ["a0>1", "b0>1", "a1>2", "b1>2", "a2>3", "b2>3"])
        first.cancel()
        second.cancel()
    }

    @Test("a sink may subscribe and cancel in the middle of a delivery")
    func subscribeInDelivery() {
        let store = Store(Cart(), recorder: nil)
        let (seen, kept) = (Log<String>(), Log<Subscription>())
        let last = Log<Subscription>()
        let first = store.subscribe(initially: false) { changes in
            guard changes.version == 1 else { return }
            kept.add(store.subscribe { seen.add("new\($0.version)") })
            last.entries.forEach { $0.cancel() }
        }
        last.add(store.subscribe(initially: false) { seen.add("last\($0.version)") })
        store.commit { $0.count += 1 }
        store.commit { $0.count += 1 }
        #expect(seen.entries == ["new1", "new2"])
        first.cancel()
    }

    @Test("a state is read while a commit's closure runs, and is the one before")
    func readWhileCommitting() {
        let store = Store(Cart(), recorder: nil)
        let (seen, done) = (Log<Int>(), DispatchSemaphore(value: 0))
        store.commit { state in
            state.count = 1
            DispatchQueue.global().async {
                seen.add(store.state.count)
                done.signal()
            }
            #expect(done.wait(timeout: .now() + .seconds(1_800)) == .success)
        }
        #expect(seen.entries == [0] && store.state.count == 1)
    }
}
