import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import Testing
import TimeTravel

@testable import EntityTables
@testable import StatePatterns
@testable import StoreCore

/// What has secrets in many places.
struct Account: Codable, Equatable, Sendable {
    struct User: Codable, Equatable, Sendable, Identifiable {
        var id: Int
        var name: String
        var password: String
    }
    struct Profile: Codable, Equatable, Sendable {
        var mail = ""
        var phone = "-"
    }
    var token = "S3CR3T-start"
    var users: [User] = []
    var profile: Profile?
    var visits = 0
}

struct RedactionTests {
    /// The journal of a run with an account, redacted as asked.
    private func journal(
        _ redact: [Redaction], options: Recorder.Options = .reproducible,
        onError: (@Sendable (RecorderError) -> Void)? = nil, _ run: (Store<Account>, Recorder) throws -> Void
    ) throws -> TemporaryJournal {
        let (journal, recorder) = try TemporaryJournal.recording(redact: redact, options: options, onError: onError)
        let store = Store(Account(), recorder: recorder)
        try run(store, recorder)
        recorder.close()
        try journal.verify()
        _ = try journal.replayed()
        withExtendedLifetime(store) {}
        return journal
    }

    @Test(
        "a value at a redacted path is a hash, in the state and on both sides of a change, and tells whether it changed"
    )
    func path() throws {
        let journal = try journal(["/account/token"]) { store, _ in
            store.commit { $0.token = "S3CR3T-next" }
            store.commit { $0.visits = 1 }
            store.commit { $0.token = "S3CR3T-start" }
        }
        #expect(!journal.text.contains("S3CR3T"))
        let state = try #require(try journal.records("store").first?["state"]?.member("token"))
        let patches = try journal.records("commit").map { try #require($0["patch"]?.elements) }
        #expect(patches.map(\.count) == [1, 1, 1])
        #expect(patches[0][0].member("old") == state)
        #expect(patches[0][0].member("value") != state)
        #expect(patches[1][0].member("path") == .string("/visits"))
        #expect(patches[2][0].member("value") == state)
        #expect(state.text().hasPrefix(#"{"$redacted":""#) && state.text().utf8.count == 32)
    }

    @Test("a patch of a commit that is not in the journal is redacted and limited as the journal is")
    func unkeptPatch() throws {
        let (isFull, patches) = (Flag(), Log<String>())
        let calls = SystemCalls.full(while: isFull)
        var options = Recorder.Options.reproducible
        options.valueLimit = 100
        let journal = TemporaryJournal()
        let recorder = try Recorder(
            journal.path, redact: ["/account/token", .keyPath(\Account.profile)], options: options, calls: calls
        ) { _ in }
        let store = Store(Account(), recorder: recorder)
        let link = store.subscribe(initially: false) { patches.add((try? $0.patch?.json) ?? "-") }
        let change: @Sendable (inout Account) -> Void = { account in
            account.token += "+"
            account.profile = Account.Profile(mail: "S3CR3T-\(account.token.count)")
            account.users = [
                Account.User(id: account.token.count, name: String(repeating: "n", count: 200), password: "")
            ]
        }
        store.commit(change)
        isFull.value = true
        store.commit(change)
        isFull.value = false
        recorder.close()
        store.commit(change)
        #expect(patches.entries.count == 3)
        for patch in patches.entries {
            #expect(!patch.contains("S3CR3T") && !patch.contains("nnn"), "\(patch)")
            #expect(patch.components(of: "$redacted") >= 3 && patch.contains("$omitted"), "\(patch)")
        }
        // Equal values have equal hashes, wherever the patch was made.
        let tokens = try patches.entries.map { patch in
            try #require(try JSONParser.parse(patch).elements?.first { $0.member("path") == .string("/token") })
        }
        #expect(
            tokens[1].member("old") == tokens[0].member("value") && tokens[2].member("old") == tokens[1].member("value")
        )
        link.cancel()
    }

