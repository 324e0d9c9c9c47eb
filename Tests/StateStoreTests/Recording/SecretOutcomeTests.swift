import JSONCore
import JournalFormat
import StateStore
import TestSupport
import Testing

@testable import StoreCore

/// A state that says itself what is secret.
private struct Safe: Codable, Equatable, Sendable, RedactedState {
    var token = "S3CR3T-0"
    static var redacted: [Redaction] { [.keyPath(\Safe.token)] }
}

/// One that holds such a value somewhere.
private struct House: Codable, Equatable, Sendable {
    var safes: [String: [Safe?]] = ["a": [Safe()]]
    var label = "S3CR3T-label"
}

/// One of which no type says anything.
private struct Plain: Codable, Equatable, Sendable { var token = "S3CR3T-0" }

/// The outcome of a derived value over stores that another recorder records, or none.
struct SecretOutcomeTests {
    /// The journal in which a derived value of a cart's and of another store is declared.
    private func journal<State: Codable & Equatable & Sendable>(
        _ initial: State, recordedBy other: Recorder? = nil, redact: [Redaction] = [],
        _ read: @escaping @Sendable (Store<State>) -> DerivedInput<String>,
        change: @escaping @Sendable (inout State) -> Void
    ) throws -> TemporaryJournal {
        let (journal, recorder) = try TemporaryJournal.recording(redact: redact, options: .reproducible) { _ in }
        let (safe, cart) = (Store(initial, name: "safe", recorder: other), Store(0, name: "cart", recorder: recorder))
        let label = Derived(read(safe), cart[\.self], named: "label") { "\($0) \($1)" }
        let chained = Derived(label, cart[\.self], named: "chained") { "\($0) \($1)" }
        let links = [label.subscribe { _ in }, chained.subscribe { _ in }]
        safe.commit(change)
        cart.commit { $0 = 1 }
        safe.commit(change)
        cart.commit { $0 = 2 }
        recorder.close()
        links.forEach { $0.cancel() }
        #expect(journal.text.contains(#""outcome":"fired""#))
        try journal.verify()
        return journal
    }

    @Test("is hashed where the type of an input's state says itself what is secret, whoever records that")
    func typeSaysIt() throws {
        let otherJournal = TemporaryJournal()
        let other = try Recorder(otherJournal.path, options: .reproducible) { _ in }
        for recorder in [nil, other] {
            for redact in [[], [Redaction.path("/x/y").ifPresent]] {
                let journal = try journal(Safe(), recordedBy: recorder, redact: redact) {
                    $0.input(\.token)
                } change: {
                    $0.token += "1"
                }
                #expect(!journal.text.contains("S3CR3T"))
            }
        }
    }

    @Test("also where only a part of the state says it, and the value reads another part")
    func partSaysIt() throws {
        let journal = try journal(House()) {
            $0.input(\.label)
        } change: {
            $0.label += "1"
        }
        #expect(!journal.text.contains("S3CR3T"))
    }

    @Test("also where the recorder of the other store was asked for it, as a path or as a key path")
    func recorderSaysIt() throws {
        for redaction in ["/safe/token", .keyPath(\Plain.token)] as [Redaction] {
            let otherJournal = TemporaryJournal()
            let other = try Recorder(otherJournal.path, redact: [redaction], options: .reproducible) { _ in }
            let journal = try journal(Plain(), recordedBy: other) {
                $0.input(\.token)
            } change: {
                $0.token += "1"
            }
            #expect(!journal.text.contains("S3CR3T"))
        }
    }

    @Test("is in clear where nothing is redacted by any of them")
    func clear() throws {
        let otherJournal = TemporaryJournal()
        let other = try Recorder(otherJournal.path, options: .reproducible) { _ in }
        for recorder in [nil, other] {
            let journal = try journal(Plain(), recordedBy: recorder) {
                $0.input(\.token)
            } change: {
                $0.token += "1"
            }
            #expect(journal.text.contains("S3CR3T-01 1"))
        }
    }

    @Test("is hashed where an atom says itself what is secret")
    func atoms() throws {
        let (journal, recorder) = try TemporaryJournal.recording(options: .reproducible) { _ in }
        let cart = Store(0, name: "cart", recorder: recorder)
        let atom = Atom(Safe(), name: "safe", recorder: nil)
        let label = Derived(atom, cart[\.self], named: "label") { "\($0.token) \($1)" }
        let link = label.subscribe { _ in }
        atom.update { $0.token += "1" }
        cart.commit { $0 = 1 }
        recorder.close()
        link.cancel()
        #expect(!journal.text.contains("S3CR3T") && journal.text.contains(#""outcome":"fired""#))
    }
}

private enum Login: Codable, Equatable, Sendable {
    case submit(user: String, password: String)
    case code(String)
}

