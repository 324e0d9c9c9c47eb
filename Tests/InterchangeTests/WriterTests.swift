import Foundation
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@Suite("Journals for other tools")
struct WriterTests {
    /// The commits of a random journal with their states, and the state before them.
    private struct Run {
        let start: JSONValue
        let commits: [ExportedCommit]

        init(seed: UInt64, store: String? = nil) throws {
            var values = RandomJSON(seed: seed)
            var lines: [String] = []
            for _ in 0..<25 {
                let name = values.chance(50) ? "a" : "b"
                lines.append(
                    JSONValue.object([
                        "s": .string(name), "v": values.state(),
                        "n": .number(JSONNumber(literal: "12345678901234567890")),
                    ]).text())
            }
            var mapping = LineMapping()
            mapping.store = LineMapping.Question("--store", try Query(".s"))
            mapping.state = LineMapping.Question("--state", try Query("{v, n}"))
            let run = try Imported(lines.joined(separator: "\n"), as: JSONLinesReader(mapping))
            func part(_ state: JSONValue) -> JSONValue { store.map { state.object?[$0] ?? .null } ?? state }
            start = part(try run.journal.state(at: .zero).value)
            commits = try run.records(.commit).compactMap { record in
                let seq = CommitNumber(record["seq"]?.number?.integerValue ?? 0)
                if let store, record["store"]?.string != store { return nil }
                return ExportedCommit(record: record, seq: seq, state: part(try run.journal.state(at: seq).value))
            }
        }
    }