    @Test(
        "a pattern reaches elements, members of any depth, and whole parts, added ones too",
        arguments: [
            ["/account/users/*/password"], ["/account/users/0/password"], ["/**/password"], ["/account/users"],
            ["/*/users/*"], ["/account"], [""], ["/account/**"],
        ] as [[Redaction]])
    func patterns(redact: [Redaction]) throws {
        let journal = try journal(redact + ["/account/token"]) { store, _ in
            store.commit { $0.users = [.init(id: 1, name: "Ann", password: "S3CR3T-1")] }
            store.commit { $0.users.insert(.init(id: 2, name: "Bea", password: "S3CR3T-2"), at: 0) }
            store.commit { $0.users[1].password = "S3CR3T-3" }
            store.commit { $0.users.swapAt(0, 1) }
            store.commit { $0.users.removeLast() }
        }
        #expect(!journal.text.contains("S3CR3T"))
        #expect(try journal.records("commit").allSatisfy { $0["patch"] != .array([]) })
    }

    @Test("where a redacted property cannot be found the whole state is redacted, and the handler is told")
    func lostProperty() throws {
        let errors = Log<String>()
        let journal = try journal(
            [.keyPath(\Account.secretLength)], onError: { errors.add($0.diagnostic.message) }
        ) { store, _ in store.commit { $0.visits = 1 } }
        #expect(!journal.text.contains("S3CR3T") && !journal.text.contains("visits"))
        #expect(errors.entries.count == 1 && errors.entries[0].contains("whole state is redacted"))
    }

    @Test("a second live store of a name is redacted as the first")
    func secondStore() throws {
        let journal = try journal(["/account/token"]) { _, recorder in
            let second = Store(Account(), recorder: recorder)
            second.commit { $0.token = "S3CR3T-second" }
            #expect(second.name == "account_2")
        }
        #expect(!journal.text.contains("S3CR3T"))
    }

    @Test("the outcome of a derived value that reads something redacted, below or above it has a hash for a value")
    func outcomes() throws {
        let journal = try journal(["/account/users/*/password", "/account/token"]) { store, _ in
            let above = store.derived(\.users, named: "above") { $0.map(\.password).joined() }
            let equal = store.derived(\.token, named: "equal") { "got \($0)" }
            let chained = store.derived(\.secretLength, named: "unknown") { "S3CR3T of \($0)" }
            let open = store.derived(\.visits, named: "open") { "\($0) visits" }
            let subscriptions = [
                above.subscribe { _ in }, equal.subscribe { _ in }, chained.subscribe { _ in },
                open.subscribe { _ in },
            ]
            store.commit { account in
                account.users = [.init(id: 1, name: "Ann", password: "S3CR3T-1")]
                account.token = "S3CR3T-of the day"
                account.visits = 3
            }
            subscriptions.forEach { $0.cancel() }
        }
        #expect(!journal.text.contains("S3CR3T"))
        let outcome = try #require(try journal.records("outcome").first?["derived"]?.elements)
        #expect(outcome.count { $0.member("value")?.text().hasPrefix(#"{"$redacted":"#) ?? false } == 3)
        #expect(outcome.last?.member("value") == .string("3 visits"))
    }

    @Test("patches of a derived value that reads something redacted, and of a model in the store, say nothing of it")
    func otherPatches() throws {
        struct Pin: ObservedModel, Codable {
            var id: Int
            var secret: String
            var title: String
        }
        let (journal, patches) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(
            journal.path, redact: ["/account/users/*/password", "/models/Pin/*/secret"], options: .reproducible)
        let store = Store(Account(), recorder: recorder)
        let models = ModelObserver(recorder: recorder)
        let note: @Sendable (StatePatch?) -> Void = { patch in if let patch { patches.add(patch.json) } }
        let links = [
            store.derived(\.users, named: "secret") { $0 }.subscribe { note(try? $0.patch) },
            store.derived(\.visits, named: "open") { ["visits": $0] }.subscribe { note(try? $0.patch) },
            models.add(Pin(id: 1, secret: "S3CR3T-a", title: "a")) { note(try? $0.patch) },
        ]
        store.commit { $0.users = [.init(id: 1, name: "Ann", password: "S3CR3T-1")] }
        store.commit { $0.visits = 3 }
        models.update(Pin(id: 1, secret: "S3CR3T-b", title: "b"))
        recorder.close()
        #expect(patches.entries.count == 3 && !patches.entries.joined().contains("S3CR3T"), "\(patches.entries)")
        #expect(patches.entries[0].components(of: "$redacted") == 2 && patches.entries[0].contains(#""path":"""#))
        #expect(patches.entries[1] == #"[{"op":"replace","path":"/visits","value":3,"old":0}]"#)
        #expect(patches.entries[2].contains(#"{"op":"replace","path":"/title","value":"b","old":"a"}"#))
        #expect(patches.entries[2].components(of: "$redacted") == 2)
        links.forEach { $0.cancel() }
    }

