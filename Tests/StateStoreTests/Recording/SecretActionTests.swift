import JSONCore
import JournalFormat
import StateStore
import TestSupport
import Testing

@testable import StoreCore

private enum Login: Codable, Equatable, Sendable {
    case submit(user: String, password: String)
    case code(String)
}

private enum LoginAction: Codable, Equatable, Sendable {
    case submit(user: String, password: String)
}

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
            store.perform(
                { $0 += 1 }, named: nil, action: CommitAction(of: action),
                at: SourceLocation(file: "A/B.swift", line: 1, column: 1, function: "f()"))
        }
        for background in [false, true] {
            let (journal, problems) = (TemporaryJournal(), Log<String>())
            let recorder = try Recorder(
                journal.path, durability: background ? .background() : .synchronous, redact: [redaction],
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
            store.perform(
                { $0 += 1 }, named: nil, action: CommitAction(of: action),
                at: SourceLocation(file: "A/B.swift", line: 1, column: 1, function: "f()"))
        }
        recorder.close()
        #expect(problems.entries == ["payload of Login.gone"])
        #expect(!journal.text.contains("S3CR3T"))
    }
}
