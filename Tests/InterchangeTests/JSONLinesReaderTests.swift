import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import QueryLanguage
import TestSupport
import Testing

@Suite("Logs of JSON lines")
struct JSONLinesReaderTests {
    private static func question(_ option: String, _ text: String) throws -> LineMapping.Question {
        LineMapping.Question(option, try Query(text))
    }

    private static func reader(_ edit: (inout LineMapping) throws -> Void) rethrows -> JSONLinesReader {
        var mapping = LineMapping()
        try edit(&mapping)
        return JSONLinesReader(mapping)
    }

    @Test("the first line of a store opens it, and a later one is a commit of what differs")
    func states() throws {
        let reader = try Self.reader { mapping in
            mapping.store = try Self.question("--store", ".who")
            mapping.state = try Self.question("--state", ".state")
            mapping.name = try Self.question("--name", ".what")
            mapping.time = try Self.question("--time", ".at")
            mapping.at = try Self.question("--at", ".src")
        }
        let run = try Imported(
            """
            {"who":"a","state":{"n":1,"m":[1,2]},"what":"begin","at":1700000000.5,"src":"a.go:7"}
            {"who":"b","state":{"x":null},"what":"begin","at":1700000001,"src":{"file":"b.go","line":3,"func":"f"}}
            {"who":"a","state":{"n":2,"m":[1,2]},"what":"step","at":"2023-11-14T22:13:22Z"}
            """, as: reader)
        #expect(
            try run.states == [
                json(#"{"a":{"m":[1,2],"n":1},"b":{"x":null}}"#), json(#"{"a":{"m":[1,2],"n":2},"b":{"x":null}}"#),
            ])
        let commit = try #require(try run.records(.commit).first)
        #expect(try commit["patch"] == json(#"[{"op":"replace","path":"/n","value":2,"old":1}]"#))
        #expect(commit["name"] == "step" && commit["time"] == "2023-11-14T22:13:22.000000Z")
        #expect(try commit["at"] == json(#"{"file":"in.txt","line":3,"column":1,"function":""}"#))
        let stores = try run.records(.store)
        #expect(stores[0]["time"] == "2023-11-14T22:13:20.500000Z")
        #expect(try stores[0]["at"] == json(#"{"file":"a.go","line":7,"column":1,"function":""}"#))
        #expect(try stores[1]["at"] == json(#"{"file":"b.go","line":3,"column":1,"function":"f"}"#))
    }

