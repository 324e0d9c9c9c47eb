import Foundation
import JSONCore
import JournalFormat
import StateStore
import TestSupport
import Testing

@testable import EntityTables
@testable import StoreCore

/// A state with a place for a secret in each kind of container.
struct Vault: Encodable, Sendable {
    struct Entry: Encodable, Equatable, Sendable, Identifiable {
        var id: Int
        var password: String
        var label: String
    }
    struct Note: Encodable, Sendable {
        var text: String
        var secret: String
    }
    struct Badge: Encodable, Hashable, Sendable {
        var color: Int
        var code: String
    }
    enum Payment: Encodable, Sendable {
        case cash
        case card(number: String, owner: String)
    }
    var token = ""
    var pin = 0
    var count = 0
    var entries: [Entry] = []
    var table = EntityTable<Entry>()
    var loose: [String] = []
    var notes: [String: Note] = [:]
    var badges: Set<Badge> = []
    var codes: Set<String> = []
    var payment = Payment.cash
    var blob = Data()

    static let redactions: [Redaction] = [
        .keyPath(\Vault.token), "/vault/pin", "/**/password", "/vault/loose/*", "/vault/notes/*/secret",
        "/vault/badges/*/code", "/vault/codes/*", "/vault/payment/card/number", "/vault/blob",
    ]
}

/// Changes a vault at random; every secret has a text that stands nowhere else.
private struct VaultChanger {
    var generator: SeededGenerator
    private(set) var planted: Set<String> = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    /// One of few secrets, so that equal ones meet.
    mutating func secret() -> String {
        let secret = "S3CR3T-\(below(12))"
        planted.insert(secret)
        return secret
    }

    mutating func change(_ vault: inout Vault) {
        switch below(13) {
        case 0: vault.token = secret()
        case 1: vault.pin = 1_234_567_000 + below(9)
        case 2:
            let entry = Vault.Entry(id: vault.count, password: secret(), label: "l\(below(3))")
            vault.entries.insert(entry, at: below(vault.entries.count + 1))
        case 3: if !vault.entries.isEmpty { vault.entries[below(vault.entries.count)].password = secret() }
        case 4: vault.entries.shuffle(using: &generator)
        case 5: if !vault.entries.isEmpty { vault.entries.remove(at: below(vault.entries.count)) }
        case 6: vault.loose = (0..<below(5)).map { _ in secret() }
        case 7: vault.notes["n\(below(4))"] = Vault.Note(text: "t\(below(3))", secret: secret())
        case 8: vault.badges = Set((0..<below(4)).map { _ in Vault.Badge(color: below(2), code: secret()) })
        case 9: vault.codes = Set((0..<below(5)).map { _ in secret() })
        case 10: vault.table.upsert(Vault.Entry(id: below(4), password: secret(), label: "l"))
        case 11: vault.payment = below(2) == 0 ? .cash : .card(number: secret(), owner: "o\(below(2))")
        default: vault.blob = Data(secret().utf8)
        }
        vault.count += 1
    }
}

struct RedactionPropertyTests {
    @Test(
        "whatever changes, no secret that a path names is in the journal, and every patch applies",
        arguments: [1, 2, 3, 4] as [UInt64])
    func anyState(seed: UInt64) throws {
        let (journal, recorder) = try TemporaryJournal.recording(redact: Vault.redactions)
        let store = Store(Vault(), recorder: recorder)
        var changer = VaultChanger(seed: seed)
        var pins: Set<Int> = []
        for _ in 0..<250 {
            let secret = changer.secret()
            store.commit(CommitAction(type: "Set", payload: ["password": secret, "why": "<\(secret)>"])) { vault in
                changer.change(&vault)
                vault.token = secret
            }
            pins.insert(store.state.pin)
        }
        recorder.close()
        let text = journal.text
        for secret in changer.planted {
            #expect(!text.contains(secret), "seed \(seed)")
            #expect(!text.contains(Data(secret.utf8).base64EncodedString()), "seed \(seed)")
        }
        // Ten digits each: fewer of them stand in some hash by chance now and then.
        for pin in pins where pin != 0 { #expect(!text.contains("\(pin)"), "seed \(seed)") }
        #expect(text.contains(#""kind":"keyframe""#))
        try journal.verify()
        #expect(try journal.replayed().count == 250)
    }
}

/// Values with much beside a secret that does not repeat it.
private struct Plenty: Codable, Equatable, Sendable {
    struct Row: Codable, Equatable, Sendable, Identifiable {
        var id: Int
        var text: String
        var number: Int

