import Dispatch
import JSONCore
import JournalFormat
import StateStore
import Testing

struct StoreTests {
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

@Suite("What a commit was")
struct CommitResultTests {
    private func location(_ function: StaticString = #function) -> CommitLocation {
        CommitLocation(file: "App/Cart.swift", line: 7, column: 3, function: function)
    }

    @Test("a commit tells its result, its number and its changes, whatever was committed since, and is a cause")
    func result() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.count = 4 }
        let commit = store.commit(named: "add", at: location()) { cart -> Int in
            cart.count += 1
            return cart.count
        }
        CommitReference.$current.withValue(commit.reference) { store.commit { $0.count = 9 } }
        #expect(commit.result == 5 && commit.number == CommitNumber(2))
        #expect(commit.reference.version == 2 && commit.reference.store == "cart")
        #expect(commit.changes.count == 5 && commit.changes.previous?.count == 4)
        #expect(commit.changes.version == 2 && commit.changes.previous?.version == 1)
        #expect(try commit.changes.patch?.json == #"[{"op":"replace","path":"/count","value":5,"old":4}]"#)
        recorder.close()
        #expect(try journal.causes() == [nil, nil, 2])
        let record = try journal.records("commit")[1]
        #expect(record["name"] == .string("add"))
        #expect(record["at"]?.object?["file"] == .string("App/Cart.swift"))
    }

    @Test("without a recorder it has no number, and its changes all the same")
    func unrecorded() {
        let store = Store(Cart(), recorder: nil)
        let commit = store.commit(action: CommitAction(of: "add"), at: location()) { $0.count += 1 }
        #expect(commit.number == nil && commit.changes.count == 1 && commit.changes.previous?.count == 0)
        #expect(store.recorder == nil && !store.isRedacted)
    }
}
