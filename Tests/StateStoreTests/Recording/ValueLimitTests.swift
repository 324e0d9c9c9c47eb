import Foundation
import JSONCore
import JournalFormat
import StateStore
import Testing

struct ValueLimitTests {
    struct Gallery: Encodable, Sendable {
        var title = ""
        var picture = Data()
        var captions: [String: String] = [:]
        var tags: Set<String> = []
        var kept: Attachment?
    }
    /// Not plain, as everything with a class in it: its parts are encoded each time.
    struct Attachment: Encodable, Sendable {
        private final class Storage: Sendable {
            let data: Data
            init(_ data: Data) { self.data = data }
        }
        private let storage: Storage
        init(_ data: Data) { storage = Storage(data) }

        private enum CodingKeys: CodingKey { case data }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(storage.data, forKey: .data)
        }
    }

    private func journal(limit: Int, _ run: (Store<Gallery>) -> Void) throws -> TemporaryJournal {
        let journal = TemporaryJournal()
        var options = Recorder.Options.reproducible
        options.valueLimit = limit
        options.redactionKey = [UInt8](repeating: 1, count: 16)
        let recorder = try Recorder(journal.path, options: options)
        let store = Store(Gallery(), recorder: recorder)
        run(store)
        recorder.close()
        try journal.verify()
        _ = try journal.replayed()
        withExtendedLifetime(store) {}
        return journal
    }

    @Test("a leaf over the limit is its size and its hash, one at the limit is itself; escapes count")
    func strings() throws {
        let journal = try journal(limit: 10) { store in
            store.commit { $0.title = "12345678" }
            store.commit { $0.title = "123456789" }
            store.commit { $0.title = "\u{1}\u{2}" }
            store.commit { $0.captions = ["long": String(repeating: "x", count: 20_000), "short": "y"] }
            store.commit { $0.tags = ["a", String(repeating: "z", count: 30)] }
        }
        let values = try journal.records("commit").flatMap { try #require($0["patch"]?.elements) }
            .map { $0.member("value")?.text() ?? "" }
        #expect(values[0] == #""12345678""#)
        #expect(values[1].hasPrefix(#"{"$omitted":{"bytes":11,"hash":""#))
        #expect(values[2].hasPrefix(#"{"$omitted":{"bytes":14,"#))
        #expect(values.contains { $0.hasPrefix(#"{"$omitted":{"bytes":20002,"#) } && values.contains(#""y""#))
        #expect(values.contains(#""a""#) && values.contains { $0.hasPrefix(#"{"$omitted":{"bytes":32,"#) })
        #expect(!journal.text.contains("zzz") && !journal.text.contains("xxx"))
    }

    @Test("the hash of an omitted value is that of its whole JSON text, however it was fed in")
    func hashes() throws {
        let bytes = Data((0..<100_001).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let quoted = String(repeating: "é\"\\\n", count: 30_000)
        let journal = try journal(limit: 100) { store in
            store.commit { $0.picture = bytes }
            store.commit { $0.title = quoted }
        }
        for (record, value) in zip(try journal.records("commit"), [bytes.base64EncodedString(), quoted]) {
            let canonical = Array(JSONValue.string(value).text(.canonical).utf8)
            var expected: [UInt8] = []
            var hash = RedactionKey([UInt8](repeating: 1, count: 16)).hash
            canonical.withBytes { hash.update($0) }
            RedactionKey.appendOmitted(byteCount: canonical.count, hash: hash, to: &expected)
            #expect(
                record["patch"]?.elements?.first?.member("value")?.text() == String(decoding: expected, as: UTF8.self))
        }
    }

    @Test("the value of an outcome is held to the limit too")
    func outcomes() throws {
        let journal = try journal(limit: 20) { store in
            let shout = store.derived(\.title, named: "shout") { ["text": $0 + "!", "short": "s"] }
            let subscription = shout.subscribe { _ in }
            store.commit { $0.title = "more than twenty bytes" }
            subscription.cancel()
        }
        let outcome = try #require(try journal.records("outcome").first?["derived"]?.elements?.first)
        #expect(outcome.member("value")?.member("short") == .string("s"))
        #expect(outcome.member("value")?.text().contains(#""text":{"$omitted":{"bytes":25,"#) ?? false)
    }

    #if os(Linux)
    @Test("a datum of 32 MB costs the recorder its hash, and no text of it")
    func memory() async {
        await #expect(processExitsWith: .success) {
            var options = Recorder.Options()
            options.valueLimit = 1024
            let journal = TemporaryJournal()
            let recorder = try Recorder(journal.path, options: options)
            let store = Store(Gallery(), recorder: recorder)
            let picture = Data(repeating: 7, count: 32 << 20)
            let before = try processMemory("VmHWM")
            store.commit { $0.picture = picture }
            store.commit { $0.title = "next" }
            let growth = try processMemory("VmHWM") - before
            recorder.close()
            #expect(growth < 8 << 10, "\(growth) KiB")
        }
    }
    #endif

    @Test("equal large values are no change, and keyframes hold what stands for them")
    func unchanged() throws {
        let journal = try journal(limit: 64) { store in
            store.commit { $0.kept = Attachment(Data(repeating: 3, count: 1000)) }
            store.commit { $0.kept = Attachment(Data(repeating: 3, count: 1000)) }
            store.commit { $0.picture = Data(repeating: 1, count: 5000) }
            store.commit { $0.picture = Data([UInt8](repeating: 1, count: 5000)) }
            for index in 0..<500 { store.commit { $0.captions["\(index)"] = String(repeating: "w", count: 50) } }
        }
        let patches = try journal.records("commit").map { $0["patch"] }
        #expect(patches[1] == .array([]) && patches[3] == .array([]))
        #expect(try !journal.records("keyframe").isEmpty)
    }
}

/// What a recorder writes of the trace that a commit is made in.
struct TraceContextTests {
    private enum Tracing { @TaskLocal static var current: TraceContext? }

    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    private func commits(
        durability: Recorder.Durability = .synchronous, _ body: (Recorder) -> Void
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
        let found = try commits(durability: .background) { recorder in
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
        ] { #expect(TraceContext(traceparent: text) == nil, "\(text)") }
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
        let (journal, recorder) = try TemporaryJournal.recording(redact: redact, onError: onError)
        body(recorder)
        recorder.close()
        return try journal.records("mark").map { $0["payload"]?.text() }
    }

    @Test("a mark carries any value, an enum with its case, and nothing where none is given")
    func values() throws {
        let payloads = try payloads { recorder in
            recorder.mark("order", Order())
            recorder.mark("event", Event.opened(screen: "cart"), level: .info)
            recorder.mark("count", 3)
            recorder.mark("plain")
        }
        #expect(payloads == [#"{"id":7,"card":"4929-1111"}"#, #"{"opened":{"screen":"cart"}}"#, "3", nil])
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
                recorder.mark("order", Order())
                recorder.mark("token", ["is": "s3cr3t-token"])
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
            recorder.mark("broken", Refusing())
        }
        #expect(payloads == [nil])
        #expect(errors.entries.count == 1 && errors.entries[0].hasPrefix("mark 'broken': "))
    }
}