        init(_ id: Int, number: Int? = nil) { (self.id, text, self.number) = (id, "row \(id)", number ?? id) }
    }
    struct Loose: Codable, Equatable, Hashable, Sendable {
        var text: String
        var number: Int

        init(_ number: Int) { (text, self.number) = ("loose \(number)", number) }
    }
    struct Owner: Codable, Equatable, Sendable {
        var token: String
        var note: String
        var number: Int
        var lines: [String] = ["a", "b"]

        init(_ number: Int) { (token, note, self.number) = ("t0ken-\(number)-", "owner \(number)", number) }
    }

    var token = "S3CR3T-token"
    var pin = 471_100_000
    var flag = true
    var maybe: String?
    var texts: [String] = []
    var numbers: [Int] = []
    var rows: [Row] = []
    var loose: [Loose] = []
    var owners: [Owner] = []
    var byName: [String: String] = [:]
    var byNumber: [Int: Loose] = [:]
    var set: Set<String> = []
    var table = EntityTable<Row>()
    var long = ""
    var count = 0
}

/// What a secret does not hide where nothing repeats it.
struct NothingToHideTests {
    /// A kind of collection: how it is filled, and how its element at a place gets another value.
    private struct Kind: Sendable {
        typealias Setting = @Sendable (inout Plenty, _ place: Int, _ number: Int) -> Void
        typealias Removal = @Sendable (inout Plenty, _ place: Int) -> Void
        let (name, set, remove): (String, Setting, Removal)
        init(_ name: String, _ set: @escaping Setting, _ remove: @escaping Removal) {
            (self.name, self.set, self.remove) = (name, set, remove)
        }
    }

    private static func put<Element>(_ element: Element, _ list: inout [Element], _ place: Int) {
        if place < list.count { list[place] = element } else { list.append(element) }
    }

    private static let kinds = [
        Kind("texts", { put("text \($2)", &$0.texts, $1) }, { $0.texts.remove(at: $1) }),
        Kind("numbers", { put($2, &$0.numbers, $1) }, { $0.numbers.remove(at: $1) }),
        Kind("values with identities", { put(Plenty.Row($2), &$0.rows, $1) }, { $0.rows.remove(at: $1) }),
        Kind("values without", { put(Plenty.Loose($2), &$0.loose, $1) }, { $0.loose.remove(at: $1) }),
        Kind("values with secrets", { put(Plenty.Owner($2), &$0.owners, $1) }, { $0.owners.remove(at: $1) }),
        Kind("a dictionary of texts", { $0.byName["k\($1)"] = "v\($2)" }, { $0.byName["k\($1)"] = nil }),
        Kind("a dictionary of values", { $0.byNumber[$1] = Plenty.Loose($2) }, { $0.byNumber[$1] = nil }),
        Kind("a set", { $0.set.insert("\($1) of \($2)") }, { plenty, _ in plenty.set.remove(plenty.set.min()!) }),
        Kind("a table", { $0.table.upsert(Plenty.Row($1, number: $2)) }, { $0.table[$1] = nil }),
        Kind("a long text", { $0.long += "line \($1) is \($2), " }, { plenty, _ in plenty.long.removeLast(40) }),
    ]

