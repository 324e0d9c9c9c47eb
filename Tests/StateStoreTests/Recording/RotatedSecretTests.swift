import JSONCore
import JournalFormat
import Platform
import StateStore
import TestSupport
import Testing

@testable import StateEncoding
@testable import StoreCore

/// What was a secret once stays out of the journal when it is one no more.
struct RotatedSecretTests {
    struct Account: Codable, Equatable, Sendable, Identifiable {
        struct Session: Codable, Equatable, Sendable {
            var key: String? = "S3CR3T-first-key"
            var note = "-"
        }

        var id = 0
        var token = "S3CR3T-first"
        var code = 770_001
        var session = Session()
        var label = "open"
        var notes: [String] = []
        var shelf: [String: String] = [:]
        var lastCode = 0
        var count = 0
    }

    struct World: Codable, Equatable, Sendable {
        var first = Account()
        var maybe: Account?
        var listed: [Account] = [Account(id: 1), Account(id: 2)]
        var named: [String: Account] = [:]
        var table = EntityTable<Account>()
        var count = 0
    }

    static let redactions: [Redaction] = [
        .keyPath(\Account.token), .keyPath(\Account.session.key), .keyPath(\Account.code),
    ]

    /// A run in which secrets are set, copied, replaced and removed.
    private struct Play {
        var generator: SeededGenerator
        var secrets = ["S3CR3T-first", "S3CR3T-first-key"]

        init(seed: Int) { generator = SeededGenerator(seed: UInt64(seed)) }

        mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

        mutating func secret() -> String {
            let text = "S3CR3T-\(below(40))/~\"\u{e9}\(below(3))"
            secrets.append(text)
            return text
        }

        mutating func text() -> String {
            let known = secrets[below(secrets.count)]
            return [known, "it was \(known).", "\(known)\(known)", "clear \(below(9))"][below(4)]
        }

        mutating func change(_ account: inout Account) {
            switch below(11) {
            case 0: account.token = secret()
            case 1: account.session.key = below(3) == 0 ? nil : secret()
            case 2: account.code = 770_000 + below(50)
            case 3: account.label = text()
            case 4: account.session.note = text()
            case 5: account.notes = [text(), "note"]
            case 6: account.shelf[below(2) == 0 ? "plain" : text()] = text()
            case 7: account.shelf = [:]
            case 8: account.lastCode = account.code
            default: account.count += 1
            }
        }

        mutating func change(_ world: inout World) {
            switch below(12) {
            case 0: world.maybe = below(2) == 0 ? nil : world.first
            case 1, 2: change(&world.first)
            case 3: if world.maybe != nil { change(&world.maybe!) }
            case 4, 5: if !world.listed.isEmpty { change(&world.listed[below(world.listed.count)]) }
            case 6: world.listed.shuffle(using: &generator)
            case 7:
                if world.listed.count > 3 { world.listed.remove(at: below(world.listed.count)) }
                var account = Account(id: 10 + below(1000))
                change(&account)
                world.listed.insert(account, at: below(world.listed.count + 1))
            case 8: change(&world.named[below(2) == 0 ? "a" : "b", default: Account()])
            case 9: world.named["a"] = nil
            case 10:
                var account = world.table[5] ?? Account(id: 5)
                change(&account)
                world.table[5] = account
            default: world.table[5] = nil
            }
            world.count += 1
        }
    }

