import Foundation
import JSONCore
import TestSupport
import Testing

@testable import Commands

/// Two Unicode forms of a text are two texts, and a combining mark belongs to no sign before it.
@Suite("Texts of a journal are bytes")
struct ByteNamesTests {
    private let folder = TemporaryFolder()

    /// Plain names, and in their order as many bytes that Swift takes for one text, or for a part of the `/` before them.
    private static let names = [
        ("aqqpa", "a\u{302}\u{323}"), ("aqqpb", "a\u{323}\u{302}"), ("zqqpc", "\u{301}wxy"),
    ]

    private static func renamed(_ text: String) -> String {
        names.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1, options: .literal) }
    }

    private static let text: String = {
        var seq = 0
        func at(_ name: String, _ line: Int) -> String {
            #""at":{"file":"Shop/\#(name).swift","line":\#(line),"column":1,"function":"\#(name)(_:)"}"#
        }
        func time() -> String { #""time":"2026-01-01T00:00:0\#(seq).000000Z""# }
        func record(_ kind: String, _ rest: String) -> String { #"{"seq":\#(seq),"kind":"\#(kind)",\#(rest)}"# }
        func store(_ name: String, _ state: String) -> String {
            record("store", #""store":"\#(name)","type":"T",\#(time()),\#(at(name, 1)),"state":\#(state)"#)
        }
        func commit(_ store: String, _ name: String, _ patch: String) -> String {
            seq += 1
            return record(
                "commit",
                #""store":"\#(store)","version":\#(seq),\#(time()),\#(at(name, 7)),"name":"\#(name)","patch":[\#(patch)]"#
            )
        }
        let state = #"{"aqqpa":1,"aqqpb":{"zqqpc":[]},"n":"aqqpa","zqqpc":"aqqpb"}"#
        return [
            #"{"seq":0,"kind":"journal","version":1,"id":"aqqpa",\#(time()),"app":"aqqpa","recorder":"r","#
                + #""labels":{"aqqpa":"x","aqqpb":"y"}}"#,
            store("aqqpa", state), store("aqqpb", state),
            record("derived", #""name":"aqqpa","inputs":["/aqqpa/aqqpa"],\#(at("aqqpa", 2))"#),
            record("derived", #""name":"aqqpb","inputs":["/aqqpb/aqqpa"],"from":["aqqpa"],\#(at("aqqpb", 2))"#),
            commit("aqqpa", "aqqpa", #"{"op":"replace","path":"/aqqpa","value":2,"old":1}"#),
            record("outcome", #""commit":1,"derived":[{"name":"aqqpa","outcome":"fired","value":2}]"#),
            commit("aqqpb", "aqqpb", #"{"op":"replace","path":"/n","value":"aqqpb","old":"aqqpa"}"#),
            record("mark", #"\#(time()),"text":"aqqpa done","level":"error""#),
            commit("aqqpb", "aqqpa", #"{"op":"add","path":"/aqqpb/zqqpc/0","value":"zqqpc"}"#),
            record("mark", #"\#(time()),"text":"aqqpb done","level":"error""#),
            commit("aqqpa", "zqqpc", #"{"op":"add","path":"/aqqpb/aqqpa","value":{"aqqpb":3}}"#),
            record("close", #""store":"aqqpa",\#(time())"#),
            commit("aqqpb", "aqqpb", #"{"op":"replace","path":"/aqqpa","value":5,"old":1}"#),
            record(
                "keyframe",
                #""states":{"aqqpb":{"aqqpa":5,"aqqpb":{"zqqpc":["zqqpc"]},"n":"aqqpb","zqqpc":"aqqpb"}},"#
                    + #""totals":{"commits":{"aqqpa":2,"aqqpb":3},"open":["aqqpb"],"derived":["aqqpa","aqqpb"],"#
                    + #""marks":2,"gaps":0,"aborts":0}"#),
            store("zqqpc", #"{"aqqpa":[],"n":0}"#),
            record("abort", #""store":"zqqpc",\#(time()),\#(at("aqqpb", 9)),"error":"aqqpa""#),
            commit("zqqpc", "aqqpb", #"{"op":"add","path":"/aqqpa/0","value":"aqqpa"}"#),
            store("aqqpa", #"{"n":9}"#),
            commit("aqqpa", "aqqpa", #"{"op":"replace","path":"/n","value":10,"old":9}"#),
            record("end", #"\#(time())"#),
        ].map { $0 + "\n" }.joined()
    }()

    private static let commands: [[String]] = [
        ["verify"], ["info"], ["log"], ["log", "--all"], ["marks"], ["stats"], ["stats", "--store", "aqqpb"],
        ["stats", "--store", "zqqpc"], ["log", "--store", "aqqpa"], ["log", "--store", "aqqpb"],
        ["log", "--name", "aqqpa"], ["log", "--function", "aqqpb(_:)"],
        ["log", "--function", "aqqpa"], ["log", "--source", "aqqpa.swift:7"], ["log", "--source", "Shop/aqqpb.swift"],
        ["log", "--by-place"], ["log", "--path", "/aqqpa/aqqpa"], ["log", "--path", "/aqqpb/aqqpb/zqqpc"],
        ["log", "--path", "/zqqpc"], ["log", "--path", "/*/aqqpb"], ["log", "--where", #"$store == "aqqpa""#],
        ["log", "--where", #"$name == "aqqpa""#], ["show", "mark:aqqpb"], ["show", "3"], ["state"],
        ["state", "--at", "4"], ["state", "--at", "4", "--store", "aqqpa"], ["state", "--at", "2", "--store", "aqqpb"],
        ["state", "--select", #"has("aqqpa"), has("aqqpb"), has("zqqpc"), keys"#],
        ["state", "--at", "mark:aqqpb done"], ["state", "--select", #".["aqqpb"]["aqqpa"]"#],
        ["replay", "--select", "keys"], ["replay", "--store", "aqqpb", "--changed", "--select", #".["aqqpb"]"#],
        ["replay", "--without", "1"], ["diff", "1", "5"], ["diff", "0", "5", "--name-only"],
        ["diff", "0", "6", "--ignore", "/aqqpb"], ["bisect", "--bad", #".["aqqpb"].n == "aqqpb""#],
        ["bisect", "--bad", #".["aqqpa"] == null"#], ["derived", "--define", "a=keys"],
        ["derived", "--define", "a=length", "--all"], ["derived", "--define", #"a=has("aqqpa")"#, "--summary"],
        ["derived", "--define", #"a=.["aqqpa"]"#, "--define", #"b=.["aqqpb"]"#, "--all"], ["derived", "--all"],
        ["blame"], ["blame", "/zqqpc/aqqpa/0"], ["blame", "/aqqpb"], ["history", "/aqqpa/aqqpa"],
        ["history", "/zqqpc/aqqpa"], ["history", "/zqqpc/aqqpa/*"], ["history", "/aqqpb/aqqpb/zqqpc/0"],
        ["history", "/aqqpa", "/aqqpb"], ["history", "/n", "--store", "aqqpb"], ["history", "/aqqpa/**"],
        ["history", "length"], ["origin", "/aqqpb/n"], ["origin", "/zqqpc/aqqpa/0"], ["why", "6"],
        ["grep", "aqqpa"], ["grep", "zqqpc"],
        ["check", "--invariant", #"a=has("aqqpa")"#], ["check", "--invariant", #"a=.["zqqpc"] | . == null"#],
        ["export", "changes"], ["export", "csv"], ["export", "json-patch"], ["export", "itf"],
        ["export", "chrome-trace"], ["slice", "2..6"], ["minimize", "--bad", #".["aqqpb"]["aqqpa"] == 5"#],
        ["suspects"],
    ]

    @Test("answers about twins of one text are those about different names", arguments: commands)
    func law(_ command: [String]) throws {
        let plain = folder.write(Self.text, to: "plain.jsonl")
        let twins = folder.write(Self.renamed(Self.text), to: "twins.jsonl")
        func run(_ words: [String], _ path: String) -> ProgramRun {
            let place = ["export"].contains(words[0]) ? 2 : 1
            return ProgramRun(Array(words[..<place]) + [path] + words[place...] + ["--json"])
        }
        let expected = run(command, plain)
        let found = run(command.map(Self.renamed), twins)
        #expect(expected.status <= 1, "\(expected)")
        #expect(found.status == expected.status, "\(found)\n\(expected)")
        let text = Self.renamed(expected.output).replacingOccurrences(of: "plain.jsonl", with: "twins.jsonl")
        let sum = /,"sum":"[0-9a-f]{8}"/
        let (left, right) = (found.output.replacing(sum, with: ""), text.replacing(sum, with: ""))
        #expect(Array(left.utf8) == Array(right.utf8), "\(found)\n\(expected)")
    }

    @Test("what one twin is called is no name of the other")
    func otherTwin() {
        let path = folder.write(Self.renamed(Self.text), to: "twins.jsonl")
        // The composed form of both, which no record has.
        let third = "\u{1EAD}"
        for command in [
            ["state", path, "--store", third], ["state", path, "--at", "mark:\(third)"],
            ["log", path, "--name", third], ["log", path, "--path", "/\(third)"], ["log", path, "--function", third],
        ] {
            let run = ProgramRun(command)
            #expect(run.status == 4, "\(run)")
        }
    }

    @Test("what begins with '/' is a path, also where a combining mark follows")
    func combiningMark() {
        let path = folder.write(Self.renamed(Self.text), to: "twins.jsonl")
        for text in ["/\u{301}wxy/~0", "/\u{301}wxy/~2", "/\u{301}wxy/*", "/\u{301}/id/-", "/\u{301}wxy/n"] {
            let run = ProgramRun(["history", path, text])
            #expect(run.status == 0 || run.status == 4, "\(run)")
            #expect(!run.messages.contains("query"), "\(run)")
            for verb in ["print", "watch", "last"] {
                let script = folder.write("\(verb) \(text)\n", to: "script")
                let debug = ProgramRun(["debug", path, "--batch", "-x", script])
                #expect(!debug.messages.contains("did not expect"), "\(debug)")
            }
        }
    }

    @Test("a sign of markup is escaped, also where a combining mark follows")
    func markup() {
        #expect(Array(Markdown.text("<\u{338}b|\u{301}").utf8) == Array("\\<\u{338}b\\|\u{301}".utf8))
        #expect(Array(Markdown.cell("a|\u{301}").utf8) == Array("`a\\|\u{301}`".utf8))
        #expect(Array(SarifText.message("[a]\u{301}(b)").utf8) == Array("[a]\u{301}(b)".utf8))
        #expect(Array(SarifText.message("[a](\u{301}b)").utf8) == Array("\\[a\\](\u{301}b)".utf8))
    }
}

/// A journal is written by whoever wrote it: nothing of it may act on a terminal, on a workflow's runner, or on a parser.
struct HostileJournalTests {
    /// Every text begins lines of its own that are commands to a runner, moves the cursor, and closes elements.
    private static let text =
        #"a\n::error file=x::forged\r\n##[error]b\u001b[2J\u001b]0;t\u0007<\/testcase>]]>&\u202e\u0085\u009b31m"#

    private static let lines = [
        #"{"seq":0,"kind":"journal","version":1,"id":"\#(text)","time":"2026-11-21T12:00:00.000000Z","app":"\#(text)","recorder":"\#(text)","labels":{"\#(text)":"\#(text)"}}"#,
        #"{"seq":0,"kind":"store","store":"cart","type":"\#(text)","time":"2026-11-21T12:00:00.000000Z","at":{"file":"\#(text)","line":1,"column":1,"function":"\#(text)"},"state":{"total":1,"\#(text)":"\#(text)"}}"#,
        #"{"seq":0,"kind":"derived","name":"\#(text)","inputs":["/cart/total"],"at":{"file":"\#(text)","line":1,"column":1,"function":"\#(text)"}}"#,
        #"{"seq":1,"kind":"commit","store":"cart","version":1,"time":"2026-11-21T12:00:01.000000Z","at":{"file":"\#(text)","line":2,"column":1,"function":"\#(text)"},"name":"\#(text)","action":{"type":"\#(text)","payload":"\#(text)"},"patch":[{"op":"replace","path":"/total","value":-1,"old":1},{"op":"replace","path":"/\#(text.replacingOccurrences(of: #"\/"#, with: "~1"))","value":"\#(text)!","old":"\#(text)"}]}"#,
        #"{"seq":1,"kind":"outcome","commit":1,"derived":[{"name":"\#(text)","outcome":"fired","value":"\#(text)"}]}"#,
        #"{"seq":1,"kind":"mark","time":"2026-11-21T12:00:01.000000Z","text":"\#(text)"}"#,
        #"{"seq":1,"kind":"abort","store":"cart","time":"2026-11-21T12:00:01.000000Z","at":{"file":"\#(text)","line":2,"column":1,"function":"\#(text)"},"error":"\#(text)"}"#,
        #"{"seq":2,"kind":"commit","store":"cart","version":2,"time":"2026-11-21T12:00:02.000000Z","at":{"file":"\#(text)","line":3,"column":1,"function":"\#(text)"},"cause":1,"patch":[]}"#,
    ]

    private static let commands: [[String]] = [
        ["info", "J"], ["log", "J", "-p"], ["show", "J", "1"], ["state", "J"], ["replay", "J"],
        ["diff", "J", "0", "1"],
        ["diff", "J", "K"], ["bisect", "J", "--bad", ".cart.total < 0"], ["derived", "J", "--summary"],
        ["derived", "J", "--all"], ["derived", "J", "--define", "t=.cart", "--why", "t", "--at", "1"], ["blame", "J"],
        ["blame", "J", "/nowhere"], ["history", "J", ".cart"], ["why", "J", "2"], ["stats", "J"],
        ["check", "J", "--invariant", "t=.cart.total > 0"], ["check", "J", "K", "--invariant", "t=.cart.total > 0"],
        ["check", "J", "--invariant", "t=.cart + 1"], ["verify", "J"], ["merge", "J", "K"],
        ["redact", "J", "--check", "forged"], ["minimize", "J", "--bad", ".cart.total < 0"], ["marks", "J"],
        ["grep", "J", "forged"], ["origin", "J", "/cart/total"], ["learn", "J"],
        ["suspects", "J", "--bad", ".cart.total < 0"],
    ]

    /// Runs a command on the journal, `J`, and on another one, `K`.
    private func run(_ command: [String], _ options: String..., width: Int? = nil) -> ProgramRun {
        let folder = TemporaryFolder()
        let text = Self.lines.joined(separator: "\n") + "\n"
        let journal = folder.write(text, to: "run.jsonl")
        let changed = text.replacingOccurrences(of: "\"value\":-1", with: "\"value\":-2")
        let other = folder.write(changed, to: "other.jsonl")
        return ProgramRun(command.map { $0 == "J" ? journal : $0 == "K" ? other : $0 } + options, width: width)
    }

    @Test(
        "in human form nothing but text reaches a terminal, and no line is a runner's command", arguments: commands,
        [nil, 80])
    func human(command: [String], width: Int?) throws {
        let run = run(command, "--format", "human", "--color", "never", width: width)
        #expect((0...5).contains(run.status) && run.status != 3, "\(run)")
        // A journal that is written is bytes for programs.
        if ["merge", "minimize"].contains(command[0]) {
            try expectJSON(run)
        } else {
            expectHarmless(run.output, run)
        }
        expectHarmless(run.messages, run)
    }

    @Test("as JSON every line is one object, and no line is a runner's command", arguments: commands)
    func json(command: [String]) throws {
        let run = run(command, "--json")
        try expectJSON(run)
        expectHarmless(run.messages, run)
    }

    @Test("annotations are one line each, with what the runner reads as commands escaped")
    func github() {
        let run = run(["check", "J", "--invariant", "t=.cart.total > 0"], "--format", "github")
        let commands = run.messages.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("::") }
        #expect(run.status == 1 && commands.count == 1, "\(run)")
        #expect(commands.first?.hasPrefix("::error file=") == true, "\(run)")
        // What is said of the file follows, and is none.
        #expect(run.messages.contains("below the current folder"), "\(run)")
    }

    private func expectHarmless(_ text: String, _ run: ProgramRun) {
        for scalar in text.unicodeScalars where scalar != "\n" {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            #expect(!isControl && scalar.value != 0x202E, "U+\(String(scalar.value, radix: 16)): \(run)")
        }
        for line in text.split(separator: "\n") {
            #expect(!line.drop { $0.isWhitespace }.hasPrefix("::") && !line.contains("##"), "\(run)")
        }
    }

    private func expectJSON(_ run: ProgramRun) throws {
        for line in run.output.split(separator: "\n") { _ = try JSONParser.parse(Array(line.utf8)) }
        for byte in run.output.utf8 where byte != 10 { #expect(byte >= 0x20 && byte != 0x7F, "\(run)") }
    }
}