    private static let sizes = [129, 1_000, 10_000]

    private static let changes: [(String, @Sendable (inout Plenty, Kind, _ size: Int) -> Void)] = [
        ("one is added", { $1.set(&$0, $2, 7_000_001) }), ("one is changed", { $1.set(&$0, $2 / 2, 7_000_002) }),
        ("one is removed", { $1.remove(&$0, $2 / 3) }),
        (
            "the secret is replaced",
            { plenty, _, _ in
                plenty.token = "S3CR3T-other"
                plenty.pin = 471_100_001
                for place in plenty.owners.indices { plenty.owners[place].token += "!" }
            }
        ),
        (
            "both",
            { plenty, kind, size in
                kind.set(&plenty, size / 2, 7_000_003)
                plenty.token = "S3CR3T-third"
                plenty.flag.toggle()
                plenty.maybe = plenty.maybe == nil ? "" : nil
            }
        ),
    ]

    @Test(
        "nothing but the secret is hidden in and beside a collection of many", arguments: sampled(kinds.map(\.name)),
        changes.map(\.0))
    func onlySecrets(kindName: String, changeName: String) throws {
        let kind = try #require(Self.kinds.first { $0.name == kindName })
        let change = try #require(Self.changes.first { $0.0 == changeName }).1
        let number =
            Self.kinds.map(\.name).firstIndex(of: kindName)! + Self.changes.map(\.0).firstIndex(of: changeName)!
        let size = kindName == "values with secrets" ? 129 : Self.sizes[number % 3]
        let (journal, problems) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(
            journal.path,
            redact: [.keyPath(\Plenty.token), .keyPath(\Plenty.pin), .keyPath(\Plenty.Owner.token).ifPresent],
            options: .reproducible
        ) { problems.add("\($0)") }
        var initial = Plenty()
        for place in 0..<size { kind.set(&initial, place, place) }
        let store = Store(initial, name: "plenty", recorder: recorder)
        store.commit { $0.count = 1 }
        store.commit { change(&$0, kind, size) }
        store.commit { $0.count = 2 }
        store.commit { change(&$0, kind, size) }
        let owners = store.state.owners.count
        recorder.close()
        #expect(problems.entries == [])
        try journal.verify()
        for state in try journal.replayed().map({ JSONValue.object($0) }) {
            var hidden: [String: Int] = [:]
            Self.count(&hidden, in: state, name: "")
            #expect(Set(hidden.keys).isSubset(of: ["token", "pin"]) && hidden["pin"] == 1, "\(hidden)")
        }
        let last = try #require(try journal.replayed().last)
        #expect(JSONValue.object(last).text().components(of: "$redacted") == 2 + owners)
        #expect(!journal.text.contains("S3CR3T") && !journal.text.contains("t0ken-"))
    }

    private static func count(_ hidden: inout [String: Int], in value: JSONValue, name: String) {
        switch value {
        case .object(let members):
            if members["$redacted"] != nil { hidden[name, default: 0] += 1 }
            for (name, member) in members { count(&hidden, in: member, name: name) }
        case .array(let elements): for element in elements { count(&hidden, in: element, name: name) }
        case .null, .bool, .number, .string: break
        }
    }

    @Test("a mebibyte of text that changes beside a secret is searched, and stays in clear")
    func longText() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(
            journal.path, redact: [.keyPath(\Plenty.token), .keyPath(\Plenty.pin)], options: .reproducible)
        let store = Store(Plenty(), name: "plenty", recorder: recorder)
        let text = String(repeating: "nothing to hide. ", count: 1 << 16)
        store.commit { $0.long = text }
        store.commit { plenty in
            plenty.token = "S3CR3T-other"
            plenty.long += "!"
        }
        recorder.close()
        #expect(journal.text.contains("nothing to hide. !\""))
        #expect(try journal.replayed().last?["plenty"]?.member("long") == .string(text + "!"))
    }
}
