import JSONCore
import JournalFormat
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@Suite("Which derived values would have fired")
struct DerivedFiringsTests {
    private static let definitions = """
        def first: .cart.a;
        def size: .user | length;
        def hasFirst: first != null;
        def both: [first, size];
        def fails: .feed.a.b.c;
        """

    private static func values() throws -> [DerivedValue] {
        let file = try Definitions(text: definitions, name: "defs.jq")
        return try file.zeroArgumentNames.map { name in
            DerivedValue(
                name: name, query: try Query(name, in: QueryEnvironment(definitions: [file])),
                inputs: file.ownPaths(of: name),
                from: file.callees(of: name))
        }
    }

    @Test("they fire exactly where their values on whole states differ", arguments: 0..<40)
    func equalsBruteForce(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        let values = try Self.values()
        var expected: [String] = []
        for (before, position) in zip(run.positions, run.positions.dropFirst()) {
            for value in values {
                guard case .query(let query) = value.formula else { continue }
                let old = ((try? query.first(of: run.states[before] ?? .null)) ?? nil) ?? .null
                let new = ((try? query.first(of: run.states[position] ?? .null)) ?? nil) ?? .null
                if old != new { expected.append("\(position) \(value.name) \(old.text()) \(new.text())") }
            }
        }
        var told: [String] = []
        var firings = try DerivedFirings(run.journal, run.range, values: values)
        while let position = try firings.next() {
            for firing in position where firing.outcome == .fired {
                let (old, new) = (firing.old?.text() ?? "", firing.value?.text() ?? "")
                told.append("\(firing.seq.rawValue) \(firing.name) \(old) \(new)")
            }
        }
        #expect(told == expected, "seed \(seed)")
    }

    @Test("whatever is passed over is untouched, so asking every commit gives the same summary", arguments: 0..<10)
    func summaries(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        var some = try DerivedFirings(run.journal, run.range, values: try Self.values())
        while try some.next() != nil {}
        var every = try DerivedFirings(run.journal, run.range, values: try Self.values(), everyCommit: true)
        while try every.next() != nil {}
        #expect(some.summaries == every.summaries, "seed \(seed)")
    }

    @Test("a definition whose callee has the same value is unchanged, not computed again")
    func unchangedBehindSame() throws {
        var lines = LineBuilder()
        let time = Timestamp(microseconds: 0)
        let at = SourceLocation(file: "A/B.swift", line: 1, column: 1, function: "f()")
        lines.journal(JournalHeader(id: "x", time: time, recorder: "test"))
        Array(#"{"a":1,"b":{"c":2}}"#.utf8).withUnsafeBytes {
            lines.store(seq: .zero, store: "cart", type: "T", time: time, at: at, state: $0)
        }
        let patches = [
            #"[{"op":"replace","path":"/a","value":3,"old":1}]"#,
            #"[{"op":"replace","path":"/a","value":-1,"old":3}]"#,
            #"[{"op":"replace","path":"/a","value":-1,"old":-1}]"#, #"[]"#,
        ]
        for (index, patch) in patches.enumerated() {
            Array(patch.utf8).withUnsafeBytes {
                lines.commit(
                    seq: CommitNumber(index + 1), store: "cart", version: index + 1, time: time, at: at, patch: $0)
            }
        }
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(lines.bytes, to: "run.jsonl"), access: .random)
        let file = try Definitions(
            text: "def positive: .cart.a > 0; def sign: if positive then 1 else 2 end;", name: "d")
        let values = try file.zeroArgumentNames.map {
            DerivedValue(
                name: $0, query: try Query($0, in: QueryEnvironment(definitions: [file])),
                inputs: file.ownPaths(of: $0),
                from: file.callees(of: $0))
        }
        var firings = try DerivedFirings(journal, try journal.range(RangeText()), values: values, everyCommit: true)
        var outcomes: [[DerivedFiring.Outcome]] = []
        while let position = try firings.next() { outcomes.append(position.map(\.outcome)) }
        #expect(
            outcomes == [
                [.same, .unchanged], [.fired, .fired], [.unchanged, .unchanged], [.untouched, .untouched],
            ])
    }

    @Test("what the app recorded goes with its own commit, and what stands behind a later one is counted")
    func lateOutcomes() throws {
        let text = #"""
            {"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-01-01T00:00:00.000000Z","recorder":"t"}
            {"seq":0,"kind":"store","store":"s","type":"S","time":"2026-01-01T00:00:00.000000Z","at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"},"state":{"a":0}}
            {"seq":1,"kind":"commit","store":"s","version":1,"time":"2026-01-01T00:00:00.000000Z","at":{"file":"A/B.swift","line":2,"column":1,"function":"f()"},"patch":[{"op":"replace","path":"/a","value":1,"old":0}]}
            {"seq":1,"kind":"outcome","commit":1,"derived":[{"name":"d","outcome":"fired","value":1}]}
            {"seq":2,"kind":"commit","store":"s","version":2,"time":"2026-01-01T00:00:00.000000Z","at":{"file":"A/B.swift","line":2,"column":1,"function":"f()"},"patch":[{"op":"replace","path":"/a","value":2,"old":1}]}
            {"seq":3,"kind":"commit","store":"s","version":3,"time":"2026-01-01T00:00:00.000000Z","at":{"file":"A/B.swift","line":2,"column":1,"function":"f()"},"patch":[{"op":"replace","path":"/a","value":3,"old":2}]}
            {"seq":3,"kind":"outcome","commit":2,"derived":[{"name":"d","outcome":"fired","value":2}]}
            {"seq":3,"kind":"outcome","commit":3,"derived":[{"name":"d","outcome":"fired","value":4}]}

            """#
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(Array(text.utf8), to: "run.jsonl"), access: .random)
        let values = [DerivedValue(name: "d", query: try Query(".s.a"))]
        var firings = try DerivedFirings(journal, try journal.range(RangeText()), values: values)
        var told: [DerivedFiring] = []
        while let position = try firings.next() { told += position }
        #expect(told.map { $0.recorded?.value?.text() } == ["1", nil, "4"])
        #expect(told.map(\.differsFromRecorded) == [false, nil, true])
        #expect(firings.lateOutcomes == 1)
    }
}