private enum LoginAction: Codable, Equatable, Sendable { case submit(user: String, password: String) }

private struct Form {
    enum Action: Codable, Equatable, Sendable { case submit(user: String, password: String) }
}

private struct Root {
    enum Action: Codable, Equatable, Sendable { case form(Form.Action) }
}

private enum AppAction: Codable, Equatable, Sendable {
    case login(Login)
    case loginAction(LoginAction)
    case many([Login])
    case maybe(Login?)
    case named([String: Login], count: Int)
    case wrapped(Wrapper)
    indirect case again(AppAction)
}

private struct Wrapper: Codable, Equatable, Sendable {
    var login: Login
    var note = "open"
}

/// What the case of an action carries is hidden by the case's own type, wherever an action holds it.
struct SecretActionTests {
    private static let submit = Login.submit(user: "ann", password: "S3CR3T")

    /// An action, a redaction, and whether what is beside the password stays in clear.
    private static let rows: [(String, any Codable & Equatable & Sendable, Redaction, Bool)] = [
        ("at the top", submit, .payload("Login.submit", label: "password"), true),
        ("pulled back", AppAction.login(submit), .payload("Login.submit", label: "password"), true),
        (
            "pulled back, by its joined name", AppAction.login(submit),
            .payload("AppAction.login.submit", label: "password"), false
        ),
        (
            "of a child's action type", AppAction.loginAction(.submit(user: "ann", password: "S3CR3T")),
            .payload("LoginAction.submit", label: "password"), true
        ),
        (
            "of such, by its joined name", AppAction.loginAction(.submit(user: "ann", password: "S3CR3T")),
            .payload("AppAction.loginAction.submit", label: "password"), false
        ),
        (
            "of a nested type", Root.Action.form(.submit(user: "ann", password: "S3CR3T")),
            .payload("Form.Action.submit", label: "password"), true
        ),
        (
            "of a nested type, by its joined name", Root.Action.form(.submit(user: "ann", password: "S3CR3T")),
            .payload("Root.Action.form.submit", label: "password"), false
        ),
        ("in a list", AppAction.many([.code("1"), submit]), .payload("Login.submit", label: "password"), true),
        ("in an optional", AppAction.maybe(submit), .payload("Login.submit", at: 1), true),
        (
            "in a dictionary", AppAction.named(["a": submit], count: 1), .payload("Login.submit", label: "password"),
            true
        ),
        ("in a value", AppAction.wrapped(Wrapper(login: submit)), .payload("Login.submit", label: "password"), true),
        (
            "in an indirect case", AppAction.again(.again(.login(submit))), .payload("Login.submit", label: "password"),
            true
        ),
        ("all that a case carries", AppAction.many([.code("S3CR3T")]), .payload("Login.code"), false),
        ("at a position that is not there", AppAction.login(submit), .payload("Login.submit", at: 7), false),
        ("under a label that is not there", AppAction.login(submit), .payload("Login.submit", label: "word"), false),
    ]

    @Test("in every form that an action has", arguments: rows.map(\.0))
    func everyForm(name: String) throws {
        let (_, action, redaction, isBesideClear) = try #require(Self.rows.first { $0.0 == name })
        func commit<Action: Codable & Equatable & Sendable>(_ action: Action, to store: Store<Int>) {
            store.commit(CommitAction(of: action)) { $0 += 1 }
        }
        for background in [false, true] {
            let (journal, problems) = (TemporaryJournal(), Log<String>())
            let recorder = try Recorder(
                journal.path, durability: background ? .background : .synchronous, redact: [redaction],
                options: .reproducible
            ) { problems.add("\($0)") }
            let store = Store(0, name: "count", recorder: recorder)
            commit(action, to: store)
            recorder.close()
            #expect(!journal.text.contains("S3CR3T") && journal.text.contains("$redacted"))
            #expect(journal.text.contains("ann") == isBesideClear)
            #expect(problems.entries == [])
        }
    }

    @Test("a case that never came is reported, also where another of its type did")
    func unmatched() throws {
        let (journal, problems) = (TemporaryJournal(), Log<String>())
        let recorder = try Recorder(
            journal.path, redact: [.payload("Login.gone"), .payload("Login.submit", label: "password")],
            options: .reproducible
        ) { if case .unmatched(let text, _) = $0 { problems.add(text) } }
        let store = Store(0, name: "count", recorder: recorder)
        for action in [AppAction.login(Self.submit), .many([Self.submit]), .login(.code("1"))] {
            store.commit(CommitAction(of: action)) { $0 += 1 }
        }
        recorder.close()
        #expect(problems.entries == ["payload of Login.gone"])
        #expect(!journal.text.contains("S3CR3T"))
    }
}
