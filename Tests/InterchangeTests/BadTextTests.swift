import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import QueryLanguage
import TestSupport
import Testing

/// What each format answers to what does not fit: the message and the line without `--skip-bad`, the commits that are left and
/// what was counted with it.
@Suite("What does not fit, by format")
struct BadTextTests {
    /// A text that does not fit.
    struct Case: Sendable, CustomTestStringConvertible {
        let format: ImportFormat
        let text: String
        let line: Int
        /// How the message ends.
        let message: String
        /// What remains where it is left out.
        let commits: Int
        var parts = 1

        init(_ format: ImportFormat, _ text: String, _ line: Int, _ message: String, keeps commits: Int, parts: Int = 1)
        {
            (self.format, self.text, self.line, self.message) = (format, text, line, message)
            (self.commits, self.parts) = (commits, parts)
        }

        var testDescription: String { "\(format.rawValue): \(message)" }
    }

    /// A reader of the format, with what a user would have typed.
    private static func reader(_ format: ImportFormat) throws -> any ImportReader {
        switch format {
        case .jsonl:
            var mapping = LineMapping()
            mapping.state = .init("--state", try Query(".s"))
            mapping.patch = .init("--patch", try Query(".p"))
            mapping.time = .init("--time", try Query(".t"))
            return JSONLinesReader(mapping)
        case .csv: preconditionFailure("its own suite says what does not fit")
        case .snapshots: return SnapshotReader()
        case .reduxDevtools: return ReduxReader()
        case .jsonPatch: return PatchReader(.rfc6902)
        case .immer: return PatchReader(.immer)
        case .mobxStateTree: return PatchReader(.mobxStateTree)
        case .editingTrace: return EditingTraceReader()
        default: return defined(format.rawValue)
        }
    }

