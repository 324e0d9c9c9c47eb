import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage
import TestSupport
import Testing

@testable import Interchange

/// Logs as people have them: what stands between, above and before the records, and when these were made.
@Suite("Logs as people have them")
struct LogsOfPeopleTests {
    private static func reader(_ options: [String: String], _ format: ImportFormat = .jsonl) throws -> JSONLinesReader {
        var mapping = LineMapping()
        var environment = QueryEnvironment.empty
        environment.readsLines = true
        func question(_ name: String) throws -> LineMapping.Question? {
            try options[name].map { .init("--" + name, try Query($0, in: environment)) }
        }
        mapping.state = try question("state")
        mapping.before = try question("before")
        mapping.each = try question("each")
        mapping.time = try question("time")
        mapping.name = try question("name")
        mapping.at = try question("at")
        mapping.cutsPrefix = options["prefix"] != nil
        return JSONLinesReader(mapping, of: format)
    }

    private static func import_(
        _ text: String, _ options: [String: String] = ["state": ".s"], _ format: ImportFormat = .jsonl,
        piece: Int = .max
    ) throws -> Imported { try Imported(text, as: reader(options, format), skipsBad: true, piece: piece) }

    private func times(_ run: Imported) throws -> [String?] {
        try (run.records(.store) + run.records(.commit)).map { $0["time"]?.string }
    }

    // MARK: Between the records

    @Test(
        "bytes of zero, separators, carriage returns and marks between whole records lose nothing",
        arguments: [
            "{\"s\":1}\n\0\0\0{\"s\":2}\n{\"s\":3}\n", "{\"s\":1}\0\0\n{\"s\":2}\n{\"s\":3}",
            "{\"s\":1}\0{\"s\":2}\0\0{\"s\":3}\0", "\0\0{\"s\":1}\n\n\n \n{\"s\":2}\n\0\n{\"s\":3}\n",
            "\u{1E}{\"s\":1}\n\u{1E}{\"s\":2}\n\u{1E}{\"s\":3}\n", "{\"s\":1}\r{\"s\":2}\r{\"s\":3}\r",
            "{\"s\":1}\r\n{\"s\":2}\r\n{\"s\":3}\r\n", "\u{FEFF}{\"s\":1}\n\u{FEFF}{\"s\":2}\n{\"s\":3}\n",
            "\u{FEFF}{\"s\":1}\u{FEFF}{\"s\":2}\n{\"s\":3}", "{\"s\":1}\n \u{FEFF} {\"s\":2}\n{\"s\":3}",
        ], [1, 3, .max])
    func between(text: String, piece: Int) throws {
        let run = try Self.import_(text, piece: piece)
        #expect(try run.states == [["state": 1], ["state": 2], ["state": 3]])
        #expect(run.work.run.problems.count == 0)
    }

    @Test("a record that is cut off costs itself alone", arguments: [1, .max])
    func cutOff(piece: Int) throws {
        let run = try Self.import_("{\"s\":1}\n{\"s\"\0\0\0{\"s\":2}\n\u{1E}{\"s\u{1E}{\"s\":3}\n", piece: piece)
        #expect(try run.states == [["state": 1], ["state": 2], ["state": 3]])
        #expect(run.work.run.problems.count == 2)
    }

    @Test("bytes that are no UTF-8 become U+FFFD, and are counted", arguments: [ImportFormat.jsonl, .csv])
    func latin1(format: ImportFormat) throws {
        let text = format == .csv ? "s\ncaf#\nok\nna#ve\n" : "{\"s\":\"caf#\"}\n{\"s\":\"ok\"}\n{\"s\":\"na#ve\"}\n"
        let bytes = Array(text.utf8).map { $0 == UInt8(ascii: "#") ? 0xE9 : $0 }
        var work = JournalImport(
            try Self.reader(["state": ".s"], format), of: "in.txt", time: Timestamp(microseconds: 0), skipsBad: true)
        try bytes.withBytes { try work.read($0) }
        try work.finish()
        #expect(work.run.lastCommit == CommitNumber(2) && work.run.problems.count == 0)
        #expect(work.run.state(of: "state") == "na\u{FFFD}ve")
        let line = format == .csv ? 2 : 1
        #expect(work.notes == ["bytes that are no UTF-8 became U+FFFD in 2 texts, the first of them in line \(line)"])
    }

