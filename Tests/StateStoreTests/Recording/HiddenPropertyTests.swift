import JSONCore
import JournalFormat
import Synchronization
import TestSupport
import Testing

@testable import StoreCore

/// Key paths to secrets that are not found where their names say.
struct HiddenPropertyTests {
    /// What is encoded under another name.
    struct User: Encodable, Equatable, Sendable {
        var token: String
        var name = "Ann"
        enum CodingKeys: String, CodingKey {
            case token = "access_token"
            case name
        }
    }

    struct State: Encodable, Equatable, Sendable {
        var user: User?
        var plain: Plain?
        var visits = 0
        struct Plain: Encodable, Equatable, Sendable {
            var token: String
            var name = "Bea"
        }
    }

    private func journal(
        _ redact: [Redaction], told: Log<String> = Log(), _ run: (Store<State>) throws -> Void
    ) throws -> TemporaryJournal {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, redact: redact, options: .reproducible) { error in
            if case .redaction(_, _, let path) = error { told.add(path) }
        }
        let store = Store(State(), name: "session", recorder: recorder)
        try run(store)
        recorder.close()
        try journal.verify()
        _ = try journal.replayed()
        return journal
    }

    @Test("a renamed secret behind a nil is found by its coding key, and hides nothing else")
    func renamed() throws {
        let told = Log<String>()
        let journal = try journal([.keyPath(\State.user?.token)], told: told) { store in
            store.commit { $0.visits = 1 }
            store.commit { $0.user = User(token: "S3CR3T-1") }
            store.commit { $0.user?.token = "S3CR3T-2" }
            store.commit { $0.user?.name = "Cleo" }
        }
        #expect(!journal.text.contains("S3CR3T") && journal.text.contains("Cleo"))
        #expect(journal.text.contains(#""path":"/visits","value":1"#), "the rest is in clear")
        #expect(told.entries == [])
    }

    @Test("two properties that are encoded under each other's names are told apart by their coding keys")
    func swapped() throws {
        struct Crossed: Encodable, Equatable, Sendable {
            var token = ""
            var label = ""
            enum CodingKeys: String, CodingKey {
                case token = "label"
                case label = "token"
            }
        }
        let (journal, told) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(
            journal.path, redact: [.keyPath(\Crossed.token)], options: .reproducible
        ) { error in if case .redaction(_, _, let path) = error { told.add(path) } }
        let store = Store(Crossed(), name: "crossed", recorder: recorder)
        store.commit { $0.label = "open" }
        store.commit { $0.token = "S3CR3T" }
        store.commit { $0.label = "S3CR3T" }
        recorder.close()
        try journal.verify()
        #expect(!journal.text.contains("S3CR3T"))
        #expect(journal.text.contains("open"))
        #expect(told.entries == [])
    }

    @Test("a key path that may trap is never evaluated, and hides what holds its secret")
    func mayTrap() throws {
        struct Bank: Encodable, Sendable {
            var accounts: [User] = []
            var user: User?
            var visits = 0
        }
        let (journal, told) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(
            journal.path, redact: [.keyPath(\Bank.accounts[0].token), .keyPath(\Bank.user!.token)],
            options: .reproducible
        ) { error in if case .redaction(_, _, let path) = error { told.add(path) } }
        let store = Store(Bank(), name: "bank", recorder: recorder)
        store.commit { $0.visits = 1 }
        store.commit { ($0.accounts, $0.user) = ([User(token: "S3CR3T-1")], User(token: "S3CR3T-2")) }
        store.commit { ($0.accounts, $0.user) = ([], nil) }
        recorder.close()
        try journal.verify()
        #expect(!journal.text.contains("S3CR3T"))
        #expect(journal.text.contains(#""path":"/visits","value":1"#), "the rest is in clear")
        #expect(Set(told.entries) == ["/accounts", "/user"])
    }

    @Test("while a secret is not found, payloads are hashed, and derived values that may tell of it")
    func payloads() throws {
        let journal = try journal([.keyPath(\State.user?.token)]) { store in
            let token = store.derived(\.user, named: "token") { $0?.token ?? "-" }
            let subscription = token.subscribe { _ in }
            store.commit(CommitAction(type: "Login", payload: ["code": "S3CR3T-1"])) { $0.visits = 1 }
            store.commit { $0.user = User(token: "S3CR3T-1") }
            subscription.cancel()
        }
        #expect(!journal.text.contains("S3CR3T"))
        #expect(journal.text.contains(#""payload":{"$redacted":"#))
        #expect(journal.text.contains(#""name":"token","outcome":"fired","value":{"$redacted":"#))
    }

    @Test("the value of a derived value that repeats a secret is hashed, whatever it is declared to read")
    func repeated() throws {
        let journal = try journal(["/session/user/access_token"]) { store in
            let echo = store.derived(\.visits, named: "echo") { _ in store.state.user?.token ?? "-" }
            let subscription = echo.subscribe { _ in }
            store.commit { ($0.user, $0.visits) = (User(token: "S3CR3T-1"), 1) }
            subscription.cancel()
        }
        #expect(!journal.text.contains("S3CR3T"))
    }

    @Test("the reason of a gap names no key of a redacted part")
    func gapReason() throws {
        struct Key: Hashable, Encodable, CustomStringConvertible, LosslessStringConvertible {
            var number: Int
            var description: String { "S3CR3T" }
            init(_ number: Int) { self.number = number }
            init?(_ description: String) { nil }
        }
        struct Vaults: Encodable, Sendable { var secrets: [Key: Int] = [:] }
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, redact: ["/vaults/secrets"], options: .reproducible) { _ in }
        let store = Store(Vaults(), name: "vaults", recorder: recorder)
        store.commit { $0.secrets = [Key(1): 1, Key(2): 2] }
        store.commit { $0.secrets = [:] }
        recorder.close()
        let reasons = try journal.records("gap").map { try $0.text("reason") }
        #expect(Set(reasons) == ["the state of 'vaults' could not be encoded"])
        #expect(!journal.text.contains("S3CR3T"))
    }
}

