import Foundation
import JSONCore
import TestSupport
import Testing

/// `state-inspect FILE`, and every command on a file that is not a journal.
struct FileAloneTests {
    private let sample = BuiltProducts.sample("checkout.jsonl")
    private let folder = TemporaryFolder()

    /// A file, what the answer says of it, and the last state that the suggested command's journal has.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let look: String
        let state: String
        var testDescription: String { name }
    }

    private static let pod =
        #"{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n"}}}"#
    private static let lifted =
        #"{"actionsById":{"0":{"action":{"type":"@@INIT"}},"1":{"action":{"type":"add"},"timestamp":5}},"computedStates":[{"state":{"n":0}},{"state":{"n":1}}],"stagedActionIds":[0,1]}"#
    private static func logs(_ values: Int...) -> String {
        let records = values.map {
            #"{"timeUnixNano":"176722560\#(abs($0))000000000","body":{"stringValue":"changed"},"traceId":"ABCDEF","attributes":[{"key":"total","value":{"intValue":"\#($0)"}}]}"#
        }
        return #"{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"cart"}}]},"#
            + #""scopeLogs":[{"logRecords":[\#(records.joined(separator: ","))]}]}]}"#
    }
    /// A text over several lines, as 'jq .' and 'kubectl -o json' print it.
    private static func pretty(_ text: String) -> String {
        text.replacingOccurrences(of: "{", with: "{\n  ").replacingOccurrences(of: ",\"", with: ",\n  \"") + "\n"
    }

    private static let cases = [
        Case(
            name: "pods.json", text: pretty(pod), look: "'kubernetes'",
            state: #"{"Pod":{"n":{"a":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"n"}}}}}"#),
        Case(name: "devtools.json", text: pretty(lifted), look: "'redux-devtools'", state: #"{"state":{"n":1}}"#),
        Case(
            name: "batch.jsonl", text: logs(2, 5) + "\n" + logs(7, -9), look: "'otlp'", state: #"{"cart":{"total":-9}}"#
        ),
        Case(
            name: "long.csv", text: "time,key,value\n2026-01-01T00:00:00Z,total,5\n2026-01-01T00:00:01Z,total,-1\n",
            look: "a table", state: #"{"state":{"total":-1}}"#),
        Case(
            name: "wide.csv", text: "time;total;note\n2026-01-01T00:00:00Z;5;a b\n2026-01-01T00:00:01Z;-1;\n",
            look: "a table", state: #"{"state":{"total":-1}}"#),
        Case(
            name: "bunyan.log",
            text: (1...3).map {
                #"{"name":"worker","level":30,"state":{"depth":\#($0)},"msg":"tick \#($0)","time":"2026-01-01T00:00:0\#($0).000Z","src":{"file":"/app/q.js","line":10,"func":"tick"},"v":0}"#
            }.joined(separator: "\n"), look: "a log of JSON lines", state: #"{"state":{"depth":3}}"#),
        Case(
            name: "console.txt",
            text: "{\"k\":1}\t" + #"{"before":null,"after":{"k":1,"v":2},"op":"c","source":{"table":"t"}}"#,
            look: "'debezium'", state: #"{"t":{"1":{"k":1,"v":2}}}"#),
        Case(
            name: "array.json",
            text: "[\n{\"ts\":1767225600,\"state\":{\"n\":1}},\n{\"ts\":1767225601,\"state\":{\"n\":2}}\n]\n",
            look: "an array of records", state: #"{"state":{"n":2}}"#),
        Case(
            name: "my prefixed;log.txt", text: "INFO x {\"state\":{\"n\":1}}\nINFO y {\"state\":{\"n\":2}}\n",
            look: "other text before", state: #"{"state":{"n":2}}"#),
        Case(
            name: "-flat.log", text: "{\"a\":1}\n{\"a\":2}\n", look: "a log of JSON lines", state: #"{"state":{"a":2}}"#
        ),
        Case(
            name: "chat.json",
            text:
                #"{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","function":{"name":"look","arguments":"{\"x\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"{\"n\":4}"}]}"#,
            look: "'messages'",
            state:
                #"{"run":{"messages":[{"content":"hi","role":"user"},{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"x\":1}","name":"look"},"id":"c1"}]},{"content":"{\"n\":4}","role":"tool","tool_call_id":"c1"}],"tools":{"look":{"n":4}}}}"#
        ),
    ]

    /// Runs lines of a shell in which the command is on `PATH`.
    private func shell(_ script: String, in folder: TemporaryFolder) async throws -> ProgramRun {
        let bin = (BuiltProducts.stateInspect as NSString).deletingLastPathComponent
        return try await ProgramRun.of(
            "/bin/sh", ["-c", script], in: folder, environment: ["PATH": bin + ":/usr/bin:/bin"])
    }

    /// The command that a message has in its line of help.
    private func suggested(_ run: ProgramRun) -> String? {
        run.errors.split(separator: "\n").last { $0.hasPrefix("help: state-inspect ") }.map { String($0.dropFirst(6)) }
    }

    @Test("is looked at, and the command that is suggested makes a right journal of it", arguments: sampled(cases))
    func suggestion(_ file: Case) async throws {
        folder.write(file.text, to: file.name)
        let alone = try await ProgramRun.inspect("./" + file.name, in: folder)
        #expect(alone.status == 3 && alone.text.isEmpty && alone.errors.contains("looks like"), "\(alone)")
        #expect(alone.errors.contains(file.look), "\(alone)")
        let command = try #require(suggested(alone), "\(alone)")
        for words in [
            "log", "bisect --bad .x", "check --invariant a=.x", "verify", "debug --batch", "report -o x.html",
        ] {
            let other = try await shell("state-inspect \(words) -- './\(file.name)'", in: folder)
            #expect(other.status == 3 && suggested(other) == command, "\(other)")
        }
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let run = try await shell(command, in: folder)
        #expect(run.status == 0 && !run.errors.contains("warning"), "\(run)")
        let made = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)).subtracting(before)
            .filter { $0.hasSuffix(".jsonl") }
        let journal = try #require(made.first, "\(run)")
        #expect(made.count == 1)
        let state = try await shell(
            "state-inspect verify -- '\(journal)' && state-inspect state -- '\(journal)'", in: folder)
        #expect(state.status == 0 && state.lines.last == file.state, "\(state)")
    }

    @Test("a journal that went through 'jq .' is put together again, byte for byte")
    func prettyJournal() async throws {
        let spread = try await shell(
            "state-inspect query --indent 2 . \(sample) > spread.json; state-inspect spread.json", in: folder)
        #expect(spread.status == 3 && spread.errors.contains("'jq -c'"), "\(spread)")
        let whole = try await shell("\(suggested(spread) ?? "false") && cmp spread.jsonl \(sample)", in: folder)
        #expect(whole.status == 0, "\(whole)")
    }

    @Test("what this program exports is recognised: states are imported, what has none says so")
    func ownExports() async throws {
        let last = try await ProgramRun.inspect("state", sample, in: folder)
        for format in ["json-patch", "redux-devtools", "itf"] {
            let run = try await shell(
                "rm -f out.jsonl; state-inspect export \(format) \(sample) -o out.x; state-inspect out.x", in: folder)
            #expect(run.status == 3 && run.errors.contains("looks like '\(format)'"), "\(run)")
            let made = try await shell(
                "\(suggested(run) ?? "false") && state-inspect state out.jsonl --select .state", in: folder)
            #expect(made.text == last.text, "\(made)")
        }
        let values = try await shell(
            "rm -f out.jsonl; state-inspect export csv \(sample) --select '{a: .cart.total, b: .cart.items}' -o out.x"
                + "; state-inspect out.x",
            in: folder)
        let made = try await shell(
            "\(suggested(values) ?? "false") && state-inspect state out.jsonl --select '.state == {a: $a, b: $b}'"
                + " --argjson a \"$(state-inspect state \(sample) --select .cart.total)\""
                + " --argjson b \"$(state-inspect state \(sample) --select .cart.items)\"", in: folder)
        #expect(made.text == "true\n", "\(values)\(made)")
        for (format, look) in [
            ("chrome-trace", "a trace for Perfetto"), ("csv", "the changes that 'export csv' writes"),
            ("changes", "the changes that 'export changes' writes"),
            ("changes --csv", "the changes that 'export changes' writes"),
        ] {
            let run = try await shell(
                "rm -f out.jsonl; state-inspect export \(format) \(sample) -o out.x; state-inspect out.x", in: folder)
            #expect(run.status == 3 && run.errors.contains(look) && suggested(run) == nil, "\(run)")
        }
    }

    @Test("a journal alone is 'info' with its marks of the level error and what was aborted; standard input too")
    func journal() async throws {
        let alone = try await ProgramRun.inspect(sample, in: folder)
        let info = try await ProgramRun.inspect("info", sample, in: folder)
        #expect(alone.status == 0 && alone.lines.first == info.lines.first, "\(alone)")
        #expect(
            alone.lines.dropFirst().allSatisfy { $0.contains(#""kind":"abort""#) } && alone.lines.count > 1, "\(alone)")
        let piped = try await shell("state-inspect - < \(sample)", in: folder)
        #expect(piped.status == 0 && piped.text.contains(#""kind":"info""#), "\(piped)")
        let mark =
            #"{"seq":1,"kind":"mark","time":"2026-01-01T00:00:00Z","at":{"file":"a","line":1,"column":1,"function":""},"text":"TEXT","level":"LEVEL"}"#
        let marks = (1...14).map { number in
            mark.replacingOccurrences(of: "TEXT", with: "m\(number)")
                .replacingOccurrences(of: "LEVEL", with: number > 2 ? "error" : "warning")
        }
        let records: [String] = [
            #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-01-01T00:00:00Z","recorder":"t"}"#,
            #"{"seq":0,"kind":"store","store":"s","type":"T","time":"2026-01-01T00:00:00Z","at":{"file":"a","line":1,"column":1,"function":""},"state":{}}"#,
            #"{"seq":1,"kind":"commit","store":"s","version":1,"time":"2026-01-01T00:00:00Z","at":{"file":"a","line":1,"column":1,"function":""},"patch":[]}"#,
        ]
        let lines = (records + marks).map { $0 + "\n" }.joined()
        folder.write(lines, to: "marks.jsonl")
        let shown = try await ProgramRun.inspect("marks.jsonl", "--format", "human", in: folder)
        #expect(shown.lines.filter { $0.hasPrefix("error") }.count == 10 && shown.text.contains("m3"), "\(shown)")
        #expect(!shown.text.contains("m2\n") && shown.errors.contains("2 more marks"), "\(shown)")
    }

    @Test("an answer may go to a device, in which nothing takes the place of anything")
    func device() async throws {
        let run = try await shell(
            "state-inspect slice \(sample) 1..2 -o /dev/null && state-inspect import jsonl \(sample) --state .seq -o /dev/null; ls -l /dev/null",
            in: folder)
        #expect(run.text.hasPrefix("c"), "\(run)")
        #expect(!run.errors.contains("cannot be written"), "\(run)")
    }
}
