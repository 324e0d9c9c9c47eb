import Foundation
import Interchange
import JSONCore
import TestSupport
import Testing

@Suite("Formats of other tools, by the command")
struct ForeignFormatTests {
    /// Logs of two services, two of the four records in one trace, as exporters batch them.
    private static let logs = #"""
        {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"cart"}}]},"scopeLogs":[{"scope":{"name":"s"},"logRecords":[
        {"timeUnixNano":"1767225601000000000","severityText":"INFO","body":{"stringValue":"set"},"traceId":"AAAA","spanId":"B1","attributes":[{"key":"total","value":{"intValue":"9"}},{"key":"tags","value":{"arrayValue":{"values":[{"boolValue":true},{"doubleValue":1.5}]}}},{"key":"user","value":{"kvlistValue":{"values":[{"key":"n","value":{"stringValue":"x"}}]}}}]},
        {"observedTimeUnixNano":"1767225602000000000","timeUnixNano":"0","body":{"kvlistValue":{"values":[]}},"eventName":"cart.changed","traceId":"","attributes":[{"key":"total","value":{"intValue":"-2"}},{"key":"code.file.path","value":{"stringValue":"a.py"}},{"key":"code.line.number","value":{"intValue":"7"}}]}]}]}]}
        {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1767225603000000000","body":{"stringValue":"hi"},"traceId":"aaaa","attributes":[{"key":"n","value":{"intValue":"1"}}]},{"timeUnixNano":"1767225604000000000","traceId":"cccc","attributes":[{"key":"n","value":{"intValue":"2"}}]}]}]}]}
        """#

    private func imported(_ text: String, _ words: String..., named name: String = "in.txt") throws -> (
        ProgramRun, String, TemporaryFolder
    ) {
        let folder = TemporaryFolder()
        let file = folder.write(text, to: name)
        let journal = folder.path + "/run.jsonl"
        return (ProgramRun(["import", words[0], file] + words.dropFirst() + ["-o", journal]), journal, folder)
    }

    // MARK: First guesses

    @Test("where nothing says a time, that is said, and whose time the records have")
    func noTimes() throws {
        let log = #"{"a":1}"# + "\n" + #"{"a":2}"# + "\n"
        let (run, _, folder) = try imported(log, "jsonl", "--state", ".")
        #expect(
            run.messages.contains("nothing in it is read as a time: all records have the one at which '\(folder.path)"),
            "\(run)")
        let prefixed = log.replacing("{", with: "2026-01-01 10:00:08 INFO {")
        let (timed, journal, other) = try imported(prefixed, "jsonl", "--state", ".", "--prefix")
        defer { withExtendedLifetime(other) {} }
        #expect(timed.status == 0 && !timed.messages.contains("time"), "\(timed)")
        #expect(ProgramRun(["log", journal]).output.contains(#""time":"2026-01-01T10:00:08.000000Z""#))
    }

    @Test(
        "a path with a value's place in it is refused, and the merge that is written instead makes names of the values",
        arguments: [
            ("/acc/{id}=.new", #"{"acc":{"7":1,"8":2}}"#), (#"/acc/\(.id)=.new"#, #"{"acc":{"7":1,"8":2}}"#),
            ("acc.{id}=.new", #"{"acc":{"7":1,"8":2}}"#), ("/acc/$id=.new", #"{"acc":{"7":1,"8":2}}"#),
            ("/acc/${id}=.new", #"{"acc":{"7":1,"8":2}}"#), ("/acc/<id>=.new", #"{"acc":{"7":1,"8":2}}"#),
            ("/acc/(.id)=.new", #"{"acc":{"7":1,"8":2}}"#), ("/acc/{{.id}}=.new", #"{"acc":{"7":1,"8":2}}"#),
            ("/a b/u-{id}-x/n=.new + 1", #"{"a b":{"u-7-x":{"n":2},"u-8-x":{"n":3}}}"#),
            ("/{id}=.new", #"{"7":1,"8":2}"#),
        ])
    func computedPaths(_ set: String, _ expected: String) throws {
        let log = #"{"id":7,"new":1}"# + "\n" + #"{"id":8,"new":2}"# + "\n"
        let (run, _, folder) = try imported(log, "jsonl", "--set", set)
        #expect(run.status == 2 && run.messages.contains("'--set' is '\(set)', should be"), "\(run)")
        let line = try #require(run.messages.firstMatch(of: #/help: write --merge '(.+)'/#), "\(run)")
        let (merged, journal, other) = try imported(log, "jsonl", "--merge", String(line.1))
        defer { withExtendedLifetime((folder, other)) {} }
        #expect(merged.status == 0, "\(merged)")
        #expect(ProgramRun(["state", journal]).output == #"{"state":\#(expected)}"# + "\n", "\(line.1)")
    }

    @Test("a path of plain names is taken as it is", arguments: ["/a", "/a-b/c", "/log/-", "/1", "/a$", "/x(y)"])
    func plainPaths(_ path: String) throws {
        let (run, _, folder) = try imported("{\"n\":1}\n", "jsonl", "--set", path + "=.n")
        #expect(run.status == 0, "\(run)")
        withExtendedLifetime(folder) {}
    }

    @Test("without a format it is the file's, which is said, with the options that a suggestion has")
    func recognised() throws {
        let folder = TemporaryFolder()
        let log = folder.write(
            Array(
                (#"{"ts":"2026-01-01T00:00:00Z","state":{"n":1}}"# + "\n"
                    + #"{"ts":"2026-01-01T00:00:01Z","state":{"n":-1}}"#
                    + "\n").utf8), to: "a.log")
        let journal = folder.path + "/run.jsonl"
        let run = ProgramRun(["import", log, "-o", journal])
        #expect(run.status == 0, "\(run)")
        #expect(run.messages.contains("so this is read by: import jsonl --state .state --time .ts\n"), "\(run)")
        #expect(ProgramRun(["bisect", journal, "--bad", ".state.n < 0"]).status == 0)
        let own = ProgramRun(["import", log, "--state", ".", "-o", journal])
        #expect(own.status == 0 && own.messages.contains("read by: import jsonl\n"), "\(own)")
        #expect(ProgramRun(["state", journal, "--select", ".state.state.n"]).output == "-1\n")
        let table = folder.write("t,v\n2026-01-01 00:00:00,1\n", to: "a.csv")
        #expect(ProgramRun(["import", table]).messages.contains("read by: import csv "))
        let page = folder.write("<html>", to: "a.html")
        #expect(ProgramRun(["import", page]).status == 2)
    }

    @Test("files of one state each are the states of a run, in the order of the numbers in their names")
    func severalFiles() throws {
        let folder = TemporaryFolder()
        let files = (1...12).map { folder.write("{\n  \"n\": \($0)\n}\n", to: "s\($0).json") }
        let journal = folder.path + "/run.jsonl"
        for words in [["import"], ["import", "snapshots"]] {
            let run = ProgramRun(words + files.sorted() + ["-o", journal])
            #expect(run.status == 0, "\(run)")
            #expect(run.messages.contains("the one at which their file was written"), "\(run)")
            #expect(ProgramRun(["replay", journal, "--select", ".state.n"]).output.split(separator: "\n").count == 11)
            #expect(
                ProgramRun(["state", journal, "3", "--select", ".state.n"]).output == "4\n"
                    && ProgramRun(["state", journal, "--select", ".state.n"]).output == "12\n")
            #expect(ProgramRun(["log", journal, "-n", "1"]).output.contains("s2.json"))
        }
        #expect(TemporaryFolder.read(files[1]) == Array("{\n  \"n\": 2\n}\n".utf8))
        let onto = ProgramRun(["import"] + files + ["-o", files[3]])
        #expect(onto.status == 2, "\(onto)")
        let mixed = folder.write("{\"a\":1}\n{\"a\":2}\n", to: "two.json")
        #expect(ProgramRun(["import", files[0], mixed]).status == 2)
        #expect(ProgramRun(["import", "jsonl", files[0], files[1], "--state", "."]).status == 2)
        #expect(ProgramRun(["import", "snapshots", files[0], folder.path + "/none.json"]).status == 3)
    }

    @Test("a suggestion loses nothing: one object among others is no state, and an action keeps what it carries")
    func suggestions() throws {
        func suggestion(_ line: String) -> ProgramRun {
            let folder = TemporaryFolder()
            let text = (1...3).map { line.replacing("#", with: "\($0)") + "\n" }.joined()
            return ProgramRun(["import", "jsonl", folder.write(text, to: "a.log"), "--suggest"])
        }
        let several = suggestion(#"{"ts":"2026-01-01T00:00:0#Z","pool":{"free":#},"q":[#]}"#)
        #expect(several.output.contains("--state 'del(.ts)' --time .ts"), "\(several)")
        let left = suggestion(#"{"ts":"2026-01-01T00:00:0#Z","state":{"free":#},"q":[#]}"#)
        #expect(left.output.contains("--state .state --time .ts") && left.messages.contains("nothing of .q"), "\(left)")
        let alone = suggestion(#"{"ts":"2026-01-01T00:00:0#Z","pool":{"free":#}}"#)
        #expect(alone.output.contains("--state .pool --time .ts"), "\(alone)")
        let action = suggestion(##"{"action":{"type":"add#","payload":{"n":#}},"state":{"n":#}}"##)
        #expect(action.output.contains("--action .action"), "\(action)")
        let beside = suggestion(##"{"type":"add#","payload":{"n":#},"state":{"n":#}}"##)
        #expect(beside.output.contains("--action '{type: .type, payload}'"), "\(beside)")
        let bare = suggestion(##"{"action":{"type":"add#"},"state":{"n":#}}"##)
        #expect(!bare.output.contains("--action"), "\(bare)")
    }

    @Test("each log record of OpenTelemetry is a record, values bare; 'log --trace' finds those of a trace")
    func otlp() throws {
        let (run, journal, folder) = try imported(Self.logs, "otlp")
        defer { withExtendedLifetime(folder) {} }
        #expect(run.status == 0 && run.messages == "note: 2 texts, 4 commits, 2 stores\n", "\(run)")
        #expect(
            ProgramRun(["state", journal]).output
                == #"{"cart":{"code.file.path":"a.py","code.line.number":7,"tags":[true,1.5],"total":-2,"user":{"n":"x"}},"log":{"n":2}}"#
                + "\n")
        func commits(_ words: String...) -> [String] {
            ProgramRun(["log", journal] + words).output.split(separator: "\n").map(String.init)
        }
        let all = commits()
        #expect(all[0].contains(#""name":"set","trace":"aaaa","span":"b1","patch""#))
        #expect(all[1].contains(#""name":"cart.changed""#) && !all[1].contains("trace"))
        #expect(all[1].contains(#""at":{"file":"a.py","line":7"#) && all[1].contains("2026-01-01T00:00:02"))
        #expect(commits("--trace", "AAAA") == [all[0], all[2]])
        #expect(commits("--trace", "aaaa", "--store", "log") == [all[2]])
        #expect(ProgramRun(["verify", journal]).status == 0)
        let absent = ProgramRun(["log", journal, "--trace", "aaab"])
        #expect(absent.status == 4 && absent.messages.contains("'aaaa'"), "\(absent)")
        let own = try imported(Self.logs, "otlp", "--where", ".name == \"set\"", "--state", ".attributes.total")
        #expect(ProgramRun(["state", own.1]).output == #"{"cart":9}"# + "\n")
    }

    @Test(
        "messages of a run: the two forms of tool calls, several runs, what a run says at its end, and one message a line"
    )
    func messages() throws {
        let blocks = #"""
            [{"id":"a","messages":[{"role":"user","content":"hi"},
             {"role":"assistant","content":[{"type":"text","text":"so"},{"type":"tool_use","id":"t1","name":"look","input":{"x":1}},{"type":"tool_use","id":"t2","name":"a/b","input":{}}]},
             {"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"{\"n\":"},{"type":"text","text":"1}"}]},{"type":"tool_result","tool_use_id":"t1","content":"plain"}]}],"reward":1},
             {"id":"b","messages":[{"role":"system","content":"s","timestamp":"2026-01-01T00:00:05Z"}]}]
            """#
        let (run, journal, folder) = try imported(blocks, "messages")
        defer { withExtendedLifetime(folder) {} }
        #expect(run.status == 0 && !run.messages.contains("warning"), "\(run)")
        let state = ProgramRun(["state", journal, "--select", #"."run-a" | .tools, .result, (.messages | length)"#])
        #expect(
            state.output == #"{"a/b":{"n":1},"look":"plain"}"# + "\n" + #"{"id":"a","reward":1}"# + "\n3\n", "\(state)")
        let log = ProgramRun(["log", journal]).output.split(separator: "\n")
        #expect(log[1].contains(#""name":"call look","action":{"type":"look","payload":{"x":1}}"#), "\(log)")
        #expect(log[2].contains(#""name":"call a/b","action":{"type":"a/b","payload":{}}"#), "\(log)")
        #expect(log[3].contains(#""name":"answer a/b","cause":3"#), "\(log)")
        #expect(log.last?.contains(#""name":"result""#) == true)
        let lines =
            #"{"role":"user","content":"a","session_id":"x"}"# + "\n"
            + #"{"role":"assistant","content":"b","session_id":"x"}"#
        let one = try imported(lines, "messages")
        #expect(
            ProgramRun(["state", one.1, "--select", #"."run-x".messages | map(.role)"#]).output
                == #"["user","assistant"]"# + "\n")
    }

    @Test("a key of a table may be given for each; a second one for all of them is an error")
    func keys() throws {
        let text = #"{"action":"I","schema":"s","table":"o","columns":[{"name":"k","value":7}]}"#
        let good = try imported(text, "wal2json", "--key", "o=k", "--key", "id")
        #expect(
            good.0.status == 0 && ProgramRun(["state", good.1]).output == #"{"o":{"7":{"k":7}}}"# + "\n", "\(good.0)")
        let two = try imported(text, "wal2json", "--key", "a", "--key", "b")
        #expect(two.0.status == 2 && two.0.messages.contains("'TABLE=b'"), "\(two.0)")
    }

    @Test("texts that would be formulas get an apostrophe, unless '--raw'; numbers stay numbers")
    func formulas() throws {
        let journal = ShopJournal { lines in
            lines[7] = lines[7].replacing("\"value\":-3", with: "\"value\":\"=HYPERLINK(1)\"")
            lines[9] = lines[9].replacing("\"old\":-3", with: "\"old\":\"=HYPERLINK(1)\"")
        }
        let guarded = ProgramRun(["export", "csv", journal.path])
        #expect(guarded.output.contains(",12,'=HYPERLINK(1)\n") && guarded.output.contains(",12,-9\n"), "\(guarded)")
        let raw = ProgramRun(["export", "csv", journal.path, "--raw"])
        #expect(raw.output == guarded.output.replacing("'=", with: "="))
        #expect(ProgramRun(["export", "itf", journal.path, "--raw"]).status == 2)
    }

    @Test(
        "a type that is not Swift's is reported, and '--type' names one",
        arguments: ["a b", "1T", "some P", "A<", "[A", "A..B"])
    func types(type: String) throws {
        let journal = ShopJournal { $0[2] = $0[2].replacing("\"type\":\"Cart\"", with: "\"type\":\"\(type)\"") }
        let run = ProgramRun(["export", "swift-test", journal.path, "--at", "3"])
        #expect(run.status == 0 && run.messages.contains("not the name of a Swift type"), "\(run)")
        #expect(run.output.contains("as: State.self"), "\(run)")
        let named = ProgramRun([
            "export", "swift-test", journal.path, "--at", "3", "--type", "[Shop.Cart<Int, [A: B]?>]",
        ])
        #expect(named.messages.isEmpty && named.output.contains("as: [Shop.Cart<Int, [A: B]?>].self"), "\(named)")
        #expect(ProgramRun(["export", "swift-test", journal.path, "--at", "3", "--type", type]).status == 2)
    }

    @Test("'verify' lists a hundred problems, and says how many more there are")
    func manyProblems() throws {
        let journal = ShopJournal {
            $0.insert(contentsOf: Array(repeating: #"{"seq":1,"kind":"mark"}"#, count: 150), at: 5)
        }
        let run = ProgramRun(["verify", journal.path])
        let listed = run.output.split(separator: "\n").count
        #expect(run.status == 1 && (listed == 100) == run.messages.contains("more problem"), "\(run)")
        #expect(listed == 100, "\(run.messages)")
    }

    @Test("each format is recognised by its file alone, as itself", arguments: sampled(FormatSample.all))
    func recognisedFormats(sample: FormatSample) throws {
        let folder = TemporaryFolder()
        let file = folder.write(sample.text + "\n", to: "in.log")
        let run = ProgramRun(["import", file, "-o", folder.path + "/run.jsonl"])
        #expect(run.messages.contains("is read by: import \(sample.format)"), "\(run)")
        #expect(run.status == 0, "\(run)")
        #expect(
            try JSONParser.parse(ProgramRun(["state", folder.path + "/run.jsonl"]).output, order: .ascending)
                == JSONParser.parse(sample.state, order: .ascending))
        let alone = ProgramRun([file])
        #expect(alone.status == 3 && alone.messages.contains("it looks like '\(sample.format)'"), "\(alone)")
    }

    @Test(
        "where nothing says what a state is, what its records have is named, with a command to paste",
        arguments: [
            ("id,time,n\n1,2024-01-01,5\n1,2024-01-02,6\n", "csv", "columns are 'id', 'time', 'n'"),
            ("{\"id\":1,\"n\":5}\n{\"id\":1,\"n\":6}\n", "jsonl", "members are 'id', 'n'"),
        ])
    func noState(_ text: String, _ format: String, _ named: String) throws {
        let (run, _, folder) = try imported(text, format)
        #expect(run.status == 2 && run.messages.contains("note: its \(named)"), "\(run)")
        #expect(run.messages.contains("help: state-inspect import \(format) \(folder.path)/in.txt --"), "\(run)")
    }

    @Test(
        "what a file of other programs has is found: in an array of an object, among other text, and in texts",
        arguments: [
            (
                #"{"log":{"creator":{"name":"x"},"entries":[{"startedDateTime":"2024-01-01T00:00:00Z","n":1},{"startedDateTime":"2024-01-01T00:00:01Z","n":2}]}}"#,
                "--each '.log.entries[]'"
            ),
            (
                #"{"events":[{"timestamp":1700000000000,"message":"{\"state\":{\"n\":1}}"},{"timestamp":1700000000001,"message":"{\"state\":{\"n\":2}}"}]}"#,
                "--each '.events[] | . as $entry"
            ),
            (
                "starting\n\n01-01 00:00:00.1 I App: {\"state\":{\"n\":1}}\n01-01 00:00:01.1 D other\nmore\n01-01 00:00:02.1 I App: {\"state\":{\"n\":2}}\n",
                "--prefix --state .state"
            ),
            (
                #"{"__REALTIME_TIMESTAMP":"1700000000000000","MESSAGE":"{\"state\":{\"n\":1}}"}"# + "\n"
                    + #"{"__REALTIME_TIMESTAMP":"1700000001000000","MESSAGE":"x"}"# + "\n"
                    + #"{"__REALTIME_TIMESTAMP":"1700000002000000","MESSAGE":"{\"state\":{\"n\":2}}"}"#,
                "--time .__REALTIME_TIMESTAMP"
            ),
        ])
    func otherPrograms(_ text: String, _ option: String) throws {
        let (run, _, folder) = try imported(text, "jsonl", "--suggest")
        #expect(run.output.contains(option) || run.messages.contains(option), "\(run)")
        let read = ProgramRun(["import", folder.path + "/in.txt"])
        #expect(read.messages.contains("1 commit, 1 store"), "\(read)")
    }
}
