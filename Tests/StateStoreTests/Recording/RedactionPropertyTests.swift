import Foundation
import JSONCore
import JournalFormat
import TestSupport
import Testing

@testable import StoreCore

/// A state with a place for a secret in each kind of container.
struct Vault: Encodable, Sendable {
    struct Entry: Encodable, Equatable, Sendable {
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
        switch below(12) {
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
        case 10: vault.payment = below(2) == 0 ? .cash : .card(number: secret(), owner: "o\(below(2))")
        default: vault.blob = Data(secret().utf8)
        }
        vault.count += 1
    }
}

struct RedactionPropertyTests {
    @Test(
        "whatever changes, no secret is in the journal, equal secrets have equal hashes, and every patch applies",
        arguments: [1, 2, 3, 4] as [UInt64])
    func anyState(seed: UInt64) throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, redact: Vault.redactions)
        let store = Store(Vault(), recorder: recorder)
        var changer = VaultChanger(seed: seed)
        var vaults: [Vault] = []
        for _ in 0..<250 {
            let secret = changer.secret()
            store.perform(
                { vault in
                    changer.change(&vault)
                    vault.token = secret
                }, named: nil, action: CommitAction(type: "Set", payload: ["password": secret, "why": "<\(secret)>"]),
                at: SourceLocation(file: "A/B.swift", line: 1, column: 1, function: "f()"))
            vaults.append(store.state)
        }
        recorder.close()
        let text = journal.text
        for secret in changer.planted {
            #expect(!text.contains(secret), "seed \(seed)")
            #expect(!text.contains(Data(secret.utf8).base64EncodedString()), "seed \(seed)")
        }
        // Ten digits each: fewer of them stand in some hash by chance now and then.
        for pin in Set(vaults.map(\.pin)) where pin != 0 { #expect(!text.contains("\(pin)"), "seed \(seed)") }
        #expect(text.contains(#""kind":"keyframe""#))
        try journal.verify()
        let states = try journal.replayed()
        #expect(states.count == vaults.count)
        var hashes: [String: String] = [:]
        for (state, vault) in zip(states, vaults) {
            let written = try #require(state["vault"])
            try note(written.member("token"), of: vault.token, in: &hashes)
            for (entry, secret) in zip(written.member("entries")?.elements ?? [], vault.entries.map(\.password)) {
                try note(entry.member("password"), of: secret, in: &hashes)
            }
            for (hash, secret) in zip(written.member("loose")?.elements ?? [], vault.loose) {
                try note(hash, of: secret, in: &hashes)
            }
        }
        #expect(Set(hashes.values).count == hashes.count)
    }

    private func note(_ hash: JSONValue?, of secret: String, in hashes: inout [String: String]) throws {
        let hash = try #require(hash).text()
        #expect(hash.hasPrefix(#"{"$redacted":"#))
        #expect(hashes.updateValue(hash, forKey: secret) ?? hash == hash)
    }
}
