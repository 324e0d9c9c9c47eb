import JSONCore
import StateStore
import Testing

/// What a recorder writes of the trace that a commit is made in.
struct TraceContextTests {
    private enum Tracing {
        @TaskLocal static var current: TraceContext?
    }

    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    private func commits(
        durability: JournalWriter.Durability = .synchronous, _ body: (Recorder) -> Void
    ) throws -> [[String?]] {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, durability: durability, context: { Tracing.current })
        body(recorder)
        recorder.close()
        try journal.verify()
        return try journal.records("commit").map { [$0["trace"]?.string, $0["span"]?.string] }
    }

    @Test("each commit has the trace and span of the thread that makes it, and none where there is none")
    func perCommit() throws {
        let found = try commits { recorder in
            let store = Store(0, name: "count", recorder: recorder)
            store.commit { $0 += 1 }
            Tracing.$current.withValue(TraceContext(trace: Self.trace, span: Self.span)) { store.commit { $0 += 1 } }
            Tracing.$current.withValue(TraceContext(trace: Self.trace.uppercased())) { store.commit { $0 += 1 } }
        }
        #expect(found == [[nil, nil], [Self.trace, Self.span], [Self.trace, nil]])
    }

    @Test("in the background the trace is that of the thread that committed, not of the one that writes")
    func background() throws {
        let found = try commits(durability: .background()) { recorder in
            let store = Store(0, name: "count", recorder: recorder)
            Tracing.$current.withValue(TraceContext(trace: Self.trace, span: Self.span)) {
                for _ in 0..<50 { store.commit { $0 += 1 } }
            }
        }
        #expect(found == Array(repeating: [Self.trace, Self.span], count: 50))
    }

    @Test("a commit of a subscriber is in the trace of the commit that it answers")
    func subscriber() throws {
        let found = try commits { recorder in
            let first = Store(0, name: "first", recorder: recorder)
            let second = Store(0, name: "second", recorder: recorder)
            let link = first.subscribe(initially: false) { change in second.commit { $0 = change.current } }
            Tracing.$current.withValue(TraceContext(trace: Self.trace, span: Self.span)) { first.commit { $0 = 7 } }
            link.cancel()
        }
        #expect(found == [[Self.trace, Self.span], [Self.trace, Self.span]])
    }

    @Test("the state is read in the closure as it was before the commit")
    func readsState() throws {
        let journal = TemporaryJournal()
        let seen = Log<Int>()
        let weak = Log<Store<Int>>()
        let recorder = try Recorder(
            journal.path,
            context: {
                if let store = weak.entries.first { seen.add(store.state) }
                return nil
            })
        let store = Store(3, name: "count", recorder: recorder)
        weak.add(store)
        store.commit { $0 = 4 }
        recorder.close()
        #expect(seen.entries == [3])
    }

    @Test(
        "ids that are not valid are none",
        arguments: [
            "", "4bf92f3577b34da6a3ce929d0e0e473", "4bf92f3577b34da6a3ce929d0e0e47360",
            "4bf92f3577b34da6a3ce929d0e0e473g",
            "00000000000000000000000000000000", "４bf92f3577b34da6a3ce929d0e0e4736",
        ])
    func invalid(_ trace: String) {
        #expect(TraceContext(trace: trace) == nil)
        #expect(TraceContext(trace: Self.trace, span: trace) == nil)
    }

    @Test("a 'traceparent' header is read as W3C has it")
    func header() {
        let context = TraceContext(trace: Self.trace, span: Self.span)
        #expect(context != nil)
        #expect(TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-01") == context)
        #expect(TraceContext(traceparent: "01-\(Self.trace)-\(Self.span)-01-more") == context)
        for text in [
            "", "00", "ff-\(Self.trace)-\(Self.span)-01", "00-\(Self.trace)-\(Self.span)", "00-\(Self.trace)--01",
        ] {
            #expect(TraceContext(traceparent: text) == nil, "\(text)")
        }
    }
}

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
