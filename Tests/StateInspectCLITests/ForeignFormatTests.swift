import Foundation
import Interchange
import JSONCore
import TestSupport
import Testing

@testable import StateInspectCLI

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
        let file = folder.write(Array(text.utf8), to: name)
        let journal = folder.path + "/run.jsonl"
        return (ProgramRun(["import", words[0], file] + words.dropFirst() + ["-o", journal]), journal, folder)
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
        #expect(log[2].contains(#""name":"answer a/b","cause":2"#), "\(log)")
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
        let journal = try ShopJournal { lines in
            lines[7] = lines[7].replacing("\"value\":-3", with: "\"value\":\"=HYPERLINK(1)\"")
            lines[9] = lines[9].replacing("\"old\":-3", with: "\"old\":\"=HYPERLINK(1)\"")
        }
        defer { journal.delete() }
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
        let journal = try ShopJournal { $0[2] = $0[2].replacing("\"type\":\"Cart\"", with: "\"type\":\"\(type)\"") }
        defer { journal.delete() }
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
        let journal = try ShopJournal {
            $0.insert(contentsOf: Array(repeating: #"{"seq":1,"kind":"mark"}"#, count: 150), at: 5)
        }
        defer { journal.delete() }
        let run = ProgramRun(["verify", journal.path])
        let listed = run.output.split(separator: "\n").count
        #expect(run.status == 1 && (listed == 100) == run.messages.contains("more problem"), "\(run)")
        #expect(listed == 100, "\(run.messages)")
    }
}
