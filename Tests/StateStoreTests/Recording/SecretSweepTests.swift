import JSONCore
import JournalFormat
import TestSupport
import Testing

@testable import EntityTables
@testable import StatePatterns
@testable import StoreCore

private let secret = "s3cr3t-TOKEN"

private struct SweptPerson: Encodable, Equatable, Hashable, Sendable, Identifiable {
    var id = 1
    var name = "ann"
    var token = secret
    enum CodingKeys: String, CodingKey {
        case id
        case name
        case token = "access_token"
    }
}

/// Writes its token under two names, and once inside of another text.
private struct SweptLegacy: Encodable, Equatable, Sendable {
    var token = secret
    var note = "-"
    enum CodingKeys: String, CodingKey { case token, legacy, header, inner, note }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(token, forKey: .token)
        try container.encode(token, forKey: .legacy)
        try container.encode("Bearer \(token)", forKey: .header)
        var inner = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
        try inner.encode(token, forKey: .legacy)
        try container.encode(note, forKey: .note)
    }
}

private struct SweptVault: Encodable, Equatable, Sendable, RedactedState {
    var pin = secret
    var label = "open"
    static var redacted: [Redaction] { [.keyPath(\SweptVault.pin)] }
}

private enum SweptPlace: Encodable, Equatable, Sendable {
    case nowhere
    case at(SweptPerson, floor: Int)
}

private struct SweptWorld: Encodable, Equatable, Sendable {
    var person: SweptPerson?
    var deep: SweptPerson??
    var list: [SweptPerson] = []
    var optionals: [SweptPerson?] = []
    var table: [String: SweptPerson] = [:]
    var set: Set<SweptPerson> = []
    var entities = EntityTable<SweptPerson>()
    var place = SweptPlace.nowhere
    var legacy: SweptLegacy?
    var vault: SweptVault?
    var vaults: [SweptVault] = []
    var count = 0
}

private struct SweptRefused: Error {}

struct SecretSweepTests {
    /// A scenario: what the app does with its state.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let testDescription: String
        fileprivate let change: @Sendable (inout SweptWorld) -> Void

