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
