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

        /// A text with a secret that a state has or had; of a certain account, with one that it has.
        mutating func text(of account: Account? = nil) -> String {
            var known = secrets[below(secrets.count)]
            if let account { known = below(2) == 0 ? account.token : account.session.key ?? account.token }
            return [known, "it was \(known).", "\(known)\(known)", "clear \(below(9))"][below(4)]
        }

        /// A new account has no secret of which a copy could be left.
        mutating func change(_ account: inout Account, isNew: Bool = false) {
            switch below(isNew ? 9 : 14) {
            case 0: account.token = secret()
            case 1: account.session.key = below(3) == 0 ? nil : secret()
            case 2: account.code = 770_000 + below(50)
            case 3: account.label = text(of: account)
            case 4: account.session.note = text(of: account)
            case 5: account.notes = [text(of: account), "note"]
            case 6: account.shelf[below(2) == 0 ? "plain" : text(of: account)] = text(of: account)
            case 9: (account.lastCode, account.code) = (account.code, 770_000 + below(50))
            case 10: (account.label, account.token) = (text(of: account), secret())
            case 11: (account.notes, account.session.key) = ([text(of: account)], nil)
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
                change(&account, isNew: true)
                world.listed.insert(account, at: below(world.listed.count + 1))
            case 8:
                let name = below(2) == 0 ? "a" : "b"
                var account = world.named[name] ?? Account()
                change(&account, isNew: world.named[name] == nil)
                world.named[name] = account
            case 9: world.named["a"] = nil
            case 10:
                var account = world.table[5] ?? Account(id: 5)
                change(&account, isNew: world.table[5] == nil)
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
        "in no record of a run, however secrets are set anew, copied, moved and removed",
        arguments: seeds(1..<25, atLeast: 24))
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

    @Test("nor in any segment of a flight recorder, each of which can be read by itself", arguments: seeds(1..<5))
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

    @Test(
        "a search finds what a plain one finds, whatever it is told to look for in which order",
        arguments: seeds(1..<21))
    func search(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        func text(_ length: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: length, using: &generator)).map { _ in "abc".randomElement(using: &generator)! })
        }
        var search = SecretSearch()
        var texts: [String] = []
        for _ in 0..<300 {
            if texts.count < 12, Int.random(in: 0..<8, using: &generator) == 0 {
                let new = text(1...90)
                search.insertParts(ofSecret: Array(JSONValue.string(new).text().utf8))
                if new.count >= 4 { texts.append(new) }
            }
            var whole = text(0...40)
            if let known = texts.randomElement(using: &generator), Bool.random(using: &generator) {
                whole += known + text(0...9)
            }
            // Of a long text its end is looked for.
            let isFound = whole.count >= 4 && texts.contains { whole.contains($0.suffix(64)) }
            #expect(search.matches(text: whole) == isFound, "seed \(seed)")
        }
    }
}
