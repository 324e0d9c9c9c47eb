import JSONCore
import StateStore
import Testing

/// What a mark carries.
struct MarkPayloadTests {
    private struct Order: Encodable, Sendable {
        var id = 7
        var card = "4929-1111"
    }

    private enum Event: Encodable, Sendable { case opened(screen: String) }

    private struct Refusing: Encodable, Sendable {
        struct Refused: Error {}
        func encode(to encoder: any Encoder) throws { throw Refused() }
    }

    private func payloads(
        redact: [Redaction] = [], onError: (@Sendable (RecorderError) -> Void)? = nil, _ body: (Recorder) -> Void
    ) throws -> [String?] {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, redact: redact, onError: onError)
        body(recorder)
        recorder.close()
        return try journal.records("mark").map { $0["payload"]?.text() }
    }

    @Test("a mark carries any value, an enum with its case, and nothing where none is given")
    func values() throws {
        let payloads = try payloads { recorder in
            recorder.mark("order", payload: Order())
            recorder.mark("event", level: .info, payload: Event.opened(screen: "cart"))
            recorder.mark("count", payload: 3)
            recorder.mark("plain")
        }
        #expect(
            payloads == [#"{"id":7,"card":"4929-1111"}"#, #"{"opened":{"screen":"cart"}}"#, "3", nil])
    }

    @Test("a payload is redacted as that of an action is: by names, by types, by what is secret in a state")
    func redaction() throws {
        struct Session: Encodable, Equatable, Sendable { var token = "s3cr3t-token" }
        let cases: [(redact: [Redaction], secret: String)] = [
            (["/**/card"], "4929-1111"), ([.keyPath(\Order.card)], "4929-1111"), (["/session/token"], "s3cr3t"),
        ]
        for (redact, secret) in cases {
            let payloads = try payloads(redact: redact, onError: { _ in }) { recorder in
                let session = Store(Session(), name: "session", recorder: recorder)
                recorder.mark("order", payload: Order())
                recorder.mark("token", payload: ["is": "s3cr3t-token"])
                withExtendedLifetime(session) {}
            }
            #expect(!payloads.contains { $0?.contains(secret) == true })
            #expect(payloads.contains { $0?.contains("$redacted") == true })
        }
    }

    @Test("a payload without a JSON form is left out and reported, and the mark stays")
    func refused() throws {
        let errors = Log<String>()
        let payloads = try payloads(onError: { errors.add($0.diagnostic.message) }) { recorder in
            recorder.mark("broken", payload: Refusing())
        }
        #expect(payloads == [nil])
        #expect(errors.entries.count == 1 && errors.entries[0].hasPrefix("mark 'broken': "))
    }
}
