import Foundation
import JSONCore
import JournalFormat
import Synchronization
import TestSupport
import Testing

@testable import EntityTables
@testable import StatePatterns
@testable import StoreCore

/// A type of which all is secret, that also serves as a key.
private struct AttackedPassword: RawRepresentable, Codable, Hashable, Sendable, RedactedState {
    var rawValue: String
    static var redacted: [Redaction] { [.path("")] }
}

/// A key of which a part is secret.
private struct AttackedBadge: Codable, Hashable, Sendable {
    var room = 1
    var code: String
}

private struct AttackedAccount: Codable, Hashable, Sendable, Identifiable {
    var id: String
    var name = "ann"
}

private struct AttackedToken: Codable, Hashable, Sendable, RedactedState {
    var text: String
    var uses = 1
    static var redacted: [Redaction] { [.keyPath(\AttackedToken.text).ifPresent] }
}

/// Encodes what it holds into its own container.
private struct AttackedErased: Encodable, Sendable {
    let value: any Encodable & Sendable
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

private struct AttackedTagged<Value: Encodable & Sendable>: Encodable, Sendable {
    enum CodingKeys: CodingKey { case value }
    let value: Value
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try value.encode(to: container.superEncoder(forKey: .value))
    }
}

/// Encodes under names that its key path does not find.
private struct AttackedOdd: Encodable, Equatable, Sendable {
    var token: String
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(["t": token + "!"])
    }
}

/// Writes its token under two names, and once inside of another text.
private struct AttackedLegacy: Encodable, Sendable {
    var token: String
    enum CodingKeys: String, CodingKey { case token, legacy, header, inner }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(token, forKey: .token)
        try container.encode(token, forKey: .legacy)
        try container.encode("Bearer \(token)", forKey: .header)
        var inner = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
        try inner.encode(token, forKey: .legacy)
    }
}

private enum AttackedPlace: Encodable, Sendable {
    case nowhere
    case at(AttackedAccount, floor: Int)
}

private struct AttackedWorld: Encodable, Sendable {
    var password: AttackedPassword?
    var passwords: [AttackedPassword] = []
    var byPassword: [AttackedPassword: Int] = [:]
    var byBadge: [AttackedBadge: Int] = [:]
    var passwordSet: Set<AttackedPassword> = []
    var deep: AttackedAccount??
    var optionals: [AttackedAccount?] = []
    var badges: Set<AttackedBadge> = []
    var place = AttackedPlace.nowhere
    var legacy: AttackedLegacy?
    var accounts = EntityTable<AttackedAccount>()
    var accountsByID: [String: AttackedAccount] = [:]
    var tokens: [AttackedToken] = []
    var tokenTable: [String: [AttackedToken?]] = [:]
    var erased: [AttackedErased] = []
    var tagged: AttackedTagged<AttackedToken>?
    var odd: [String: AttackedOdd] = [:]
    var load = LoadingState<[AttackedToken]>.loading(content: nil)
    var count = 0
}

private enum AttackedAct: Encodable, Sendable {
    case enter(String)
    case token(AttackedToken)
    case erased(AttackedErased)
    case named(who: AttackedAccount, [String: AttackedPassword])
}

private struct AttackedQuote: Error, CustomStringConvertible { let description: String }

/// How a text may stand in a file.
private func forms(of secret: String) -> [String] {
    let base64 = (0..<3).map { shift in
        String(
            Data(Array(repeating: 0, count: shift) + Array(secret.utf8)).base64EncodedString().dropFirst(4).dropLast(4))
    }
    return base64 + [
        secret, String(secret.reversed()),
        secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret,
        secret.utf8.map { String($0, radix: 16) }.joined(),
        String(JSONValue.string(secret).text().dropFirst().dropLast()),
    ]
}

/// What tries to get a secret past a recorder.
struct SecretAttackTests {
    private static let redactions: [Redaction] = [
        .keyPath(\AttackedBadge.code).ifPresent, .keyPath(\AttackedAccount.id).ifPresent,
        .keyPath(\AttackedOdd.token).ifPresent, .keyPath(\AttackedLegacy.token).ifPresent,
        .path("/s/odd").ifPresent,
    ]

    private static let changes: [(String, @Sendable (inout AttackedWorld, String) -> Void)] = [
        ("a value of which all is secret", { $0.password = AttackedPassword(rawValue: $1) }),
        ("a list of such", { $0.passwords.insert(AttackedPassword(rawValue: $1), at: 0) }),
        ("keys of which all is secret", { $0.byPassword[AttackedPassword(rawValue: $1)] = 1 }),
        ("keys of which a part is secret", { $0.byBadge[AttackedBadge(code: $1)] = 2 }),
        ("a set", { $0.passwordSet.insert(AttackedPassword(rawValue: $1)) }),
        ("an optional of an optional", { $0.deep = .some(.some(AttackedAccount(id: $1))) }),
        ("a list of optionals", { $0.optionals = [nil, AttackedAccount(id: $1)] + $0.optionals.reversed() }),
        (
            "a set of what is secret in part",
            { $0.badges = [AttackedBadge(code: $1), AttackedBadge(room: 2, code: "-")] }
        ),
        ("the payload of an enum", { $0.place = .at(AttackedAccount(id: $1), floor: 1) }),
        ("a second member with the same text", { $0.legacy = AttackedLegacy(token: $1) }),
        ("a table by a secret identity", { $0.accounts.upsert(AttackedAccount(id: $1)) }),
        ("a dictionary by a secret identity", { $0.accountsByID[$1] = AttackedAccount(id: $1) }),
        ("a list of what says so itself", { $0.tokens.append(AttackedToken(text: $1)) }),
        ("deep in collections", { $0.tokenTable["a", default: []].append(AttackedToken(text: $1)) }),
        (
            "a value that is encoded into another's container",
            { $0.erased.append(AttackedErased(value: AttackedToken(text: $1))) }
        ),
        ("a value in another's encoder", { $0.tagged = AttackedTagged(value: AttackedToken(text: $1)) }),
        ("a key of what is hidden", { $0.odd[$1] = AttackedOdd(token: $1) }),
        ("an error that quotes it", { $0.load = .failed(error: LoadingError(AttackedQuote(description: $1))) }),
        (
            "a removal",
            { world, _ in
                (world.deep, world.place, world.legacy) = (nil, .nowhere, nil)
                world.byPassword = [:]
                world.accounts = EntityTable()
                world.accountsByID = [:]
                world.tokens = []
            }
        ),
    ]

