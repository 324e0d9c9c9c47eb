import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

/// Two Unicode forms of a text are two texts, and a combining mark belongs to no sign before it.
@Suite("Texts of a journal are bytes")
struct ByteNamesTests {
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
        let folder = TemporaryFolder()
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
        let folder = TemporaryFolder()
        let path = folder.write(Self.renamed(Self.text), to: "twins.jsonl")
        // The composed form of both, which no record has.
        let third = "\u{1EAD}"
        for command in [
            ["state", path, "--store", third], ["state", path, "--at", "mark:\(third)"],
            ["log", path, "--name", third],
            ["log", path, "--path", "/\(third)"], ["log", path, "--function", third],
        ] {
            let run = ProgramRun(command)
            #expect(run.status == 4, "\(run)")
        }
    }

    @Test("what begins with '/' is a path, also where a combining mark follows")
    func combiningMark() {
        let folder = TemporaryFolder()
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