    @Test(
        "what does not fit is told with its line, and left out alone where that is wanted",
        arguments: logs + patches + redux + graphs + edits + watches + rows + traces)
    func refused(bad: Case) throws {
        let error = try #require(fault(of: bad.text, as: try Self.reader(bad.format)))
        #expect(error.line == bad.line)
        let message = error.diagnostic.message
        #expect(message.hasSuffix(bad.message), "\(message)")
        let run = try Imported(bad.text, as: try Self.reader(bad.format), skipsBad: true)
        #expect(run.work.run.lastCommit.rawValue == bad.commits)
        #expect(run.work.run.problems.count == bad.parts)
        // What costs a record only its time leaves no mark, but a warning.
        #expect(
            try bad.parts == 0 ? !run.work.warnings.isEmpty : run.records(.mark).contains { $0["level"] == "warning" })
    }

    private static let time = "RFC 3339 or a number since 1970"

    private static let logs: [Case] = [
        Case(
            .jsonl, #"{"s":1}"# + "\n{\"s\":\n" + #"{"s":3}"#, 2,
            "this is no JSON: the text ends where a value is expected", keeps: 1),
        Case(
            .jsonl, #"{"s":1}"# + "\n" + #"{"s":2,"t":"now"}"#, 2, "'--time' gives \"now\", should be \(time)",
            keeps: 1,
            parts: 0),
        Case(
            .jsonl, #"{"s":1,"t":8e21}"# + "\n" + #"{"s":2}"#, 1, "'--time' gives 8e21, should be \(time)", keeps: 1,
            parts: 0),
        Case(
            .jsonl, "{\"s\":1}\n{\"p\":5}", 2, "this is no patch: a JSON Patch is an array, and this is none", keeps: 0),
        Case(.snapshots, "{\"a\":1}\noops\n{\"a\":2}", 2, "'o' where a value is expected", keeps: 1),
    ]

    private static let patches: [Case] =
        [ImportFormat.jsonPatch, .immer, .mobxStateTree].flatMap { format -> [Case] in
            func path(_ names: String...) -> String {
                format == .immer
                    ? "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]"
                    : "\"/" + names.joined(separator: "/") + "\""
            }
            func operation(_ name: String, _ path: String) -> String { #"{"op":"\#(name)","path":\#(path),"value":7}"# }
            let (good, begin) = (operation("replace", path("n")), #"{"n":1,"l":[]}"# + "\n")
            // In JavaScript a value may be undefined, which JSON leaves out.
            let strict =
                format != .jsonPatch
                ? []
                : [
                    Case(
                        format, begin + "[[\(good)],[\(operation("replace", path("z")))],[\(good)],[\(good)]]", 2,
                        "operation 0 at '/z' of the patch: there is no member 'z'", keeps: 3),
                    Case(
                        format, begin + #"[{"op":"add","path":\#(path("n"))}]"#, 2, "the member 'value' is missing",
                        keeps: 0),
                ]
            return strict + [
                Case(
                    format, begin + "[\(operation("increment", path("n")))]\n[\(good)]", 2,
                    "there is no operation 'increment'", keeps: 1),
                Case(
                    format, begin + "[\(good),\(operation("remove", path("m", "x")))]", 2,
                    "operation 1 at '/m/x' of the patch: there is no member 'm'", keeps: 0),
                Case(
                    format, begin + "[\(operation("add", path("l", "9")))]", 2,
                    "index 9 is past the end, the array holds 0", keeps: 0),
                Case(format, begin + #"{"patch":[],"time":"yesterday"}"#, 2, "'time' should be \(time)", keeps: 0),
                Case(format, begin + #"{"other":1}"# + "\n[\(good)]", 2, "this is not \(format.form)", keeps: 1),
            ]
        } + [
            Case(
                .immer,
                #"{"n":1}"# + "\n"
                    + #"[[{"op":"replace","path":["n"],"value":2}],[{"op":"replace","path":["n"],"value":5}]]"#,
                2, "the inverse patches do not lead back to the state before", keeps: 0),
            Case(
                .mobxStateTree, #"{"n":1}"# + "\n" + #"{"op":"replace","path":"/n","value":2,"oldValue":7}"#, 2,
                "'/n' is said to be 7, there is 1", keeps: 0),
        ]

    private static func lifted(_ change: (from: String, to: String)) -> String {
        #"{"actionsById":{"0":{"action":{"type":"a"},"timestamp":1},"1":{"action":{"type":"b"}}},"computedStates":[{"state":0},{"state":1}],"stagedActionIds":[0,1],"skippedActionIds":[]}"#
            .replacing(change.from, with: change.to)
    }

    private static let redux: [Case] = [
        Case(
            .reduxDevtools, lifted((#","1":{"action":{"type":"b"}}"#, "")), 1,
            "'actionsById/1' is missing, should be an object", keeps: 0),
        Case(
            .reduxDevtools, lifted((#"{"action":{"type":"b"}}"#, "5")), 1,
            "action 1: 'actionsById/1' should be an object", keeps: 0),
        Case(
            .reduxDevtools, lifted((#""timestamp":1"#, #""timestamp":"now""#)), 1,
            "'actionsById/0/timestamp' should be \(time)", keeps: 0),
        Case(.reduxDevtools, lifted(("[0,1]", "\"x\"")), 1, "'stagedActionIds' should be an array", keeps: 0),
        Case(
            .reduxDevtools, lifted((#",{"state":1}"#, "")), 1, "should be an array of 2, one for each staged action",
            keeps: 0),
        Case(
            .reduxDevtools, #"[{"type":"a"},5,{"type":"b"}]"#, 1,
            "action 1: this is not an object with 'type' or 'action'", keeps: 2),
    ]

    private static func graph(_ state: String, _ more: String = "") -> String {
        #"{"nodes":{"r":{"children":["a"],"state":{"type":"checkpoint","val":{"n":1}}},"a":{"parent":"r","children":["b"],"state":\#(state)},"b":{"parent":"a","children":[],"state":{"type":"checkpoint","val":{"n":3}}\#(more)}},"root":"r"}"#
    }

    private static let graphs: [Case] = [
        Case(
            .trrack, graph(#"{"type":"patch","val":[{"op":"remove","path":"/m"}]}"#), 1,
            "operation 0 at '/m' of the patch: there is no member 'm'", keeps: 1),
        Case(
            .trrack, graph(#"{"type":"patch","val":5}"#), 1,
            "node 'a': this is no patch: a JSON Patch is an array, and this is none", keeps: 1),
        Case(.trrack, graph(#"{"type":"diff","val":[]}"#), 1, "node 'a': there is no operation 'diff'", keeps: 1),
        Case(
            .trrack, graph(#"{"type":"patch","val":[]}"#, #","createdOn":"x""#), 1,
            "node 'b': 'time' gives \"x\", should be \(time)", keeps: 2, parts: 0),
        Case(
            .trrack, graph(#"{"type":"patch","val":[]}"#) + "\n{\"nodes\":{", 2,
            "the text ends where a key in double quotes is expected", keeps: 2),
    ]

    private static func edits(_ transactions: String) -> String {
        #"{"startContent":"ab","endContent":"abcd","txns":[{"patches":[[2,0,"c"]]},\#(transactions),{"patches":[[3,0,"d"]]}]}"#
    }

    private static let edits: [Case] = [
        Case(
            .editingTrace, edits(#"{"patches":[[0,1,"x"],[9,0,"x"]]}"#), 1,
            "transaction 1: this is not an edit of a text that is so long", keeps: 2),
        Case(
            .editingTrace, edits(#"{"patches":[[0,9223372036854775807,""]]}"#), 1,
            "this is not an edit of a text that is so long", keeps: 2),
        Case(
            .editingTrace, edits(#"{"patches":[[0,0,5]]}"#), 1, "this is not an edit, as '[12, 0, \"text\"]'", keeps: 2),
        Case(
            .editingTrace, edits(#"{"patches":[],"time":"now"}"#), 1, "transaction 1: 'time' should be \(time)",
            keeps: 2),
        Case(
            .editingTrace, edits(#"{"patches":[[0,1,""]]}"#).replacing("[3,", with: "[2,"), 1,
            "the text at the end is not that of 'endContent'", keeps: 3),
    ]

    private static func event(_ type: String, _ metadata: String = #"{"name":"p"}"#) -> String {
        #"{"type":"\#(type)","object":{"kind":"Pod","metadata":\#(metadata)}}"#
    }

    private static let watches: [Case] = [
        Case(
            .kubernetes, [event("ADDED"), event("RENAMED"), event("MODIFIED")].joined(separator: "\n"), 2,
            "there is no operation 'RENAMED'", keeps: 2),
        Case(
            .kubernetes, event("ADDED") + event("ADDED", "{}"), 1,
            "'object/metadata/name' is missing, should be a string", keeps: 1),
        Case(
            .kubernetes, #"{"kind":"PodList","items":[5,{"metadata":{"name":"a"}}]}"#, 1,
            "item 0: this is not an object", keeps: 1),
    ]

    private static func row(_ op: String, _ after: String, _ source: String = #""table":"t""#) -> String {
        #"{"op":"\#(op)","after":\#(after),"source":{\#(source)}}"#
    }
    private static func tuple(_ action: String, _ more: String) -> String {
        #"{"action":"\#(action)","table":"t",\#(more)}"#
    }

    private static let rows: [Case] = [
        Case(
            .debezium, row("c", #"{"id":1}"#) + "\n" + row("z", "{}") + "\n" + row("u", #"{"id":1}"#), 2,
            "there is no operation 'z'", keeps: 2),
        Case(.debezium, row("c", #"{"a":1}"#), 1, "a row of 't' has no 'id'", keeps: 0),
        Case(.debezium, row("u", "5"), 1, "'after' should be a row, an object", keeps: 0),
        Case(
            .debezium, row("c", #"{"id":1}"#, #""table":"t","ts_ms":"x""#), 1, "'time' gives \"x\", should be \(time)",
            keeps: 1, parts: 0),
        Case(
            .debezium, "[" + row("c", #"{"id":1}"#) + "," + row("z", "{}") + "," + row("c", #"{"id":2}"#) + "]", 1,
            "event 1: there is no operation 'z'", keeps: 2),
        Case(
            .wal2json, tuple("I", #""columns":[{"name":"id","value":1}]"#) + "\n" + tuple("Z", #""x":1"#), 2,
            "there is no operation 'Z'", keeps: 1),
        Case(.wal2json, tuple("I", #""columns":5"#), 1, "'columns' should be an array", keeps: 0),
        Case(
            .wal2json,
            #"{"change":[{"kind":"insert","table":"t","columnnames":["id"],"columnvalues":[1]},{"kind":"merge","table":"t"},{"kind":"insert","table":"t","columnnames":["id"],"columnvalues":[]},{"kind":"insert","table":"t","columnnames":["id"],"columnvalues":[2]}]}"#,
            1, "change 1: there is no operation 'merge'", keeps: 2, parts: 2),
    ]

    private static func trace(_ states: String, _ more: String = "") -> String {
        #"{"vars":["x"],"states":[{"x":1},\#(states),{"x":3}]\#(more)}"#
    }

    private static let traces: [Case] = [
        Case(.itf, trace("5"), 1, "state 1: this is not a state, an object by variable", keeps: 1),
        Case(.itf, trace(##"{"x":{"#bigint":"y"}}"##), 1, "'#bigint' should be the digits of an integer", keeps: 1),
        Case(
            .itf, trace(##"{"x":{"#map":[["a",1],["a",2]]}}"##), 1,
            "'#map' should be an array of pairs with different keys", keeps: 1),
        Case(.itf, trace(#"{"x":2}"#, #","loop":9"#), 1, "'loop' should be the index of a state", keeps: 2),
    ]

    /// A file of each format that fits.
    private static let good: [(format: ImportFormat, text: String)] = [
        (.jsonl, "{\"s\":1}\n{\"s\":2}"), (.snapshots, "{\"s\":1}\n{\"s\":2}"), (.reduxDevtools, lifted(("", ""))),
        (.jsonPatch, "{\"n\":1}\n[{\"op\":\"replace\",\"path\":\"/n\",\"value\":2}]"),
        (.immer, "{\"n\":1}\n[{\"op\":\"replace\",\"path\":[\"n\"],\"value\":2}]"),
        (.mobxStateTree, "{\"n\":1}\n{\"op\":\"replace\",\"path\":\"/n\",\"value\":2,\"oldValue\":1}"),
        (.trrack, graph(#"{"type":"patch","val":[]}"#)), (.editingTrace, edits(#"{"patches":[]}"#)),
        (.kubernetes, event("ADDED") + "\n" + event("MODIFIED")), (.debezium, row("c", #"{"id":1}"#)),
        (.wal2json, tuple("I", #""columns":[{"name":"id","value":1}]"#)), (.itf, trace(#"{"x":2}"#)),
    ]

    @Test("a mark of the byte order, other line ends, and members that nobody knows change nothing", arguments: good)
    func harmless(format: ImportFormat, text: String) throws {
        let plain = try Imported(text, as: try Self.reader(format))
        for other in [
            "\u{FEFF}" + text, text.replacing("\n", with: "\r\n"), text.replacing("{\"", with: "{\"zz\":[],\""),
        ]
        where ![.snapshots, .itf, .kubernetes, .trrack].contains(format) || !other.contains("zz") {
            let run = try Imported(other, as: try Self.reader(format), piece: 5)
            #expect(run.work.run.lastCommit == plain.work.run.lastCommit)
            if !other.contains("zz") { #expect(try run.states == plain.states) }
        }
    }

    @Test("each format is told from every other, or its first text may stand in any", arguments: sampled(good))
    func otherFormats(format: ImportFormat, text: String) throws {
        for other in Self.good where other.format != format && ![.jsonl, .snapshots].contains(format) {
            let error = fault(of: other.text, as: try Self.reader(format))
            // Each may be the other: RFC 6902 allows members that it does not know, and those need not be there.
            let patches: Set<ImportFormat> = [.jsonPatch, .mobxStateTree]
            if patches.isSuperset(of: [format, other.format]) { continue }
            guard ![.jsonl, .snapshots].contains(other.format) else {
                #expect(error != nil, "\(other.format) as \(format)")
                continue
            }
            let isNamed = error?.fault == .otherFormat(format, looksLike: .format(other.format))
            #expect(isNamed, "\(other.format) as \(format): \(error?.diagnostic.message ?? "taken")")
        }
    }

    @Test("another encoding is reported by its name")
    func encoding() throws {
        var bytes: [UInt8] = [0xFF, 0xFE]
        for unit in "{\"s\":1}\n".utf16 { bytes += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
        var work = JournalImport(SnapshotReader(), of: "in.txt", time: .now(), skipsBad: true)
        let error = #expect(throws: ImportError.self) {
            try bytes.withBytes { try work.read($0) }
            try work.finish()
        }
        #expect(error?.fault == .encoding("UTF-16"))
        #expect(error?.diagnostic.message == "this is UTF-16, should be UTF-8")
    }

    @Test("a text too long is passed over by its bytes alone, in every division", arguments: [1, 10, .max])
    func tooLong(piece: Int) throws {
        let long = "{\"a\":\"" + String(repeating: "x", count: 300) + "\"}"
        let lines = "{\"a\":1}\n" + long + "\n{\"a\":2}"
        #expect(fault(of: lines, as: SnapshotReader(), limit: 100)?.line == 2)
        let run = try Imported(lines, as: SnapshotReader(), skipsBad: true, piece: piece, limit: 100)
        #expect(try run.states.compactMap { $0.object?["state"] } == [["a": 1], ["a": 2]])
        var mapping = LineMapping()
        mapping.state = .init("--state", try Query("."))
        for end in ["\n", "\r", "\r\n"] {
            let cell = "\"" + String(repeating: "x", count: 300) + "\nno,row\nfor,itself\""
            let table = ["a,b", "1,2", cell + ",3", "4,5"].joined(separator: end) + end
            let rows = try Imported(
                table, as: JSONLinesReader(mapping, of: .csv), skipsBad: true, piece: piece, limit: 100)
            #expect(try rows.states.compactMap { $0.object?["state"] } == [["a": 1, "b": 2], ["a": 4, "b": 5]])
            #expect(rows.work.run.problems.lineNumbers == "3")
        }
        let events = Self.event("ADDED") + "\n" + long
        #expect(fault(of: events, as: defined("kubernetes"), limit: 100)?.fault == .tooLong(limit: 100))
    }
}
