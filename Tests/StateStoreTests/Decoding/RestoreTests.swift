import JSONCore
import StateReplay
import StateStore
import Testing

struct RestoreTests {
    private struct Basket: Codable, Equatable, Sendable {
        var items: [String] = []
        var token = "t0"
    }

    private static func record(_ journal: TemporaryJournal, redact: [Redaction] = []) throws {
        let recorder = try Recorder(journal.path, redact: redact)
        let store = Store(Basket(), name: "basket", recorder: recorder)
        for number in 1...3 { store.commit { $0.items.append("\(number)") } }
        recorder.mark("before the bug")
        store.commit { $0.items = [] }
        recorder.close()
    }

    @Test("a recorded state is put back by one commit, which subscribers, derived values and undo follow")
    func restore() throws {
        let (earlier, now) = (TemporaryJournal(), TemporaryJournal())
        try Self.record(earlier)
        let recorder = try Recorder(now.path)
        let store = Store(Basket(items: ["now"]), name: "basket", recorder: recorder)
        let history = UndoHistory(store, of: \.items)
        let count = store.derived("count", \.items) { $0.count }
        let seen = Log<Int>()
        let subscription = count.subscribe { seen.add($0.current) }
        let reader = try JournalReader(earlier.path)
        try store.restore(from: reader, at: 2)
        try store.restore(from: reader, at: .mark("before the bug"))
        try store.restore(from: reader, name: "reset")
        #expect(seen.entries == [1, 2, 3, 0])
        #expect(history.undo() && store.items == ["1", "2", "3"])
        subscription.cancel()
        recorder.close()
        #expect(
            try now.records("commit").map { try $0.text("name") } == ["restore", "restore", "reset", "undo reset"])
    }

    @Test("what cannot be read back leaves the store as it was, and nothing is recorded")
    func failure() throws {
        let journal = TemporaryJournal()
        try Self.record(journal, redact: ["/basket/token"])
        let store = Store(Basket(), name: "other", recorder: nil)
        let reader = try JournalReader(journal.path)
        #expect(throws: JournalReaderError.self) { try store.restore(from: reader) }
        #expect(throws: JournalReaderError.self) { try store.restore(from: reader, at: 900, of: "basket") }
        #expect(throws: JournalReaderError.self) { try store.restore(from: reader, at: 1, of: "basket") }
        #expect(store.version == 0)
        try store.restore(from: reader, at: 1, of: "basket", substituting: ["/token": "t1"])
        #expect(store.state == Basket(items: ["1"], token: "t1"))
    }
}