    @Test("an action's payload hides members of a redacted name, and scalars that say what the commit's patch hides")
    func payloads() throws {
        struct Payload: Encodable, Sendable {
            var token: String
            var nested: [[String: String]]
            var echo: String
            var plain: String
        }
        let journal = try journal(["/account/token", "/account/users/*/password"]) { store, _ in
            let payload = Payload(
                token: "S3CR3T-other", nested: [["password": "S3CR3T-deep"]], echo: "is S3CR3T-new now",
                plain: "visible")
            store.commit(CommitAction(type: "Login", payload: payload)) { $0.token = "S3CR3T-new" }
        }
        #expect(!journal.text.contains("S3CR3T"))
        let action = try #require(try journal.records("commit").first?["action"])
        #expect(action.member("payload")?.member("plain") == .string("visible"))
        let token = try #require(action.member("payload")?.member("token"))
        #expect(token.text().hasPrefix(#"{"$redacted":"#))
    }

    @Test("an abort of a store with redactions tells the error's type only, one of another store all of it")
    func aborts() throws {
        struct Refused: Error { var token: String }
        let journal = try journal(["/account/token"]) { store, recorder in
            let other = Store(Cart(), recorder: recorder)
            #expect(throws: Refused.self) { try store.commit { throw Refused(token: $0.token) } }
            #expect(throws: Refused.self) { try other.commit { _ in throw Refused(token: "open") } }
        }
        #expect(!journal.text.contains("S3CR3T"))
        #expect(try journal.records("abort").map { try $0.text("error") } == ["Refused", #"Refused(token: "open")"#])
    }

    @Test("under one key the hashes of two runs compare, under random ones they do not")
    func keys() throws {
        func hash(_ key: [UInt8]?) throws -> JSONValue? {
            var options = Recorder.Options.reproducible
            options.redactionKey = key
            return try journal(["/account/token"], options: options) { _, _ in }.records("store").first?["state"]?
                .member("token")
        }
        let key = [UInt8](repeating: 7, count: 32)
        #expect(try hash(key) == hash(key))
        #expect(try hash(nil) != hash(nil))
    }

    @Test(
        "a secret has one hash, whoever writes it: a property, sets plain or not, a derived value, a payload",
        arguments: ["S3CR3T", "S3CR3T\u{7f}\u{80}", "S3CR3T\"\\\u{1}/é"])
    func oneHash(secret: String) throws {
        final class Owner: Hashable, Sendable {
            static func == (left: Owner, right: Owner) -> Bool { left === right }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        }
        /// Not plain, so that its set is encoded each time.
        struct Loose: Encodable, Hashable, Sendable {
            var text: String
            var owner = Owner()
            func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
        }
        struct State: Encodable, Sendable {
            var token = ""
            var plain: Set<String> = []
            var loose: Set<Loose> = []
            var count = 0
        }
        let journal = TemporaryJournal()
        let recorder = try Recorder(
            journal.path, redact: ["/state/token", "/state/plain/*", "/state/loose/*"], options: .reproducible)
        let store = Store(State(), name: "state", recorder: recorder)
        let echo = store.derived(\.token, named: "echo") { $0 }.subscribe { _ in }
        store.commit(CommitAction(type: "Set", payload: ["token": secret])) {
            ($0.token, $0.plain, $0.loose) = (secret, [secret], [Loose(text: secret)])
        }
        // The next patches are made from what was kept of the first.
        store.commit { $0.count = 1 }
        store.commit { ($0.token, $0.plain, $0.loose) = ("", [], []) }
        recorder.close()
        echo.cancel()
        try journal.verify()
        let state = try #require(try journal.replayed()[1]["state"])
        let hash = try #require(state.member("token"))
        #expect(state.member("plain") == .array([hash]) && state.member("loose") == .array([hash]))
        let outcome = try journal.records("outcome").first?["derived"]?.elements?.first
        #expect(outcome?.member("value") == hash)
        #expect(try journal.records("commit").first?["action"]?.member("payload")?.member("token") == hash)
        #expect(!journal.text.contains("S3CR3T"))
    }