    static var cases: [String] { changes.map(\.0) }

    @Test("no secret passes a recorder, whatever holds it", arguments: cases)
    func alone(name: String) throws {
        let change = try #require(Self.changes.first { $0.0 == name }).1
        try attack([(name, change), (name, change)], seed: 1, durability: .synchronous)
    }

    @Test("no secret passes a recorder in any mixture of these", arguments: seeds(0..<8))
    func mixed(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let changes = (0..<30).compactMap { _ in Self.changes.randomElement(using: &generator) }
        try attack(changes, seed: seed, durability: seed % 2 == 0 ? .synchronous : .background, limit: seed % 4 == 3)
    }

    private func attack(
        _ changes: [(String, @Sendable (inout AttackedWorld, String) -> Void)], seed: Int,
        durability: Recorder.Durability,
        limit: Bool = false
    ) throws {
        let folder = TemporaryFolder()
        let reports = Log<String>()
        let recorder = try Recorder(
            folder.path("run.jsonl"), durability: durability, redact: Self.redactions, limit: limit ? 64 << 10 : nil,
            options: .reproducible
        ) { reports.add("\($0) \($0.diagnostic)") }
        let store = Store(AttackedWorld(), name: "s", recorder: recorder)
        let whole = store.derived(\.accountsByID, named: "whole") { "\($0)" }
        let links = [whole.subscribe { _ in }]
        let patches = Log<String>()
        let link = store.subscribe(initially: false) { patches.add((try? $0.patch?.json) ?? "-") }
        var secrets: [String] = []
        for (step, (name, change)) in changes.enumerated() {
            let secret = "s3cr\"t/~\(seed)-\(step)-TOKEN"
            secrets.append(secret)
            // Before the state has it.
            try? store.commit { _ throws(AttackedQuote) in throw AttackedQuote(description: secret) }
            // A text that no state ever has is nothing that a recorder can know.
            let isInState = name != "a removal" && name != "an error that quotes it"
            let act: AttackedAct =
                switch step % 4 {
                case 0 where isInState: .enter(secret)
                case 0: .token(AttackedToken(text: secret))
                case 1: .token(AttackedToken(text: secret))
                case 2: .erased(AttackedErased(value: AttackedToken(text: secret)))
                default: .named(who: AttackedAccount(id: secret), ["a": AttackedPassword(rawValue: secret)])
                }
            store.commit(CommitAction(of: act)) { change(&$0, secret) }
            store.commit { $0.count += 1 }
        }
        var dumped = ""
        for item in [store, recorder, whole, link] as [Any] {
            dump(item, to: &dumped)
            dumped += String(reflecting: item)
        }
        recorder.close()
        links.forEach { $0.cancel() }
        link.cancel()
        var texts = [reports.entries.joined(), dumped, patches.entries.joined()]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path("")) {
            texts.append(try String(contentsOfFile: folder.path(file), encoding: .utf8))
        }
        #expect(texts.count > 3)
        for secret in secrets {
            for form in forms(of: secret) {
                for (index, text) in texts.enumerated() {
                    #expect(!text.contains(form), "\(secret) in \(index): \(text.excerpt(around: form))")
                }
            }
        }
    }

    @Test("a key path of an optional names the property of what it holds")
    func optionalRoot() throws {
        let (journal, secret) = (TemporaryJournal(), "s3cr3t-TOKEN")
        let recorder = try Recorder(journal.path, redact: [.keyPath(\AttackedAccount?.?.name)], options: .reproducible)
        { _ in }
        let store = Store(AttackedWorld(), name: "s", recorder: recorder)
        store.commit { $0.accounts.upsert(AttackedAccount(id: "1", name: secret)) }
        recorder.close()
        #expect(!journal.text.contains(secret))
    }

    @Test("a type that says itself what is secret is not missed where no value of it came")
    func neverMet() throws {
        let (journal, reports) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(journal.path, options: .reproducible) { reports.add("\($0)") }
        let store = Store(AttackedWorld(), name: "s", recorder: recorder)
        store.commit { $0.count = 1 }
        recorder.close()
        #expect(reports.entries == [])
    }
}

extension String {
    fileprivate func excerpt(around text: String) -> Substring {
        guard let range = range(of: text) else { return "" }
        let start = index(range.lowerBound, offsetBy: -120, limitedBy: startIndex) ?? startIndex
        return self[start..<(index(range.upperBound, offsetBy: 20, limitedBy: endIndex) ?? endIndex)]
    }
}