        fileprivate init(_ name: String, _ change: @escaping @Sendable (inout SweptWorld) -> Void) {
            testDescription = name
            self.change = change
        }
    }

    static let scenarios = [
        Scenario("an optional") { $0.person = SweptPerson() },
        Scenario("an optional of an optional") { $0.deep = .some(.some(SweptPerson())) },
        Scenario("an array, moved") { $0.list = [SweptPerson(id: 2), SweptPerson(), SweptPerson(id: 3)] },
        Scenario("an array of optionals") { $0.optionals = [nil, SweptPerson()] },
        Scenario("a dictionary") { $0.table = ["a": SweptPerson()] },
        Scenario("a set") { $0.set = [SweptPerson(), SweptPerson(id: 2)] },
        Scenario("an entity table") { $0.entities.upsert(SweptPerson()) },
        Scenario("the payload of an enum") { $0.place = .at(SweptPerson(), floor: 1) },
        Scenario("a second member with the same text") { $0.legacy = SweptLegacy() },
        Scenario("a type that says it itself") { $0.vault = SweptVault() },
        Scenario("an array of such") { $0.vaults = [SweptVault(), SweptVault(pin: secret + "2")] },
    ]

    @Test("no secret is in a journal, in a report or in a dump, wherever a value holds it", arguments: scenarios)
    func everywhere(scenario: Scenario) throws {
        let (journal, reports) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(
            journal.path, redact: [.keyPath(\SweptPerson.token).ifPresent, .keyPath(\SweptLegacy.token).ifPresent],
            options: .reproducible
        ) { reports.add("\($0) \($0.diagnostic)") }
        let store = Store(SweptWorld(), name: "s", recorder: recorder)
        let whole = store.derived("whole", \.self) { "\($0)" }
        let token = store.derived("token", \.person) { $0.map { String($0.token.reversed()) } }
        let links = [whole.subscribe { _ in }, token.subscribe { _ in }]
        let patches = Log<String>()
        let link = store.subscribe(initially: false) { patches.add((try? $0.patch?.json) ?? "-") }
        store.commit(scenario.change)
        store.commit { $0.count = 1 }
        store.commit { world in
            world.list.reverse()
            world.list.first.map { _ in world.list[0].name = "bea" }
            world.person?.name = "bea"
            world.legacy?.note = "+"
            world.vault?.label = "shut"
            world.place = .nowhere
        }
        store.commit { world in
            world = SweptWorld(count: 5)
        }
        store.commit(scenario.change)
        #expect(throws: SweptRefused.self) { try store.commit { _ throws(SweptRefused) in throw SweptRefused() } }
        var dumped = ""
        dump(store, to: &dumped)
        dump(recorder, to: &dumped)
        dump(whole, to: &dumped)
        recorder.close()
        links.forEach { $0.cancel() }
        link.cancel()
        let reversed = String(secret.reversed())
        for text in [journal.text, reports.entries.joined(), dumped, patches.entries.joined()] {
            #expect(!text.contains(secret) && !text.contains(reversed))
        }
        #expect(journal.text.contains("$redacted"))
        #expect(reports.entries == [])
        try journal.verify()
        _ = try journal.replayed()
    }

    @Test("a redaction that never matched is reported and marked, with the number of commits, unless it need not match")
    func unmatched() throws {
        let (journal, reports) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(
            journal.path,
            redact: [
                "/s/nothing", "/t/token", "/s/vault", .path("/**/password").ifPresent, .keyPath(\SweptLegacy.token),
            ], options: .reproducible
        ) { if case .unmatched(let text, let commits) = $0 { reports.add("\(text) \(commits)") } }
        let store = Store(SweptWorld(), name: "s", recorder: recorder)
        store.commit { $0.count = 1 }
        store.commit { $0.count = 2 }
        recorder.close()
        #expect(Set(reports.entries) == ["/s/nothing 2", "/t/token 2", "\\SweptLegacy.token 2"])
        let marks = try journal.records("mark").map { try $0.text("text") }
        #expect(marks.count == 3 && marks.allSatisfy { $0.contains("matched nothing in 2 commits") })
        try journal.verify()
    }

    @Test("a path hides a key in either form of Unicode")
    func forms() throws {
        struct Menu: Encodable, Sendable { var prices: [String: String] = [:] }
        let journal = TemporaryJournal()
        let recorder = try Recorder(
            journal.path, redact: [.path("/s/prices/cafe\u{301}"), .path("/s/prices/th\u{e9}")], options: .reproducible
        ) { _ in }
        let store = Store(Menu(), name: "s", recorder: recorder)
        store.commit { $0.prices = ["caf\u{e9}": secret, "the\u{301}": secret] }
        recorder.close()
        #expect(!journal.text.contains(secret))
    }

    @Test("a path hides a store, a member on its way and a member of a payload in either form of Unicode")
    func formsElsewhere() throws {
        struct Menu: Encodable, Sendable { var prices: [String: [String: String]] = [:] }
        struct Order: Encodable, Sendable { let payload: [String: String] }
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        for (typed, written) in [(composed, decomposed), (decomposed, composed), ("Key", "\u{212A}ey")] {
            let journal = TemporaryJournal()
            let recorder = try Recorder(
                journal.path, redact: [.path("/\(typed)/prices/*/pin"), .path("/s/prices/\(typed)/\(typed)")],
                options: .reproducible
            ) { _ in }
            let named = Store(Menu(), name: written, recorder: recorder)
            named.commit { $0.prices = ["a": ["pin": secret]] }
            let store = Store(Menu(), name: "s", recorder: recorder)
            // The payload's text is another one, so that it is hidden by its name alone.
            store.perform(
                { $0.prices = [written: [written: secret]] }, named: nil,
                action: CommitAction(of: Order(payload: [written: "\(secret.reversed().map { "\($0)" }.joined())"])),
                at: SourceLocation(file: "A/B.swift", line: 1, column: 1, function: "f()"))
            recorder.close()
            #expect(!journal.text.contains(secret) && !journal.text.contains(String(secret.reversed())), "\(typed)")
        }
    }

    @Test("an error about a redacted dictionary names none of its keys")
    func errors() throws {
        struct Item: Encodable, Sendable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(secret, .init(codingPath: [], debugDescription: "not \(secret)"))
            }
        }
        struct Holder: Encodable, Sendable { var tokens: [String: Item] = [:] }
        let (journal, reports) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(journal.path, redact: ["/s/tokens"], options: .reproducible) {
            reports.add("\($0) \($0.diagnostic)")
        }
        let store = Store(Holder(), name: "s", recorder: recorder)
        store.commit { $0.tokens = [secret: Item()] }
        recorder.close()
        #expect(reports.entries.count == 1 && !reports.entries.joined().contains(secret))
        #expect(!journal.text.contains(secret))
    }
}
