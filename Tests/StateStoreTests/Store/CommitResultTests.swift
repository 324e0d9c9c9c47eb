import JSONCore
import JournalFormat
import StateStore
import Testing

@Suite("What a commit was")
struct CommitResultTests {
    private func location(_ function: String = #function) -> JournalFormat.SourceLocation {
        JournalFormat.SourceLocation(file: "App/Cart.swift", line: 7, column: 3, function: function)
    }

    @Test("a commit tells its result, its number and its changes, whatever was committed since")
    func result() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.count = 4 }
        let commit = store.commit(named: "add", at: location()) { cart -> Int in
            cart.count += 1
            return cart.count
        }
        store.commit { $0.count = 9 }
        #expect(commit.result == 5 && commit.number == CommitNumber(2))
        #expect(commit.reference.version == 2 && commit.reference.store == "cart")
        #expect(commit.changes.count == 5 && commit.changes.previous?.count == 4)
        #expect(commit.changes.version == 2 && commit.changes.previous?.version == 1)
        #expect(try commit.changes.patch?.json == #"[{"op":"replace","path":"/count","value":5,"old":4}]"#)
        recorder.close()
        let record = try journal.records("commit")[1]
        #expect(record["name"] == .string("add"))
        #expect(record["at"]?.object?["file"] == .string("App/Cart.swift"))
    }

    @Test("what it causes names it, in the journal too")
    func cause() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Cart(), recorder: recorder)
        let commit = store.commit(at: location()) { $0.count = 1 }
        CommitReference.$current.withValue(commit.reference) { store.commit { $0.count = 2 } }
        recorder.close()
        #expect(try journal.records("commit")[1].integer("cause") == 1)
    }

    @Test("one that throws changes nothing, and tells nothing but the error")
    func failure() {
        struct Refused: Error {}
        let store = Store(Cart(), recorder: nil)
        #expect(throws: Refused.self) { try store.commit(at: location()) { _ throws(Refused) in throw Refused() } }
        #expect(store.version == 0)
    }

    @Test("without a recorder it has no number, and its changes all the same")
    func unrecorded() {
        let store = Store(Cart(), recorder: nil)
        let commit = store.commit(action: CommitAction(of: "add"), at: location()) { $0.count += 1 }
        #expect(commit.number == nil && commit.changes.count == 1 && commit.changes.previous?.count == 0)
        #expect(store.recorder == nil && !store.isRedacted)
    }
}
