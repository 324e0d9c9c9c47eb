import JSONCore
import StateStore
import TestSupport
import Testing

/// What is hidden for a type's redactions while its secrets stay is what an encoding from scratch hides.
struct HiddenMembersTests {
    struct Account: Codable, Equatable, Sendable {
        struct User: Codable, Equatable, Sendable {
            var name = "ann"
            var pin: String? = "S3CR3T-pin"
        }

        var token = "S3CR3T-token"
        var user = User()
        var guest: User?
        var label = "open"
        var notes: [String] = []
        var shelf: [String: User] = [:]
        var count = 0

        static let redactions: [Redaction] = [
            .keyPath(\Account.token), .keyPath(\Account.user.pin), .keyPath(\Account.guest?.pin),
        ]
    }

    @Test(
        "every commit hides what an encoding from scratch hides, whichever members repeat a secret, and when",
        arguments: seeds(1..<17))
    func sameAsFromScratch(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
        let problems = Log<String>()
        let journal = TemporaryJournal()
        var options = Recorder.Options()
        options.verifiesEncoding = true
        let recorder = try Recorder(journal.path, redact: Account.redactions, options: options) { error in
            problems.add("\(error)")
        }
        // An element of a list has members of its own that are kept, too.
        let store = Store([Account(), Account()], name: "accounts", recorder: recorder)
        func text(of account: Account) -> String {
            [account.token, account.user.pin ?? "", account.guest?.pin ?? "", "clear \(below(3))"][below(4)]
        }
        var versions: [[Account]] = []
        for _ in 0..<150 {
            store.commit { accounts in
                let place = below(2)
                var account = accounts[place]
                switch below(12) {
                case 0: account.token = "S3CR3T-\(below(4))"
                case 1: account.user.pin = below(3) == 0 ? nil : "S3CR3T-\(below(4))"
                case 2: account.guest = below(2) == 0 ? nil : Account.User(name: "bob", pin: "S3CR3T-\(below(4))")
                case 3, 4: account.label = text(of: account)
                case 5: account.notes = [text(of: account), "note"]
                case 6: account.user.name = text(of: account)
                case 7: account.shelf["a"] = Account.User(name: text(of: account), pin: nil)
                case 8: account.shelf = [:]
                default: account.count += 1
                }
                accounts[place] = account
                if below(20) == 0 { accounts.swapAt(0, 1) }
            }
            versions.append(store.state)
        }
        recorder.close()
        #expect(problems.entries == [], "seed \(seed)")
        try journal.verify()
        let states = try journal.replayed()
        #expect(states.count == versions.count)
        // All that begins so is, or was, a secret of the account that repeats it.
        for (line, text) in TemporaryFolder.lines(journal.path).enumerated() where text.contains("S3CR3T") {
            Issue.record("seed \(seed), line \(line + 1): \(text)")
        }
        #expect(states.contains { $0["accounts"]?.text().contains(#""count":"#) ?? false })
    }

    @Test("a secret beside a property that changes is neither written nor searched again")
    func staysQuiet() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, redact: Account.redactions)
        let store = Store(Account(), name: "account", recorder: recorder)
        for _ in 0..<5 { store.commit { $0.count += 1 } }
        store.commit { $0.label = "the pin is S3CR3T-pin" }
        store.commit { $0.label = "hidden for good" }
        store.commit { $0.notes = ["open again"] }
        recorder.close()
        let patches = TemporaryFolder.lines(journal.path).filter { $0.contains(#""kind":"commit""#) }
        for patch in patches.prefix(5) { #expect(patch.contains(#""path":"/count""#) && !patch.contains("/token")) }
        #expect(
            patches[5].contains("$redacted") && patches[6].contains("$redacted") && patches[7].contains("open again"))
        #expect(!journal.text.contains("S3CR3T") && !journal.text.contains("for good"))
    }

    @Test("the copy of a secret stays hidden where that is set anew, and a copy that is written later is hidden, too")
    func rotated() throws {
        let journal = TemporaryJournal()
        var options = Recorder.Options()
        options.verifiesEncoding = true
        let problems = Log<String>()
        let recorder = try Recorder(journal.path, redact: Account.redactions, options: options) { error in
            problems.add("\(error)")
        }
        let store = Store(Account(), name: "account", recorder: recorder)
        store.commit { $0.label = "it was S3CR3T-token" }
        store.commit { $0.user.name = "S3CR3T-pin of ann" }
        store.commit { $0.token = "new-token" }
        store.commit { $0.user.pin = nil }
        store.commit { $0.count += 1 }
        store.commit { $0.token = "third-token" }
        store.commit { $0.label = "new-token is gone" }
        store.commit { $0.notes = ["nothing"] }
        recorder.close()
        #expect(problems.entries == [])
        #expect(!journal.text.contains("S3CR3T") && !journal.text.contains("new-token"))
        #expect(journal.text.contains("nothing"))
        try journal.verify()
    }

    @Test("a copy of a secret that is made as that is replaced is hidden, in each of 200 values")
    func manySecrets() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, redact: Account.redactions)
        let accounts = (0..<200).map { Account(token: "S3CR3T-\($0)-token", user: Account.User(name: "n", pin: nil)) }
        let store = Store(accounts, name: "accounts", recorder: recorder)
        for index in 0..<200 {
            store.commit { accounts in
                accounts[index].label = "it was \(accounts[index].token)"
                accounts[index].token = "S3CR3T-\(index)-later"
            }
        }
        recorder.close()
        #expect(!journal.text.contains("S3CR3T"))
        try journal.verify()
    }
}
