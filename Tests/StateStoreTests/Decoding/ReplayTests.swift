import JSONCore
import StateReplay
import StateStore
import StateStoreTesting
import Testing

/// A recorded run that is sent into running stores.
struct ReplayTests {
    private struct Search: Codable, Equatable, Sendable {
        var text = ""
        var found: [String] = []
        var count = 0
    }

    private struct Hit: Codable, Equatable, Sendable { var name: String }

    private enum Action: Codable, Equatable, Sendable {
        case typed(String)
        case found(hits: [Hit], count: Int)
        case first(Hit)
        case cleared
    }

    private static func reducer(adding: Int = 0) -> Reducer<Search, Action> {
        Reducer { state, action in
            switch action {
            case .typed(let text): state.text = text
            case .found(let hits, let count): (state.found, state.count) = (hits.map(\.name), count + adding)
            case .first(let hit): state.found = [hit.name]
            case .cleared: state = Search()
            }
        }
    }

    private func record(_ journal: TemporaryJournal, _ actions: [Action]) throws {
        let recorder = try Recorder(journal.path)
        let other = Store(Session(), recorder: recorder)
        let search = ReducerStore(Store(Search(), name: "search", recorder: recorder), reducer: Self.reducer())
        for action in actions {
            other.commit { $0.visits += 1 }
            search.dispatch(action)
        }
        recorder.close()
    }

    private let actions: [Action] = [
        .typed("a"), .found(hits: [Hit(name: "x"), Hit(name: "y")], count: 2), .cleared, .first(Hit(name: "z")),
    ]

    @Test("the states of a run are committed one by one, under the recorded names, to what subscribes")
    func states() throws {
        let journal = TemporaryJournal()
        try record(journal, actions)
        let store = Store(Search(), name: "search", recorder: nil)
        let seen = Log<[String]>()
        let link = store.subscribe(initially: false) { seen.add($0.found) }
        var steps: [Int] = []
        try store.replay(JournalReader(journal.path)) { commit in
            #expect(store.state == commit.state)
            steps.append(commit.number.rawValue)
        }
        link.cancel()
        #expect(seen.entries == [[], ["x", "y"], [], ["z"]])
        #expect(steps == [2, 4, 6, 8])
    }

    @Test("the actions of a run lead a reducer to the recorded states, whatever they carry")
    func reduced() throws {
        let journal = TemporaryJournal()
        try record(journal, actions)
        let search = ReducerStore(Store(Search(), name: "search", recorder: nil), reducer: Self.reducer())
        #expect(try search.replay(JournalReader(journal.path)) == 4)
        #expect(search.state.found == ["z"])
        var found: [Action] = []
        try JournalReader(journal.path).forEachCommit(of: "search", as: Search.self) { commit in
            if let action = try commit.action(as: Action.self) { found.append(action) }
        }
        #expect(found == actions)
    }

    @Test("a reducer that answers otherwise than in the run is an issue, with the commit and what differs")
    func differs() throws {
        let journal = TemporaryJournal()
        try record(journal, actions)
        let search = ReducerStore(Store(Search(), name: "search", recorder: nil), reducer: Self.reducer(adding: 1))
        let reader = try JournalReader(journal.path)
        let dispatched = Locked(0)
        withKnownIssue {
            let count = (try? search.replay(reader)) ?? 0
            dispatched.modify { $0 = count }
        } matching: { issue in
            let text = issue.comments.first?.rawValue ?? ""
            return text.contains("commit 4 the state differs") && text.contains(#""path":"/count","value":3,"old":2"#)
        }
        #expect(dispatched.modify { $0 } == 2)
    }

    @Test("an action that the journal does not hold whole is an error")
    func redacted() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, redact: [.payload("ReplayTests.Action.typed")])
        let search = ReducerStore(Store(Search(), name: "search", recorder: recorder), reducer: Self.reducer())
        search.dispatch(.typed("S3CR3T"))
        recorder.close()
        let replayed = ReducerStore(Store(Search(), name: "search", recorder: nil), reducer: Self.reducer())
        #expect(throws: JournalReaderError.self) { try replayed.replay(JournalReader(journal.path)) }
    }
}

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