    @Test("a redaction that never matched is reported and marked, with the number of commits, unless it need not match")
    func unmatched() throws {
        let (journal, reports) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(
            journal.path,
            redact: [
                "/account/nothing", "/t/token", "/account/profile", .path("/**/word").ifPresent,
                .keyPath(\Session.token),
            ], options: .reproducible
        ) { if case .unmatched(let text, let commits) = $0 { reports.add("\(text) \(commits)") } }
        let store = Store(Account(), recorder: recorder)
        store.commit { $0.visits = 1 }
        store.commit { $0.visits = 2 }
        recorder.close()
        #expect(Set(reports.entries) == ["/account/nothing 2", "/t/token 2", "\\Session.token 2"])
        let marks = try journal.records("mark").map { try $0.text("text") }
        #expect(marks.count == 3 && marks.allSatisfy { $0.contains("matched nothing in 2 commits") })
        try journal.verify()
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
            named.commit { $0.prices = ["a": ["pin": "S3CR3T"]] }
            let store = Store(Menu(), name: "s", recorder: recorder)
            // The payload's text is another one, so that it is hidden by its name alone.
            store.commit(CommitAction(of: Order(payload: [written: "T3RC3S"]))) {
                $0.prices = [written: [written: "S3CR3T"]]
            }
            recorder.close()
            #expect(!journal.text.contains("S3CR3T") && !journal.text.contains("T3RC3S"), "\(typed)")
        }
    }

    @Test("an error about a redacted dictionary names none of its keys")
    func errors() throws {
        struct Item: Encodable, Sendable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue("S3CR3T", .init(codingPath: [], debugDescription: "not S3CR3T"))
            }
        }
        struct Holder: Encodable, Sendable { var tokens: [String: Item] = [:] }
        let (journal, reports) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(journal.path, redact: ["/s/tokens"], options: .reproducible) {
            reports.add("\($0) \($0.diagnostic)")
        }
        let store = Store(Holder(), name: "s", recorder: recorder)
        store.commit { $0.tokens = ["S3CR3T": Item()] }
        recorder.close()
        #expect(reports.entries.count == 1 && !reports.entries.joined().contains("S3CR3T"))
        #expect(!journal.text.contains("S3CR3T"))
    }

    @Test("a pattern that is no path traps where it is written, and names it")
    func badPattern() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Redaction.path("session/token")
        }
        #expect(result.errors.contains("'session/token'"), "\(result.errors)")
    }
}

extension Store {
    /// A commit that answers an action.
    func commit(_ action: CommitAction, _ change: (inout State) -> Void) {
        let place = CommitLocation(file: "A/B.swift", line: 1, column: 1, function: "f()")
        perform(change, named: nil, action: action, at: place)
    }
}

extension Account {
    /// No stored property: a key path to it has no name that the encoder could find.
    var secretLength: Int { token.count }
}

extension JSONValue {
    var elements: [JSONValue]? { array }
}

extension TemporaryJournal {
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Holds the file against the format and its own replay.
    func verify(at path: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
        var problems: [String] = []
        _ = try Verification.run(Journal.open(path ?? self.path, access: .sequential)) {
            problems.append("\($0.code): \($0.message)")
        }
        #expect(problems.isEmpty, sourceLocation: sourceLocation)
    }
}
