import Diagnostics
import Foundation
import JournalFormat
import JournalReading
import StateReplay
import Synchronization
import Testing

@testable import StatePatterns
@testable import StoreCore

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

    @Test("a journal that is still written is read up to its last whole line")
    func openJournal() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = Store(Cart(), name: "cart", recorder: recorder)
        store.commit { $0.count = 7 }
        #expect(try JournalReader(journal.path).state(of: "cart", as: Cart.self) == store.state)
        recorder.close()
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
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, options: .reproducible) { _ in }
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
