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
            #"{"a":{"c":2},"list":["x"]}"#,
            #"{"a":{},"c":2,"d":3,"list":["x","y"]}"#,
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
            mapping.name = try Self.question(
                "--name", ".n | if . == \"bad\" then error(\"no\") else . end")
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
        #expect(run.work.run.problems.count == 4 && run.work.run.problems.lineNumbers == "2, 4 to 5, 7")
        #expect(try run.states == [["state": 1], ["state": 4]])
        let marks = try run.records(.mark)
        #expect(marks.count == 4 && marks.allSatisfy { $0["level"] == "warning" })
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

    @Test("random states come back at their positions, whatever the pieces they are read in", arguments: 0..<12)
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
        "a time is told by its size or its form",
        arguments: [
            ("1700000000", 1_700_000_000_000_000), ("1700000000.25", 1_700_000_000_250_000),
            ("1700000000123", 1_700_000_000_123_000), ("1700000000123456", 1_700_000_000_123_456),
            ("1700000000123456789", 1_700_000_000_123_456), ("\"1700000000\"", 1_700_000_000_000_000),
            ("\"2023-11-14T22:13:20Z\"", 1_700_000_000_000_000),
            ("\"2023-11-14T23:13:20+0100\"", 1_700_000_000_000_000),
            ("\"2023-11-14 22:13:20,250\"", 1_700_000_000_250_000), ("\"2023/11/14 22:13:20\"", 1_700_000_000_000_000),
            ("\"2023-11-14 22:13:20.5+00\"", 1_700_000_000_500_000), ("0", 0), ("-5", -5_000_000),
        ])
    func times(text: String, microseconds: Int) throws {
        #expect(SourceTime.moment(of: try json(text))?.microseconds == microseconds)
    }

    @Test(
        "what is no time is none",
        arguments: ["true", "\"\"", "\"yesterday\"", "\"2023-11-14\"", "[]", "1e300", "\"2023-11-14T22:13:20 ABC\""])
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