/// Whatever a state looks like, and wherever its secret is in it.
struct HiddenPropertyPropertyTests {
    /// A user whose members have other names, in another order, or are written by hand.
    struct Holder: Encodable, Equatable, Sendable {
        enum Form: CaseIterable { case plain, renamed, byHand, nested, other }
        var form: Form
        var secret: String
        var label: String
        var tags: [String: String] = [:]

        private struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(_ name: String) { stringValue = name }
            init?(stringValue: String) { self.init(stringValue) }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            switch form {
            case .plain: try container.encode(secret, forKey: Key("secret"))
            case .renamed: try container.encode(secret, forKey: Key("s"))
            case .byHand: try container.encode("Bearer \(secret)", forKey: Key("secret"))
            case .nested:
                var inner = container.nestedContainer(keyedBy: Key.self, forKey: Key("secret"))
                try inner.encode(secret, forKey: Key("value"))
            case .other:
                try container.encode(label, forKey: Key("secret"))
                try container.encode(secret, forKey: Key("label"))
            }
            if form != .other { try container.encode(label, forKey: Key("label")) }
            try container.encode(tags, forKey: Key("tags"))
        }
    }

    enum Payment: Encodable, Equatable, Sendable {
        case cash
        case card(Holder)
        var holder: Holder? { if case .card(let holder) = self { holder } else { nil } }
    }

    struct World: Encodable, Equatable, Sendable {
        var direct = Holder(form: .plain, secret: "", label: "")
        var maybe: Holder?
        var deep: Deep?
        var payment = Payment.cash
        var listed: [String: Holder] = [:]
        var count = 0
        struct Deep: Encodable, Equatable, Sendable {
            var holder: Holder?
            var note = "-"
        }
    }

    @Test("no secret is in any record, whatever its property is called, holds it or wraps it", arguments: seeds(1..<13))
    func anyShape(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
        func holder() -> Holder {
            Holder(
                form: Holder.Form.allCases[below(5)], secret: "S3CR3T-\(below(6))", label: "l\(below(3))",
                tags: ["k\(below(2))": "v\(below(3))"])
        }
        let journal = TemporaryJournal()
        let recorder = try Recorder(
            journal.path,
            redact: [
                .keyPath(\World.direct.secret), .keyPath(\World.maybe?.secret), .keyPath(\World.deep?.holder?.secret),
                .keyPath(\World.payment.holder?.secret), .keyPath(\World.listed["a"]?.secret),
                "/world/deep/holder/tags",
            ]
        ) { _ in }
        let store = Store(World(), name: "world", recorder: recorder)
        let derived = store.derived(\.direct, named: "all") { "\($0)" }.subscribe { _ in }
        for step in 0..<120 {
            let change: (inout World) -> Void = { world in
                switch below(7) {
                case 0: world.direct = holder()
                case 1: world.maybe = below(3) == 0 ? nil : holder()
                case 2: world.deep = below(4) == 0 ? nil : World.Deep(holder: below(3) == 0 ? nil : holder())
                case 3: world.deep?.holder?.secret = "S3CR3T-\(below(6))"
                case 4: world.payment = below(2) == 0 ? .cash : .card(holder())
                case 5: world.listed = below(3) == 0 ? [:] : ["a": holder()]
                default: world.direct.label = "l\(below(3))"
                }
                world.count = step
            }
            store.commit(CommitAction(type: "Set", payload: [["x": "S3CR3T-\(below(6))"]]), change)
        }
        recorder.close()
        derived.cancel()
        #expect(!journal.text.contains("S3CR3T"), "seed \(seed)")
        try journal.verify()
        #expect(try journal.replayed().count == 120)
    }
}