    @Test("a journal's patches come back as they are, and any library replays them", arguments: seeds(0..<12))
    func patches(seed: UInt64) throws {
        for store in [nil, "a"] {
            let run = try Run(seed: seed, store: store)
            var writer = PatchWriter(from: run.start, isWhole: store == nil)
            for commit in run.commits { writer.add(commit) }
            let text = String(decoding: writer.take(), as: UTF8.self)
            let back = try Imported(text, as: PatchReader(.rfc6902))
            #expect(
                try back.states.compactMap { $0.object?["state"] } == [run.start] + run.commits.map(\.state),
                "seed \(seed)")
            guard store != nil, !run.start.isNull else { continue }
            #expect(
                try back.records(.commit).map { $0["patch"] } == run.commits.map { $0.record["patch"] }, "seed \(seed)")
        }
    }

    @Test(
        "a lifted state comes back with the same states, and has the members that DevTools read",
        arguments: seeds(0..<8))
    func liftedState(seed: UInt64) throws {
        let run = try Run(seed: seed)
        var writer = ReduxWriter(from: run.start, at: 1_700_000_000_000_000)
        for commit in run.commits { writer.addAction(commit) }
        for commit in run.commits { writer.add(commit) }
        writer.finish()
        let text = String(decoding: writer.take(), as: UTF8.self)
        let lifted = try #require(try json(text).object)
        for name in [
            "monitorState", "nextActionId", "actionsById", "stagedActionIds", "skippedActionIds", "committedState",
            "currentStateIndex", "computedStates", "isLocked", "isPaused",
        ] { #expect(lifted[name] != nil, "\(name)") }
        #expect(lifted["nextActionId"]?.number?.integerValue == lifted["actionsById"]?.object?.count)
        #expect(lifted["stagedActionIds"]?.array?.count == lifted["computedStates"]?.array?.count)
        let back = try Imported(text, as: ReduxReader())
        #expect(
            try back.states.compactMap { $0.object?["state"] } == [run.start] + run.commits.map(\.state), "seed \(seed)"
        )
        let places = try back.records(.commit).map { $0["at"]?.object?["line"] }
        #expect(places == run.commits.map { $0.record["at"]?.object?["line"] })
    }

    @Test("a model checker's trace comes back with the same states", arguments: seeds(0..<8))
    func itf(seed: UInt64) throws {
        let run = try Run(seed: seed)
        var writer = ITFWriter(from: run.start, source: "x")
        for commit in run.commits { writer.add(commit) }
        writer.finish()
        let text = String(decoding: writer.take(), as: UTF8.self)
        let back = try Imported(text, as: defined("itf"))
        #expect(
            try back.states.compactMap { $0.object?["state"] } == [run.start] + run.commits.map(\.state), "seed \(seed)"
        )
        // The trace of what came back is the same trace.
        var again = ITFWriter(from: run.start, source: "x")
        for (commit, state) in zip(run.commits, try back.states.dropFirst()) {
            again.add(ExportedCommit(record: commit.record, seq: commit.seq, state: state.object?["state"] ?? .null))
        }
        again.finish()
        #expect(String(decoding: again.take(), as: UTF8.self) == text)
    }

    @Test("an object that could be taken for a form of ITF survives")
    func itfForms() throws {
        var writer = ITFWriter(
            from: ["x": ["#set": [2, 1]], "y": ["#bigint": "7"], "z": -9_007_199_254_740_993], source: "x")
        writer.finish()
        let back = try Imported(String(decoding: writer.take(), as: UTF8.self), as: defined("itf"))
        #expect(try back.last() == ["x": ["#set": [2, 1]], "y": ["#bigint": "7"], "z": -9_007_199_254_740_993])
    }

    @Test("a table has a row for each change, quoted where it has to be")
    func table() throws {
        let record = try #require(
            try json(
                #"{"seq":1,"kind":"commit","store":"a/b","time":"2026-11-21T12:00:00.000000Z","at":{"file":"x.swift","line":3,"function":"f(_:)"},"patch":[{"op":"replace","path":"/t","value":"a,\"b\"\nc","old":null},{"op":"remove","path":"/u","old":{"n":1}}]}"#
            ).object)
        var writer = CSVWriter(makesColumns: false)
        writer.add(ExportedCommit(record: record, seq: CommitNumber(1), state: .null))
        #expect(
            String(decoding: writer.take(), as: UTF8.self) == """
                seq,time,store,name,file,line,function,op,path,old,value
                1,2026-11-21T12:00:00.000000Z,a/b,f(_:),x.swift,3,f(_:),replace,/a~1b/t,null,"a,""b""
                c"
                1,2026-11-21T12:00:00.000000Z,a/b,f(_:),x.swift,3,f(_:),remove,/a~1b/u,"{""n"":1}",

                """)
        var columns = CSVWriter(makesColumns: true)
        columns.add(ExportedCommit(record: record, seq: CommitNumber(1), state: ["a": 1, "b": [2]]))
        columns.add(ExportedCommit(record: record, seq: CommitNumber(2), state: ["b": .null, "c": 1]))
        #expect(columns.cutRows == 1)
        #expect(
            String(decoding: columns.take(), as: UTF8.self).hasPrefix(
                "seq,time,store,name,file,line,function,a,b\n1,2026"))
    }

    @Test(
        "every event of any journal's trace has what its kind needs, and arrows come in pairs", arguments: seeds(0..<8))
    func traceForm(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, commits: 60)
        let folder = TemporaryFolder()
        var reader = try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random).records()
        var writer = ChromeTraceWriter(name: "x")
        while let line = try reader.next() {
            var record = try line.object()
            // A cause for every third commit.
            if record["kind"] == "commit", let seq = record["seq"]?.number?.integerValue, seq % 3 == 0 {
                record["cause"] = .number(JSONNumber(seq - 1))
            }
            writer.add(record, of: line.kind)
        }
        writer.finish()
        let document = try #require(try json(String(decoding: writer.take(), as: UTF8.self)).object)
        let events = try #require(document["traceEvents"]?.array).compactMap(\.object)
        var named: Set<Int> = []
        var (begun, ended, last) = ([JSONValue](), [JSONValue](), 0)
        for event in events {
            let phase = try #require(event["ph"]?.string)
            let (track, time) = (event["tid"]?.number?.integerValue, event["ts"]?.number?.integerValue)
            #expect(event["pid"] == 1 && event["name"]?.string != nil && track != nil)
            guard phase != "M" else {
                if event["name"] == "thread_name" { named.insert(track ?? -1) }
                #expect(event["args"]?.object?["name"]?.string != nil)
                continue
            }
            #expect((time ?? -1) >= 0 && event["cat"]?.string != nil || phase == "C")
            switch phase {
            case "X":
                #expect(named.contains(track ?? -1) && event["dur"] == 1 && time ?? 0 >= last)
                last = time ?? 0
            case "i": #expect(["t", "p", "g"].contains(event["s"]?.string))
            case "C": #expect(event["args"]?.object?.allSatisfy { $0.value.number != nil } == true)
            case "s": begun.append(event["id"] ?? .null)
            case "f":
                ended.append(event["id"] ?? .null)
                #expect(event["bp"] == "e")
            default: Issue.record("an event of the kind '\(phase)'")
            }
        }
        #expect(begun == ended && Set(begun).count == begun.count && !begun.isEmpty)
    }

    @Test("a trace is made of events of the format's kinds, with a pair for each cause")
    func trace() throws {
        var writer = ChromeTraceWriter(name: "x")
        for (kind, line) in [
            (.store, #"{"seq":0,"kind":"store","store":"a","time":"2026-11-21T12:00:00.000000Z","state":{}}"#),
            (
                .commit,
                #"{"seq":1,"kind":"commit","store":"a","time":"2026-11-21T12:00:01.000000Z","patch":[{"op":"add","path":"/n","value":4}]}"#
            ),
            (
                .outcome,
                #"{"seq":1,"kind":"outcome","commit":1,"derived":[{"name":"d","outcome":"fired","value":1},{"name":"e","outcome":"same"}]}"#
            ),
            (
                .commit,
                #"{"seq":2,"kind":"commit","store":"b","time":"2026-11-21T12:00:02.000000Z","cause":1,"patch":[]}"#
            ),
            (.mark, #"{"seq":2,"kind":"mark","time":"2026-11-21T12:00:03.000000Z","text":"m"}"#),
        ] as [(RecordKind, String)] { writer.add(try #require(try json(line).object), of: kind) }
        writer.finish()
        let document = try #require(try json(String(decoding: writer.take(), as: UTF8.self)).object)
        let events = try #require(document["traceEvents"]?.array).compactMap(\.object)
        let phases = events.compactMap { $0["ph"]?.string }.sorted()
        #expect(phases == ["C", "M", "M", "M", "M", "M", "X", "X", "f", "i", "i", "i", "s"])
        for event in events {
            #expect(event["pid"] != nil && event["tid"] != nil && (event["ph"] == "M" || event["ts"] != nil))
        }
        #expect(events.first { $0["ph"] == "s" }?["ts"] == 1_000_000)
        #expect(events.first { $0["ph"] == "f" }?["ts"] == 2_000_000)
    }
}