    @Test("values at paths, merge patches and patches change what was there, and each can be undone")
    func changes() throws {
        let reader = try Self.reader { mapping in
            mapping.patch = try Self.question("--patch", ".patch")
            mapping.merge = try Self.question("--merge", ".merge")
            mapping.sets = [
                (JSONPointer(["a", "b"]), try Self.question("--set", ".b")),
                (JSONPointer(["list", "-"]), try Self.question("--set", ".item")),
            ]
            mapping.initial = ["list": []]
        }
        let run = try Imported(
            """
            {"b":1}
            {"item":"x","b":null}
            {"merge":{"a":{"b":null,"c":2}}}
            {"nothing":1}
            {"patch":[{"op":"add","path":"/list/-","value":"y"},{"op":"move","from":"/a/c","path":"/c"},{"op":"copy","from":"/c","path":"/d"},{"op":"test","path":"/d","value":2},{"op":"add","path":"/d","value":3}]}
            """, as: reader)
        let expected = [
            #"{"list":[]}"#, #"{"a":{"b":1},"list":[]}"#, #"{"a":{"b":null},"list":["x"]}"#,
            #"{"a":{"c":2},"list":["x"]}"#, #"{"a":{},"c":2,"d":3,"list":["x","y"]}"#,
        ]
        #expect(try run.states.compactMap { $0.object?["state"] } == expected.map { try json($0) })
        #expect(run.work.notes == ["1 line without anything that says a state, passed over"])
        for commit in try run.records(.commit) {
            let patch = try JSONPatch(json: try #require(commit["patch"]))
            #expect(throws: Never.self) { try patch.inverted() }
        }
    }

    @Test("lines that are no JSON, fail a query or do not fit are counted, told with their numbers, and marked")
    func badLines() throws {
        let reader = try Self.reader { mapping in
            mapping.state = try Self.question("--state", ".s")
            mapping.time = try Self.question("--time", ".t")
            mapping.name = try Self.question("--name", ".n | if . == \"bad\" then error(\"no\") else . end")
        }
        let text = """
            {"s":1}
            panic: something

            {"s":2,"t":[]}
            {"s":3,"n":"bad"}
            {"s":4}
            {"s":
            """
        let run = try Imported(text, as: reader, skipsBad: true)
        // A time and a name that cannot be read cost themselves alone.
        #expect(run.work.run.problems.count == 2 && run.work.run.problems.lineNumbers == "2, 7")
        #expect(try run.states == [["state": 1], ["state": 2], ["state": 3], ["state": 4]])
        let marks = try run.records(.mark)
        #expect(marks.count == 2 && marks.allSatisfy { $0["level"] == "warning" })
        let error = try #require(fault(of: text, as: reader))
        #expect(error.line == 2)
        #expect(error.diagnostic.message == "this is no JSON: 'p' where a value is expected")
    }

    @Test("a cause is an earlier line by its number or id, and marks and ends of stores are what the queries say")
    func causesMarksAndEnds() throws {
        let reader = try Self.reader { mapping in
            mapping.store = try Self.question("--store", ".s")
            mapping.state = try Self.question("--state", ".v")
            mapping.id = try Self.question("--id", ".id")
            mapping.cause = try Self.question("--cause", ".by")
            mapping.mark = try Self.question("--mark", ".say")
            mapping.close = try Self.question("--close", ".gone")
        }
        let run = try Imported(
            """
            {"s":"a","v":0,"id":"x0"}
            {"s":"a","v":1,"id":"x1"}
            {"say":"tapped"}
            {"s":"b","v":0}
            {"s":"b","v":2,"by":"x1"}
            {"s":"b","gone":true}
            {"s":"a","v":3,"by":"who"}
            """, as: reader)
        let commits = try run.records(.commit)
        #expect(commits.map { $0["cause"] } == [nil, 1, nil])
        #expect(try run.records(.mark).map { $0["text"] } == ["tapped"])
        #expect(try run.states.last == ["a": 3])
        #expect(run.work.notes.count == 1 && run.work.notes[0].contains("1 commit with a cause"))
        #expect(fault(of: #"{"s":"b","gone":true}"#, as: reader)?.fault == .storeNotOpen("b"))
    }

    @Test("where it does not hold, a line is none; a prefix is cut off")
    func whereAndPrefix() throws {
        let reader = try Self.reader { mapping in
            mapping.where = try Self.question("--where", ".tag == \"trace\"")
            mapping.state = try Self.question("--state", ".v")
            mapping.cutsPrefix = true
        }
        let run = try Imported(
            """
            12:00 [info] {"tag":"trace","v":[1]}
            {"tag":"other","v":[7]}
            [worker 3] {"tag":"trace","v":[2]}
            """, as: reader)
        #expect(try run.states == [["state": [1]], ["state": [2]]])
        #expect(run.work.notes == ["'--where' does not hold of 1 line"])
    }

    // MARK: What a query sees beside the line

    @Test("'$old' is the state of the line's store before it, so that events fold into states")
    func old() throws {
        let reader = try Self.reader { mapping in
            mapping.store = try Self.question("--store", ".who // \"state\"")
            mapping.sets = [
                (JSONPointer(["sum"]), try Self.question("--set", "($old.sum // 0) + .a")),
                (JSONPointer(["first"]), try Self.question("--set", "$old == null")),
            ]
        }
        let run = try Imported(#"{"a":1}"# + "\n" + #"{"a":2,"who":"b"}"# + "\n{\"a\":2}\n{\"a\":5}", as: reader)
        #expect(try run.last() == json(#"{"first":false,"sum":8}"#))
        #expect(try run.last("b") == json(#"{"first":true,"sum":2}"#))
        let whole = try Self.reader { $0.state = try Self.question("--state", "($old // []) + [.a]") }
        #expect(try Imported("{\"a\":1}\n{\"a\":2}\n{\"a\":5}", as: whole).last() == [1, 2, 5])
        let merge = try Self.reader { $0.merge = try Self.question("--merge", "{n: (($old.n // 10) + .a)}") }
        #expect(try Imported("{\"a\":1}\n{\"a\":2}", as: merge).last() == ["n": 13])
        let patch = try Self.reader { mapping in
            mapping.patch = try Self.question(
                "--patch", #"[{op: "add", path: "/n", value: (($old.n // 0) + .a)}]"#)
        }
        #expect(try Imported("{\"a\":1}\n{\"a\":2}", as: patch).last() == ["n": 3])
    }

    @Test("'$seq' is the last commit, and '$store', '$time', '$name', '$at' what the line says so far")
    func kin() throws {
        let reader = try Self.reader { mapping in
            mapping.store = try Self.question("--store", ".s")
            mapping.time = try Self.question("--time", ".t")
            mapping.name = try Self.question("--name", #""\($store)/\($time)/\($name)""#)
            mapping.state = try Self.question("--state", "[$seq, $store, $time, $name, $at.line]")
        }
        let run = try Imported(
            """
            {"s":"x","t":1700000000}
            {"s":"x","t":1700000001}
            {"s":"x"}
            """, as: reader)
        let (one, two) = ("2023-11-14T22:13:20.000000Z", "2023-11-14T22:13:21.000000Z")
        #expect(
            try run.states.map { $0.object?["x"] } == [
                [0, "x", .string(one), .string("x/\(one)/null"), 1],
                [0, "x", .string(two), .string("x/\(two)/null"), 2], [1, "x", .null, "x/null/null", 3],
            ])
    }

    @Test("'--where' and '--store' see the last line that said a state, and what its store is now")
    func before() throws {
        let reader = try Self.reader { mapping in
            mapping.where = try Self.question("--where", ".v != $old")
            mapping.store = try Self.question("--store", ".s // $store")
            mapping.state = try Self.question("--state", ".v")
            mapping.mark = try Self.question("--mark", ".m")
        }
        let run = try Imported(
            """
            {"s":"a","v":1}
            {"v":1}
            {"m":"said"}
            {"v":2}
            {"s":"b","v":2}
            {"s":"b","v":7}
            {"v":8}
            """, as: reader)
        #expect(try run.states == [["a": 1], ["a": 2, "b": 7], ["a": 2, "b": 8]])
        #expect(run.work.notes.contains("'--where' does not hold of 2 lines"))
    }

    @Test("only a query that names '$old' pays for the state: no state is copied for the others")
    func oldIsLookedUpWhereItIsNamed() throws {
        let elements = (0..<20_000).map { "{\"id\":\($0)}" }.joined(separator: ",")
        let text =
            "{\"patch\":[{\"op\":\"add\",\"path\":\"/l\",\"value\":[\(elements)]}]}\n"
            + (0..<200).map { #"{"patch":[{"op":"replace","path":"/l/\#($0)","value":{"id":-1}}]}"# }
            .joined(separator: "\n")
        func seconds(_ patch: String) throws -> Double {
            let reader = try Self.reader { $0.patch = try Self.question("--patch", patch) }
            var work = JournalImport(reader, of: "in.txt", time: Timestamp(microseconds: 0), skipsBad: false)
            let seconds = try ProcessorTime.seconds {
                try Array(text.utf8).withBytes { try work.read($0) }
                try work.finish()
            }
            #expect(work.run.lastCommit.rawValue == 201)
            return seconds
        }
        // A query that looks at '$old' and lets go of it costs no copy of the list either.
        let (plain, old) = (try seconds(".patch"), try seconds("select($old != 1) | .patch"))
        #expect(old < 3 * plain + 0.5, "\(old) after \(plain)")
    }

    // MARK: Several records of a line, several outputs, and none

    @Test("each output of '--each' is a record, and what does not fit is left out alone")
    func each() throws {
        let reader = try Self.reader { mapping in
            mapping.each = try Self.question("--each", ".logs[].records[]")
            mapping.where = try Self.question("--where", ".kind != \"other\"")
            mapping.state = try Self.question("--state", "{total: (.total | tonumber)}")
            mapping.time = try Self.question("--time", ".t")
        }
        let text = """
            {"logs":[{"records":[{"total":"9","t":1},{"total":"8","t":2}]},{"records":[{"kind":"other"},{"total":"7","t":3}]}]}
            {"logs":[]}
            {"logs":[{"records":[{"total":"x","t":4},{"total":"-1","t":5}]}]}
            """
        let run = try Imported(text, as: reader, skipsBad: true)
        #expect(try run.states == [9, 8, 7, -1].map { ["state": ["total": $0]] })
        #expect(
            try run.records(.commit).map { $0["time"]?.string?.suffix(10) } == [
                "02.000000Z", "03.000000Z", "05.000000Z",
            ])
        #expect(run.work.run.problems.count == 1 && run.work.run.problems.lineNumbers == "3")
        #expect(run.work.warnings == [])
        #expect(fault(of: text, as: reader)?.line == 3)
    }

    @Test("several outputs of a query are counted by their lines, and the first is taken")
    func severalOutputs() throws {
        let reader = try Self.reader { mapping in
            mapping.state = try Self.question("--state", ".l[]")
            mapping.where = try Self.question("--where", ".l[] > 0")
        }
        let run = try Imported("{\"l\":[1]}\n{\"l\":[2,3]}\n{\"l\":[4,5,6]}", as: reader)
        #expect(try run.states == [["state": 1], ["state": 2], ["state": 4]])
        #expect(run.work.warnings == [.several(option: "--state", lines: 2, first: 2)])
        #expect(
            run.work.warnings[0].diagnostic.message
                == "'--state' gives several outputs on 2 lines, the first of them line 2")
        // What comes after the first output is evaluated: where it fails, the line does not fit.
        let failing = try Self.reader { $0.state = try Self.question("--state", ".a, error(\"no\")") }
        #expect(fault(of: "{\"a\":1}", as: failing)?.line == 1)
    }

    /// An option, its query, and what is reported of it after lines of `{"ts":…,"msg":…,"a":{"user":…},"cart":…}`; nil for nothing.
    private static let silent: [(String, String, String?, Bool)] = [
        ("--time", ".tss", "write '.ts'", true), ("--name", ".mgs", "write '.msg'", true),
        ("--at", ".callr", "there is '.a', '.cart', '.msg', '.ts'", true),
        ("--time", ".a.usr", "write '.a.user'", true),
        ("--name", ".mgs | ascii_upcase? // empty", "write '.msg'", true),
        ("--mark", ".mrk", "there is '.a', '.cart', '.msg', '.ts'", false),
        ("--close", ".crat == 1", "write '.cart'", false), ("--set", ".a.usre", "write '.a.user'", false),
        ("--where", ".mgs == \"x\"", "write '.msg'", true), ("--close", ".cart == 77", nil, false),
        ("--mark", ".msg | select(. == \"never\")", nil, false), ("--name", ".msg", nil, false),
        ("--time", "empty", nil, true),
    ]

    @Test("a query that gives nothing on any line is reported with the nearest name", arguments: silent)
    func silentQueries(option: String, query: String, help: String?, leavesDoubt: Bool) throws {
        let reader = try Self.reader { mapping in
            let question = try Self.question(option, query)
            mapping.state = try Self.question("--state", ".cart")
            switch option {
            case "--time": mapping.time = question
            case "--name": mapping.name = question
            case "--at": mapping.at = question
            case "--mark": mapping.mark = question
            case "--close": mapping.close = question
            case "--where": mapping.where = question
            default:
                (mapping.state, mapping.sets) = (
                    nil,
                    [
                        (JSONPointer(["x"]), try Self.question("--set", ".cart")), (JSONPointer(["y"]), question),
                    ]
                )
            }
        }
        let text = (1...3).map { #"{"ts":\#($0),"msg":"m","a":{"user":"u"},"cart":\#($0)}"# }.joined(separator: "\n")
        var work = JournalImport(reader, of: "in.txt", time: Timestamp(microseconds: 0), skipsBad: false)
        try Array(text.utf8).withBytes { try work.read($0) }
        try work.finish()
        let warnings = work.warnings
        guard help != nil || leavesDoubt else {
            #expect(warnings == [])
            return
        }
        #expect(warnings.count == 1 && warnings.first?.diagnostic.message.hasPrefix("'\(option)' ") == true)
        #expect(warnings.first?.diagnostic.help == help.map { [$0] } ?? [])
        #expect(warnings.first?.leavesDoubt == leavesDoubt)
    }

    @Test("a time that falls back is that of the record before, and is counted")
    func fallenTimes() throws {
        let reader = try Self.reader { mapping in
            mapping.state = try Self.question("--state", ".v")
            mapping.time = try Self.question("--time", ".t")
        }
        let run = try Imported("{\"v\":1,\"t\":20}\n{\"v\":2,\"t\":10}\n{\"v\":3}\n{\"v\":4,\"t\":30}", as: reader)
        #expect(run.work.run.fallenTimes == 1)
        #expect(
            try run.records(.commit).map { $0["time"]?.string?.suffix(10) } == [
                "20.000000Z", "20.000000Z", "30.000000Z",
            ])
    }

    @Test("elements are matched by the member that is given")
    func key() throws {
        let reader = try Self.reader { $0.state = try Self.question("--state", ".") }
        let text = #"[{"k":1,"v":1},{"k":2,"v":2}]"# + "\n" + #"[{"k":2,"v":3},{"k":1,"v":1}]"#
        let run = try Imported(text, as: reader, identities: ["k"])
        let patch = try #require(try run.records(.commit)[0]["patch"])
        #expect(
            try patch
                == json(#"[{"op":"move","path":"/0","from":"/1"},{"op":"replace","path":"/0/v","value":3,"old":2}]"#)
                || patch
                    == json(
                        #"[{"op":"move","path":"/1","from":"/0"},{"op":"replace","path":"/0/v","value":3,"old":2}]"#)
        )
    }

    @Test("random states come back at their positions, whatever the pieces they are read in", arguments: seeds(0..<12))
    func replays(seed: UInt64) throws {
        var values = RandomJSON(seed: seed)
        var states: [JSONValue] = []
        for _ in 1...40 { states.append(values.state()) }
        let pad = String(repeating: "x", count: 4_000)
        let text = states.enumerated().map { index, state in
            JSONValue.object(["state": state, "pad": .string(pad + "\(index)")]).text()
        }.joined(separator: "\n")
        let reader = try Self.reader { $0.state = try Self.question("--state", "{state, pad}") }
        let run = try Imported(text, as: reader, piece: 1 + values.below(9000))
        #expect(try run.states.compactMap { $0.object?["state"]?.object?["state"] } == states, "seed \(seed)")
        #expect(try !run.records(.keyframe).isEmpty)
    }

    @Test("a line too long, and nothing at all, are refused with the line")
    func limits() throws {
        let reader = try Self.reader { $0.state = try Self.question("--state", ".") }
        #expect(fault(of: "", as: reader)?.fault == .empty)
        #expect(fault(of: "\n \n", as: reader)?.fault == .empty)
        let long = "1\n\"" + String(repeating: "x", count: 200) + "\"\n2"
        let error = try #require(fault(of: long, as: reader, limit: 100))
        #expect(error.line == 2 && error.fault == .tooLong(limit: 100))
        let run = try Imported(long, as: reader, skipsBad: true, piece: 30, limit: 100)
        #expect(try run.states == [["state": 1], ["state": 2]] && run.work.run.problems.lineNumbers == "2")
    }
}

@Suite("Times and places of other programs")
struct SourceTimeTests {
    @Test(
        "the first time before the JSON of a line is the line's, unless a query says one",
        arguments: [
            ("2026-01-01 10:00:08 INFO app: ", "2026-01-01T10:00:08.000000Z"),
            ("[2026-01-01 10:00:08,250] INFO ", "2026-01-01T10:00:08.250000Z"),
            ("2026-01-01T10:00:08.123456789Z stdout F ", "2026-01-01T10:00:08.123456Z"),
            ("app-1 | 2026/01/01 10:00:08 x ", "2026-01-01T10:00:08.000000Z"),
            ("ERROR (2026-01-01T12:00:08+02:00) ", "2026-01-01T10:00:08.000000Z"),
            ("2026-01-01 12:00:08 +0200 - ", "2026-01-01T10:00:08.000000Z"),
            ("127.0.0.1 - - [01/Jan/2026:10:00:08 +0000] ", "2026-01-01T10:00:08.000000Z"),
            ("web-1  | 2026-01-01T10:00:08.5Z ", "2026-01-01T10:00:08.500000Z"),
            ("2026-01-01 10:00:08.5 UTC [42] LOG: ", "2026-01-01T10:00:08.500000Z"),
            ("1767261608.5 ", "2026-01-01T10:00:08.500000Z"), ("[1767261608000] ", "2026-01-01T10:00:08.000000Z"),
            ("job 20260101 took 12 of 1000: ", nil), ("INFO app: ", nil), ("10:00:08 ", nil), ("", nil),
        ])
    func prefixTimes(prefix: String, time: String?) throws {
        var mapping = LineMapping()
        mapping.state = .init("--state", try Query("."))
        mapping.cutsPrefix = true
        let text = prefix + #"{"a":1,"t":5}"# + "\n" + prefix + #"{"a":2,"t":6}"# + "\n"
        let run = try Imported(text, as: JSONLinesReader(mapping))
        #expect(run.work.run.hasTime == (time != nil))
        let commit = try #require(try run.records(.commit).first)
        #expect(commit["time"]?.string == time ?? "1970-01-01T00:00:00.000000Z")
        mapping.time = .init("--time", try Query(".t"))
        let asked = try Imported(text, as: JSONLinesReader(mapping))
        #expect(try asked.records(.commit).first?["time"]?.string == "1970-01-01T00:00:06.000000Z")
    }

    @Test(
        "a time is told by its size or its form",
        arguments: [
            ("1700000000", 1_700_000_000_000_000), ("1700000000.25", 1_700_000_000_250_000),
            ("1700000000123", 1_700_000_000_123_000), ("1700000000123456", 1_700_000_000_123_456),
            ("1700000000123456789", 1_700_000_000_123_456), ("\"1700000000\"", 1_700_000_000_000_000),
            ("\"2023-11-14T22:13:20Z\"", 1_700_000_000_000_000),
            ("\"2023-11-14T23:13:20+0100\"", 1_700_000_000_000_000),
            ("\"2023-11-14 22:13:20,250\"", 1_700_000_000_250_000), ("\"2023/11/14 22:13:20\"", 1_700_000_000_000_000),
            ("\"2023-11-14 22:13:20.5+00\"", 1_700_000_000_500_000), ("0", 0), ("-5", -5_000_000),
            ("\"2023-11-14 22:13:20.687 UTC\"", 1_700_000_000_687_000), ("\"2023-11-14\"", 1_699_920_000_000_000),
            ("\"2023-11-14 22:13:20 GMT\"", 1_700_000_000_000_000), ("\"20231114T221320Z\"", 1_700_000_000_000_000),
            ("\"2023-11-14T23:13:20+01:00[Europe/Berlin]\"", 1_700_000_000_000_000),
            ("\"2023-11-14T22:13:20Z[UTC]\"", 1_700_000_000_000_000),
            ("\"20231114T231320.25+0100\"", 1_700_000_000_250_000), ("\"20231114221320Z\"", 1_700_000_000_000_000),
            ("\"Tue, 14 Nov 2023 22:13:20 GMT\"", 1_700_000_000_000_000),
            ("\"14 Nov 2023 17:13:20 EST\"", 1_700_000_000_000_000),
            ("\"Tuesday, 14-Nov-23 22:13:20 GMT\"", 1_700_000_000_000_000),
            ("\"Tue Nov 14 22:13:20 2023\"", 1_700_000_000_000_000),
            ("\"Tue Nov 14 22:13:20 UTC 2023\"", 1_700_000_000_000_000),
            ("\"Tue Nov 14 2023 23:13:20 GMT+0100 (Central European Standard Time)\"", 1_700_000_000_000_000),
            ("\"14/Nov/2023:22:13:20 +0000\"", 1_700_000_000_000_000),
            ("\"Nov 14, 2023 10:13:20 PM\"", 1_700_000_000_000_000),
            ("\"2023-11-14 22:13:20.000123 +0000 UTC m=+0.000123\"", 1_700_000_000_000_123),
            ("\"2023-11-14 23:13:20 CET\"", 1_700_000_000_000_000), ("\"2023-11-14T22:13Z\"", 1_699_999_980_000_000),
            ("\"2023.11.14 22:13:20\"", 1_700_000_000_000_000),
            ("{\"$date\":\"2023-11-14T22:13:20Z\"}", 1_700_000_000_000_000),
            ("{\"$date\":{\"$numberLong\":\"1700000000123\"}}", 1_700_000_000_123_000),
            ("{\"$date\":1700000000123}", 1_700_000_000_123_000),
            ("{\"$timestamp\":{\"t\":1700000000,\"i\":1}}", 1_700_000_000_000_000),
            ("{\"seconds\":1700000000,\"nanos\":250000000}", 1_700_000_000_250_000),
            ("{\"seconds\":\"1700000000\"}", 1_700_000_000_000_000),
            ("{\"_seconds\":1700000000,\"_nanoseconds\":1000}", 1_700_000_000_000_001),
            ("\"/Date(1700000000000)/\"", 1_700_000_000_000_000),
        ])
    func times(text: String, microseconds: Int) throws {
        #expect(SourceTime.moment(of: try json(text))?.microseconds == microseconds)
    }

    @Test(
        "what is no time is none",
        arguments: [
            "true", "\"\"", "\"yesterday\"", "[]", "1e300", "\"2023-11-14T22:13:20 ABC\"", "\"2023-02-30\"",
            "\"2023-13-01 00:00:00 UTC\"", "\"2023-11-14T22:13:20[Europe/Berlin]\"", "\"2023-11-14T25:00:00Z\"",
            "\"2023-11-14 22:13:20 and more\"", "\"Nov 14 22:13:20\"", "\"May\"", "\"monday\"", "\" \"",
            "\"/Date(x)/\"",
            "{}", "{\"$date\":[]}", "{\"$date\":{\"$numberLong\":\"99999999999999999999\"}}", "{\"seconds\":true}",
            "{\"seconds\":1,\"nanos\":-1}", "{\"seconds\":\"9223372036854775807\"}",
        ])
    func noTimes(text: String) throws { #expect(SourceTime.moment(of: try json(text)) == nil) }

    @Test("a place is 'file', 'file:line' or 'file:line:column'")
    func places() throws {
        #expect(SourcePlaceText.location(of: "a/b.go:12")?.line == 12)
        #expect(
            SourcePlaceText.location(of: "C:\\a.cs:12:3")
                == SourceLocation(file: "C:\\a.cs", line: 12, column: 3, function: ""))
        #expect(SourcePlaceText.location(of: "main.py")?.line == 0)
        #expect(SourcePlaceText.location(of: 3) == nil && SourcePlaceText.location(of: "") == nil)
    }
}
