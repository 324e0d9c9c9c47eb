import JournalFormat
import StateStore
import StateStoreTesting
import TestSupport
import Testing

private struct CartState: Encodable, Equatable {
    var items: [String] = []
}

private struct SessionState: Encodable, Equatable {
    var token = "token-of-before"
    var mail = "ann@example.org"
    var picture = ""
}

private struct User: Encodable, Equatable {
    struct Card: Encodable, Equatable { var number = "card-4929" }
    var name = "ann"
    var token = "token-of-ann"
    var cards = [Card()]
}

extension User: RedactedState {
    static var redacted: [Redaction] { [.keyPath(\User.token), "/cards/*/number"] }
}

private enum Login: Codable, Equatable { case submit(user: String, password: String), code(String) }

/// The code of the pages on recorders.
struct RecordingExamples {
    private let folder = TemporaryFolder()

    /// The lines of the one journal in the folder.
    private var lines: [String] { folder.names.first.map { TemporaryFolder.lines(folder.path($0)) } ?? [] }

    @Test("stores find the recorder of their task, and its name has the time and the process")
    func recording() throws {
        let folder = folder.path
        let recorder = try Recorder(folder + "/shop-%t-%p.jsonl", labels: ["branch": "main"])
        Recorder.$current.withValue(recorder) {
            let cart = Store(CartState(), name: "cart")
            cart.commit { $0.items.append("apple") }
            recorder.mark("tapped Buy", level: .info)
        }
        recorder.close()
        #expect(lines.count == 6 && lines[0].contains(#""labels":{"branch":"main"}"#))
        #expect(lines[3].contains("tapped Buy"))
    }

    @Test("an event carries a payload")
    func events() throws {
        let recorder = try Recorder(folder.path("run.jsonl"))
        recorder.mark("request ended", ["status": 200, "bytes": 1_402])
        recorder.close()
        #expect(lines[1].contains(#""payload":{"bytes":1402,"status":200}"#))
    }

    @Test("a recorder in the background writes what it has when it is closed")
    func background() throws {
        let path = folder.path("run.jsonl")
        let recorder = try Recorder(path, durability: .background)
        let cart = Store(CartState(), name: "cart", recorder: recorder)
        for _ in 0..<50 { cart.commit { $0.items.append("apple") } }
        recorder.close()
        #expect(lines.count { $0.contains(#""kind":"commit""#) } == 50)
    }

    @Test("what is redacted by path or key path is a hash")
    func redaction() throws {
        let path = folder.path("run.jsonl")
        let recorder = try Recorder(
            path, redact: ["/session/token", "/**/password", .keyPath(\SessionState.mail)])
        let session = Store(SessionState(), name: "session", recorder: recorder)
        session.commit { $0.token = "token-of-now" }
        recorder.close()
        let text = lines.joined()
        #expect(!text.contains("token-of-before") && !text.contains("token-of-now") && !text.contains("ann@"))
        #expect(text.contains(#"{"$redacted":""#))
    }

    @Test("what a type says itself is redacted in each of its values, by every recorder")
    func redactedState() throws {
        let recorder = try Recorder(folder.path("run.jsonl"))
        let users = Store([String: User](), name: "users", recorder: recorder)
        users.commit { $0["a"] = User() }
        recorder.close()
        let text = lines.joined()
        #expect(text.contains("ann") && !text.contains("token-of-ann") && !text.contains("card-4929"))
    }

    @Test("what actions carry is redacted by case and label, and what need not match is not reported")
    func redactedPayloads() throws {
        let path = folder.path("run.jsonl")
        let recorder = try Recorder(
            path,
            redact: [
                .payload("Login.submit", label: "password"), .payload("Login.code"), .path("/**/password").ifPresent,
            ])
        let login = ReducerStore(
            Store(0, name: "tries", recorder: recorder), reducer: Reducer<Int, Login> { tries, _ in tries += 1 })
        login.dispatch(.submit(user: "ann", password: "hunter2"))
        login.dispatch(.code("code-483920"))
        recorder.close()
        let text = lines.joined()
        #expect(text.contains("ann") && !text.contains("hunter2") && !text.contains("code-483920"))
        #expect(!text.contains("matched nothing"))
    }

    @Test("what is longer than the limit is its size")
    func valueLimit() throws {
        let path = folder.path("run.jsonl")
        var options = Recorder.Options()
        options.valueLimit = 4096
        let recorder = try Recorder(path, options: options)
        let session = Store(SessionState(), name: "session", recorder: recorder)
        session.commit { $0.picture = String(repeating: "x", count: 10_000) }
        recorder.close()
        #expect(lines.contains { $0.contains(#"{"$omitted":{"bytes":10002,"#) })
    }

    @Test("a flight recorder's newest commits are at its path")
    func flight() throws {
        let path = folder.path("run.jsonl")
        let recorder = try Recorder(path, durability: .background, limit: 64 << 20)
        let cart = Store(CartState(), name: "cart", recorder: recorder)
        cart.commit { $0.items.append("apple") }
        recorder.close()
        #expect(lines.contains { $0.contains(#""kind":"commit""#) })
    }

    @Test("an apple in the cart is counted", .journaled)
    func appleIsCounted() {
        let cart = Store(CartState(), name: "cart")
        cart.commit { $0.items.append("apple") }
        #expect(cart.state.items.count == 1)
    }
}