    @Test(
        "what is no text is named",
        arguments: [
            ([0xFF, 0xFE, 0x7B, 0], "UTF-16"), ([0x7B, 0, 0x22, 0, 0x61, 0], "UTF-16LE"),
            ([0, 0x7B, 0, 0x22, 0, 0x61], "UTF-16BE"), (Array("SQLite format 3\0".utf8), "an SQLite database"),
            ([0x50, 0x4B, 3, 4, 9, 9], "a zip archive"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "a file packed with xz"),
            (Array("BZh91AY".utf8), "a file packed with bzip2"),
        ])
    func noText(bytes: [UInt8], name: String) throws {
        var work = JournalImport(try Self.reader(["state": "."]), of: "x", time: .now(), skipsBad: true)
        let error = #expect(throws: ImportError.self) { try bytes.withBytes { try work.read($0) } }
        #expect(error?.fault == .encoding(name))
    }

    // MARK: Tables

    @Test(
        "a table is read whatever stands above it and between its cells",
        arguments: [
            "a,b\n1,x\n2,y\n", "sep=;\na;b\n1;x\n2;y\n", "\u{FEFF}SEP=|\r\na|b\r\n1|x\r\n2|y\r\n", "a,b\r1,x\r2,y\r",
            "# made today, by hand\n\na,b\n1,x\n2,y\n", "#comment\na|b\n1|x\n2|y", "a\tb\r1\t\"x\"\r2\ty",
            "a,b\n1,\"x\" \n2,y\n",
        ], [1, .max])
    func tables(text: String, piece: Int) throws {
        let run = try Self.import_(text, ["state": "."], .csv, piece: piece)
        #expect(try run.states == [["state": ["a": 1, "b": "x"]], ["state": ["a": 2, "b": "y"]]])
        #expect(run.work.run.problems.count == 0)
    }

    @Test("names that several columns have are numbered, and said; text after a closing quote is refused")
    func heads() throws {
        let run = try Self.import_("a,a,,a\n1,2,3,4\n", ["state": "."], .csv)
        #expect(try run.last() == ["a": 1, "a_2": 2, "a_3": 4, "column3": 3])
        #expect(run.work.notes == ["several columns are called 'a': the second is 'a_2'"])
        let bad = try Self.import_("a,b\n1,\"x\"y\n2,z\n", ["state": "."], .csv)
        #expect(bad.work.run.problems.lineNumbers == "2")
        #expect(try bad.states == [["state": ["a": 2, "b": "z"]]])
        let own = try Self.import_("#id,n\n1,2\n", ["state": "."], .csv)
        #expect(try own.last() == ["#id": 1, "n": 2])
    }

    // MARK: Times

    @Test(
        "records before the first time that is read get that one",
        arguments: [
            "x\n{\"s\":1,\"t\":\"2023-11-14T22:13:20Z\"}\n{\"s\":2,\"t\":\"2023-11-14T22:13:21Z\"}\n",
            "{\"s\":1}\n{\"s\":2,\"t\":\"2023-11-14T22:13:20Z\"}\n{\"s\":3,\"t\":\"2023-11-14T22:13:21Z\"}\n",
            "{\"s\":1,\"t\":null}\n{\"s\":2,\"t\":\"2023-11-14T22:13:20Z\"}\n{\"s\":3,\"t\":1700000001}\n",
            "{\"s\":1,\"t\":\"-\"}\n{\"s\":2,\"t\":1700000000}\n{\"s\":3,\"t\":1700000001}\n",
            "{\"s\":1,\"t\":\"boot\"}\n{\"s\":2}\n{\"s\":3,\"t\":1700000000}\n",
            "{\"s\":1}\n{\"s\":2,\"t\":1700000000}",
        ], [1, .max])
    func firstTime(text: String, piece: Int) throws {
        let run = try Self.import_(text, ["state": ".s", "time": ".t"], piece: piece)
        #expect(try times(run).first == "2023-11-14T22:13:20.000000Z")
        #expect(run.work.run.fallenTimes == 0)
        #expect(try run.last() == json(text.contains("3,") ? "3" : "2"))
    }