    private static func clear(in text: String) -> String? {
        text.split(separator: "\n").first { line in
            line.contains("S3CR3T") || line.contains(#/:7700\d\d[,}\]]/#)
        }.map(String.init)
    }

    @Test(
        "in no record of a run, however secrets are set anew, copied, moved and removed", arguments: 1...24)
    func everyRecord(seed: Int) throws {
        var play = Play(seed: seed)
        let journal = TemporaryJournal()
        let problems = Log<String>()
        var options = Recorder.Options()
        options.verifiesEncoding = seed % 2 == 0
        options.readsLayouts = seed % 5 != 0
        let recorder = try Recorder(journal.path, redact: Self.redactions, options: options) { problems.add("\($0)") }
        let store = Store(World(), name: "world", recorder: recorder)
        let derived = store.derived("label", \.first.label) { $0 }.subscribe { _ in }
        for _ in 0..<250 {
            let payload = ["x": play.text()]
            store.perform(
                { play.change(&$0) }, named: nil, action: CommitAction(type: "Set", payload: payload),
                at: JournalFormat.SourceLocation(file: "A/B.swift", line: 1, column: 1, function: "f()"))
        }
        recorder.mark("said", payload: [play.text()])
        recorder.close()
        derived.cancel()
        #expect(problems.entries == [], "seed \(seed)")
        #expect(Self.clear(in: journal.text) == nil, "seed \(seed)")
        #expect(journal.text.contains("clear "))
        try journal.verify()
        #expect(try journal.replayed().count == 250)
    }

    @Test("nor in any segment of a flight recorder, each of which can be read by itself", arguments: 1...4)
    func segments(seed: Int) throws {
        var play = Play(seed: seed)
        let folder = TemporaryFolder()
        let recorder = try Recorder(folder.path("run.jsonl"), redact: Self.redactions, limit: 128 << 10)
        let store = Store(World(), name: "world", recorder: recorder)
        for _ in 0..<3000 { store.commit { play.change(&$0) } }
        recorder.close()
        let files = try FileSystem.names(in: folder.path).filter { $0.hasSuffix(".jsonl") }
        #expect(files.count > 1)
        for file in files {
            let text = TemporaryFolder.lines(folder.path(file)).joined(separator: "\n")
            #expect(Self.clear(in: text) == nil, "seed \(seed), \(file)")
        }
    }

    @Test("a text that another value has had in clear is hidden from the commit on that would write it again")
    func otherValue() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, redact: [.keyPath(\Account.token)])
        let store = Store([Account(id: 1), Account(id: 2)], name: "accounts", recorder: recorder)
        store.commit { $0[0].label = "T0K3N of a friend" }
        store.commit { $0[1].token = "T0K3N of a friend" }
        store.commit { $0[1].count = 1 }
        store.commit { $0[0].notes = ["T0K3N of a friend"] }
        recorder.close()
        let patches = try journal.records("commit").map { $0["patch"]?.text() ?? "" }
        #expect(patches[0].contains("T0K3N"))
        #expect(!patches[1].contains("T0K3N") && !patches[2].contains("T0K3N"))
        // The note is hidden, and with it the label, which stood in clear before.
        let last = try #require(try journal.replayed().last)
        #expect(!JSONValue.object(last).text().contains("T0K3N"))
        try journal.verify()
    }

    @Test("the same encoder hides the same whatever it remembered in which order", arguments: 1...20)
    func search(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        func text(_ length: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: length, using: &generator)).map { _ in UInt8.random(in: 97...99, using: &generator) }
        }
        var search = TextSearch()
        var texts: [[UInt8]] = []
        for _ in 0..<300 {
            if texts.count < 12, Int.random(in: 0..<8, using: &generator) == 0 {
                let new = text(1...90)
                let isNew = new.count >= 4 && !texts.contains { $0.suffix(64) == new.suffix(64) }
                #expect(search.insert(new) == isNew, "seed \(seed)")
                if isNew { texts.append(new) }
            }
            var whole = text(0...40)
            if let known = texts.randomElement(using: &generator), Bool.random(using: &generator) {
                whole += known + text(0...9)
            }
            let isFound = texts.contains { known in
                let known = known.suffix(64)
                return whole.count >= known.count
                    && (0...(whole.count - known.count)).contains { whole[$0...].starts(with: known) }
            }
            #expect(whole.withUnsafeBufferPointer { search.isFound(in: $0) } == isFound, "seed \(seed)")
        }
        #expect(search.count == texts.count)
    }

    @Test("beyond the limit of what is remembered, every text that may be a copy is hidden")
    func limit() {
        let secrets = RememberedSecrets(limit: 3)
        for number in 0..<3 { secrets.note(Array("secret \(number)".utf8)) }
        #expect(!secrets.matches(text: "secret 1"))
        #expect(secrets.hideMore() && !secrets.hideMore())
        #expect(secrets.matches(text: "my secret 1") && !secrets.matches(text: "secret 3"))
        secrets.note(Array("secret 3".utf8))
        #expect(secrets.mustHideMore(than: Array(#"[{"op":"add","path":"/secret 3","value":1}]"#.utf8)))
        #expect(!secrets.mustHideMore(than: Array(#"[{"op":"add","path":"/secret 2","value":1}]"#.utf8)))
        #expect(secrets.hideMore())
        #expect(secrets.matches(text: "anything") && !secrets.matches(text: "any"))
    }
}
