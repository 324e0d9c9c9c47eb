import Diagnostics
import Foundation
import JSONCore
import JournalFormat
import JournalReading
import StateReplay
import StateStore
import StateStoreTesting
import Synchronization
import Testing

@testable import StatePatterns
@testable import StoreCore

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
        let (journal, recorder) = try TemporaryJournal.recording(redact: [.payload("ReplayTests.Action.typed")])
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
        let count = store.derived(\.items, named: "count") { $0.count }
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

@Suite("States read back from a journal")
struct JournalReaderTests {
    /// A journal of a cart with 300 commits, which has keyframes, and a session.
    private static func record(into journal: TemporaryJournal) throws {
        let recorder = try Recorder(journal.path, options: .reproducible)
        let cart = Store(Cart(), name: "cart", recorder: recorder)
        let session = Store(Session(), name: "session", recorder: recorder)
        for number in 1...300 {
            if number == 200 { recorder.mark("tapped Buy") }
            if number.isMultiple(of: 10) {
                session.commit { $0.visits = number }
            } else {
                cart.commit { state in
                    state.count = number
                    state.items.append(Cart.Item(id: number, name: String(repeating: "an item ", count: 40)))
                }
            }
        }
        recorder.close()
    }

    @Test("a state is the one after the commit of that number, wherever it is taken from")
    func positions() throws {
        let journal = TemporaryJournal()
        try Self.record(into: journal)
        let reader = try JournalReader(journal.path)
        for number in [1, 57, 109, 110, 111, 299] {
            let cart = try reader.state(at: .commit(number), of: "cart", as: Cart.self)
            #expect(cart.count == (number.isMultiple(of: 10) ? number - 1 : number))
            #expect(cart.items.count == number - number / 10)
        }
        #expect(try reader.state(at: 117, of: "cart", as: Cart.self).count == 117)
        #expect(try reader.state(at: .start, of: "cart", as: Cart.self) == Cart())
        #expect(try reader.state(at: .end, of: "session", as: Session.self).visits == 300)
        #expect(try reader.state(at: .end(minus: 15), of: "session", as: Session.self).visits == 280)
        #expect(try reader.state(at: .mark("Buy"), of: "cart", as: Cart.self).count == 199)
        let session: Session = try reader.state(of: "session")
        #expect(session.visits == 300)
        #expect(try reader.lastCommit == 300)
        #expect(try reader.storeNames(at: 5) == ["cart", "session"])
    }

    @Test("a store, a position or a mark that is not there is an error that says what is")
    func absent() throws {
        let journal = TemporaryJournal()
        try Self.record(into: journal)
        let reader = try JournalReader(journal.path)
        func message(_ position: PositionText, _ store: String) -> String {
            do {
                _ = try reader.state(at: position, of: store, as: Cart.self)
                return "no error"
            } catch { return error.description.replacingOccurrences(of: journal.path, with: "J") }
        }
        #expect(
            message(.end, "crat")
                == "'J' has no store 'crat' at commit 300\nnote: the open ones are 'cart', 'session'\nhelp: write 'cart'"
        )
        #expect(
            message(301, "cart").hasPrefix("position '301' is past the end of 'J'\nnote: it holds commits 0 to 300"))
        #expect(message(.mark("Sell"), "cart").hasPrefix("no mark of 'J' contains 'Sell'"))
        #expect(message(.commit(-1), "cart").hasPrefix("position '-1' is before the start of 'J'"))
        #expect(message(.end, "session").hasPrefix("store 'session': the recorded state has no '/count'\nnote: 'Cart'"))
        #expect(throws: JournalReaderError.self) { try JournalReader(journal.path + ".not") }
    }

    @Test("inside a gap there is no state, at its end there is")
    func gap() throws {
        let (journal, recorder) = try TemporaryJournal.recording(options: .reproducible) { _ in }
        let store = Store(Moody(), name: "moody", recorder: recorder)
        for mood in [1, -1, -2, 2, 3] { store.commit { $0.mood = mood } }
        recorder.close()
        struct Mood: Decodable { var mood: Int }
        let reader = try JournalReader(journal.path)
        let error = #expect(throws: JournalReaderError.self) { try reader.state(at: 3, of: "moody", as: Mood.self) }
        guard case .journal(let problem)? = error, case .insideGap = problem.fact else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try reader.state(at: 4, of: "moody", as: Mood.self).mood == 2)
        #expect(try reader.state(at: 5, of: "moody", as: Mood.self).mood == 3)
    }

    @Test("a value that the journal does not hold is an error, and may be given")
    func substitutes() throws {
        struct User: Codable, Equatable, Sendable { var name: String; var token: String? }
        struct App: Codable, Equatable, Sendable { var user: User; var ids: [Int] = [] }
        /// Writes what a redacting recorder writes.
        struct Hidden: Encodable, Sendable {
            struct Mark: Encodable, Sendable {
                var text = "9f2c41d05e1b77aa"; enum CodingKeys: String, CodingKey { case text = "$redacted" }
            }
            struct User: Encodable, Sendable { var name = "Ann"; var token = Mark() }
            var user = User()
            var ids = [1, 2]
        }
        let (journal, recorder) = try TemporaryJournal.recording()
        _ = Store(Hidden(), name: "app", recorder: recorder)
        recorder.close()
        let reader = try JournalReader(journal.path)
        let error = #expect(throws: JournalReaderError.self) { try reader.state(of: "app", as: App.self) }
        guard case .value("app", "/user/token", "String", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description.contains(#"help: give a value for it: 'substituting: ["/user/token": …]'"#) ?? false)
        let app = try reader.state(
            of: "app", as: App.self, substituting: ["/user/token": "test-token", "/ids/0": 9])
        #expect(app == App(user: User(name: "Ann", token: "test-token"), ids: [9, 2]))
        #expect(throws: JournalReaderError.self) {
            try reader.state(of: "app", as: App.self, substituting: ["/nobody/token": 1])
        }
    }
}