    @Test("a time, a name or a place that cannot be read costs itself alone, and is said")
    func unread() throws {
        let text = "{\"s\":1,\"t\":5,\"n\":1}\n{\"s\":2,\"t\":\"soon\",\"n\":[]}\n{\"s\":3,\"t\":7,\"n\":{}}\n"
        let options = ["state": ".s", "time": ".t", "name": ".n + 1 | tostring", "at": ".n"]
        let run = try Self.import_(text, options)
        #expect(try run.states == [["state": 1], ["state": 2], ["state": 3]])
        #expect(
            try times(run) == [
                "1970-01-01T00:00:05.000000Z", "1970-01-01T00:00:05.000000Z", "1970-01-01T00:00:07.000000Z",
            ])
        let words = run.work.warnings.map { $0.diagnostic.message }
        #expect(
            Set(words) == [
                "'--time' is not read of 1 line, the first of them line 2",
                "'--name' is not read of 2 lines, the first of them line 2",
                "'--at' is not read of 3 lines, the first of them line 1",
            ])
        #expect(run.work.warnings.allSatisfy { $0.leavesDoubt })
        #expect(throws: ImportError.self) { try Imported(text, as: Self.reader(options)) }
    }

    @Test("a log that is newest first is read from its end", arguments: [1, .max])
    func newestFirst(piece: Int) throws {
        let texts = [
            "{\"s\":3,\"t\":30}\n{\"s\":2,\"t\":20}\n{\"s\":1,\"t\":10}\n",
            "{\"s\":4,\"t\":30}\n{\"s\":3,\"t\":20}\n{\"s\":2,\"t\":20}\nx\n{\"s\":1}\n{\"s\":0,\"t\":10}",
        ]
        for (index, text) in texts.enumerated() {
            let run = try Self.import_(text, ["state": ".s", "time": ".t"], piece: piece)
            #expect(run.work.isNewestFirst && run.work.run.fallenTimes == 0)
            #expect(try run.states.compactMap { $0.object?["state"] } == (index == 0 ? [1, 2, 3] : [0, 1, 2, 3, 4]))
            #expect(run.work.notes.contains("the newest record stands first: it is read from its end"))
            let lines = try run.records(.commit).compactMap { $0["at"]?.object?["line"] }
            #expect(lines == (index == 0 ? [2, 1] : [5, 3, 2, 1]))
        }
        let events = "{\"e\":[{\"s\":3,\"t\":30},{\"s\":2,\"t\":20},{\"s\":1,\"t\":10}]}"
        let run = try Self.import_(events, ["each": ".e[]", "state": ".s", "time": ".t"], piece: piece)
        #expect(try run.states == [["state": 1], ["state": 2], ["state": 3]])
    }

    @Test(
        "a log whose clock was set back once, or that rises, is not turned round",
        arguments: [[10, 20, 30], [20, 10], [30, 10, 20], [10, 10, 10], [30, 20, 40, 50], [5]])
    func oldestFirst(times: [Int]) throws {
        let text = times.enumerated().map { "{\"s\":\($0),\"t\":\($1)}\n" }.joined()
        let run = try Self.import_(text, ["state": ".s", "time": ".t"])
        #expect(!run.work.isNewestFirst)
        #expect(try run.states.count == times.count)
    }

    @Test("a long log that is newest first is refused where it is not at hand, and read from its end by lines")
    func longNewestFirst() throws {
        let filling = String(repeating: "x", count: 1000)
        let lines = (1...1500).map { "{\"s\":\($0),\"t\":\($0),\"f\":\"\(filling)\"}\n" }
        let reader = try Self.reader(["state": ".s", "time": ".t"])
        let error = #expect(throws: ImportError.self) { try Imported(lines.reversed().joined(), as: reader) }
        #expect(error?.fault == .newestFirst)
        var work = JournalImport(
            reader, of: "x", time: Timestamp(microseconds: 0), skipsBad: true, lastLine: lines.count)
        try Array(lines.joined().utf8).withBytes { try work.read($0) }
        try work.finish()
        #expect(work.isNewestFirst && work.run.lastCommit == CommitNumber(1499))
        #expect(work.run.state(of: "state") == 1500)
    }

    @Test("'$prefix' is the text before the JSON, whose time counts where the line has none")
    func prefixes() throws {
        let text = "2024-01-02T03:04:05Z stdout F {\"s\":1}\n2024-01-02T03:04:06Z stderr F {\"s\":2,\"t\":1800000000}\n"
        let run = try Self.import_(
            text, ["state": ".s", "time": ".t", "name": "$prefix | split(\" \")[1]", "prefix": ""])
        #expect(try times(run) == ["2024-01-02T03:04:05.000000Z", "2027-01-15T08:00:00.000000Z"])
        #expect(try run.records(.commit).first?["name"] == "stderr")
        let plain = try Self.import_("{\"s\":1}\n{\"s\":2}", ["state": ".s", "name": "$prefix // \"none\""])
        #expect(try plain.records(.commit).first?["name"] == "none")
    }

    @Test(
        "a time that those around it contradict costs its record that time alone",
        arguments: [
            // In the middle, at the front, the clock set back, and twice.
            ([1_700_000_000, 4_070_908_800, 1_700_000_001, 1_700_000_002], [0, 0, 1, 2], 1),
            ([4_070_908_800, 1_700_000_000, 1_700_000_001, 1_700_000_002], [0, 0, 1, 2], 1),
            ([4_070_908_800, 1_700_000_000, 1_700_000_000, 1_700_000_002], [0, 0, 0, 2], 1),
            ([1_700_000_000, 10, 1_700_000_001, 1_700_000_002], [0, 0, 1, 2], 0),
            ([1_700_000_000, 4_070_908_800, 1_700_000_001, 4_070_908_800, 1_700_000_002], [0, 0, 1, 1, 2], 2),
            // A night without records, and a few seconds out of order, are no such times.
            ([1_700_000_000, 1_700_050_000, 1_700_050_001], [0, 50_000, 50_001], 0),
            ([1_700_000_000, 1_700_050_000, 1_700_049_990, 1_700_050_001], [0, 50_000, 50_000, 50_001], 0),
        ], [1, .max])
    func oddTimes(sample: (times: [Int], expected: [Int], odd: Int), piece: Int) throws {
        let lines = sample.times.enumerated().map {
            "{\"s\":{\"i\":\($0),\"time\":\"2099-01-01T00:00:00.000000Z\"},\"t\":\($1)}"
        }
        let run = try Self.import_(lines.joined(separator: "\n"), ["state": ".s", "time": ".t"], piece: piece)
        #expect(
            try times(run) == sample.expected.map { Timestamp(microseconds: (1_700_000_000 + $0) * 1_000_000).text })
        #expect(run.work.run.oddTimes == sample.odd)
        #expect(try run.last()?.object?["time"] == "2099-01-01T00:00:00.000000Z")
    }

    // MARK: The state before

    @Test("with the state before it the first event is a commit")
    func before() throws {
        let text = "{\"p\":{\"n\":5},\"s\":{\"n\":-6}}\n{\"p\":{\"n\":-6},\"s\":{\"n\":7}}\n"
        let run = try Self.import_(text, ["state": ".s", "before": ".p"])
        #expect(try run.states == [["state": ["n": 5]], ["state": ["n": -6]], ["state": ["n": 7]]])
        let inserted = try Self.import_("{\"p\":null,\"s\":{\"n\":1}}\n", ["state": ".s", "before": ".p"])
        #expect(try inserted.states == [["state": .null], ["state": ["n": 1]]])
        // A line that does not say it opens the store, as without the option.
        let silent = try Self.import_(
            "{\"s\":{\"n\":1}}\n{\"s\":{\"n\":2},\"p\":3}\n", ["state": ".s", "before": ".p"])
        #expect(try silent.states == [["state": ["n": 1]], ["state": ["n": 2]]])
        var mapping = LineMapping()
        mapping.state = .init("--state", try Query(".s"))
        (mapping.initial, mapping.hasInitial) = (["n": 0], true)
        let initial = try Imported(text, as: JSONLinesReader(mapping))
        #expect(try initial.states.count == 3 && initial.states[0] == ["state": ["n": 0]])
    }

    @Test(
        "'-' makes an array where there is none, and is refused in an object with members",
        arguments: [
            ("/log/-", "{\"log\":[1,2]}"), ("/a/log/-", "{\"a\":{\"log\":[1,2]}}"), ("/-", "[1,2]"),
            ("/log/-/x", "{\"log\":[{\"x\":1},{\"x\":2}]}"), ("/log/-/-", "{\"log\":[[1],[2]]}"),
        ])
    func ends(path: String, state: String) throws {
        var mapping = LineMapping()
        mapping.sets = [(try JSONPointer(parsing: path), .init("--set", try Query(".m")))]
        let run = try Imported("{\"m\":1}\n{\"m\":2}\n", as: JSONLinesReader(mapping))
        #expect(try run.last() == json(state))
        mapping.initial = ["log": ["k": 1], "a": ["log": ["k": 1]], "k": 1]
        #expect(
            fault(of: "{\"m\":1}\n", as: JSONLinesReader(mapping))?.fault.sentence.contains("'-' is the end") == true)
    }

    // MARK: What was undefined

    @Test(
        "a value that was undefined is a member that is not there",
        arguments: [
            ("{\"op\":\"replace\",\"path\":P}", "{\"n\":1}"), ("{\"op\":\"add\",\"path\":P}", "{\"n\":1}"),
            ("{\"op\":\"replace\",\"path\":Q}", "{\"n\":1,\"sel\":1}"),
            ("{\"op\":\"replace\",\"path\":Q,\"value\":2}", "{\"n\":1,\"new\":2,\"sel\":1}"),
            ("{\"op\":\"add\",\"path\":Q}", "{\"n\":1,\"sel\":1}"),
        ], [PatchReader.Dialect.immer, .mobxStateTree, .rfc6902])
    func undefined(example: (operation: String, state: String), dialect: PatchReader.Dialect) throws {
        func path(_ name: String) -> String { dialect == .immer ? "[\"\(name)\"]" : "\"/\(name)\"" }
        let text = "[" + example.operation.replacing("P", with: path("sel")).replacing("Q", with: path("new")) + "]\n"
        let reader = PatchReader(dialect, initial: ["n": 1, "sel": 1])
        guard dialect != .rfc6902 else {
            #expect(fault(of: text, as: reader) != nil)
            return
        }
        let run = try Imported(text, as: reader)
        #expect(try run.last() == json(example.state))
    }

    @Test("an element that was undefined is null, and patches with their inverse are taken in every writing")
    func patches() throws {
        let list = PatchReader(.immer, initial: ["l": [1, 2]])
        #expect(try Imported("[{\"op\":\"replace\",\"path\":[\"l\",1]}]", as: list).last() == ["l": [1, .null]])
        let text =
            "{\"patch\":{\"op\":\"replace\",\"path\":\"/n\",\"value\":2},\"inversePatch\":{\"op\":\"replace\",\"path\":\"/n\",\"value\":1}}\n"
            + "{\"patches\":[{\"op\":\"replace\",\"path\":\"/n\",\"value\":3}],\"inversePatches\":[{\"op\":\"replace\",\"path\":\"/n\",\"value\":2}]}\n"
        let run = try Imported(text, as: PatchReader(.mobxStateTree, initial: ["n": 1]))
        #expect(try run.states == [["state": ["n": 1]], ["state": ["n": 2]], ["state": ["n": 3]]])
        let wrong = text.replacing("\"value\":1}", with: "\"value\":9}")
        #expect(fault(of: wrong, as: PatchReader(.mobxStateTree, initial: ["n": 1]))?.fault == .notInverse)
    }

    @Test("a lifted state without computed states has its actions, which change nothing")
    func noComputedStates() throws {
        let text =
            "{\"actionsById\":{\"0\":{\"action\":{\"type\":\"@@INIT\"},\"timestamp\":1461248785265},\"1\":{\"action\":{\"type\":\"A\"}},"
            + "\"2\":{\"action\":{\"type\":\"B\"}}},\"stagedActionIds\":[0,1,2],\"skippedActionIds\":[2],\"committedState\":{\"n\":1}}"
        let run = try Imported(text, as: ReduxReader())
        #expect(try run.states == [["state": ["n": 1]], ["state": ["n": 1]]])
        #expect(try run.records(.commit).map { $0["name"]?.string } == ["A"])
        #expect(try run.records(.mark).map { $0["text"]?.string } == ["skipped: B"])
        #expect(run.work.notes.count == 1)
        #expect(fault(of: "{\"actionsById\":{\"0\":1},\"stagedActionIds\":[7]}", as: ReduxReader()) != nil)
    }
}
