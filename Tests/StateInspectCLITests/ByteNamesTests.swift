import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

/// Two Unicode forms of a text are two texts, and a combining mark belongs to no sign before it.
@Suite("Texts of a journal are bytes")
struct ByteNamesTests {
    /// Plain names, and in their order as many bytes that Swift takes for one text, or for a part of the `/` before them.
    private static let names = [
        ("aqqp1", "a\u{302}\u{323}"), ("aqqp2", "a\u{323}\u{302}"), ("zqqp3", "\u{301}wxy"),
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
        let state = #"{"aqqp1":1,"aqqp2":{"zqqp3":[]},"n":"aqqp1","zqqp3":"aqqp2"}"#
        return [
            #"{"seq":0,"kind":"journal","version":1,"id":"aqqp1",\#(time()),"app":"aqqp1","recorder":"r","#
                + #""labels":{"aqqp1":"x","aqqp2":"y"}}"#,
            store("aqqp1", state), store("aqqp2", state),
            record("derived", #""name":"aqqp1","inputs":["/aqqp1/aqqp1"],\#(at("aqqp1", 2))"#),
            record("derived", #""name":"aqqp2","inputs":["/aqqp2/aqqp1"],"from":["aqqp1"],\#(at("aqqp2", 2))"#),
            commit("aqqp1", "aqqp1", #"{"op":"replace","path":"/aqqp1","value":2,"old":1}"#),
            record("outcome", #""commit":1,"derived":[{"name":"aqqp1","outcome":"fired","value":2}]"#),
            commit("aqqp2", "aqqp2", #"{"op":"replace","path":"/n","value":"aqqp2","old":"aqqp1"}"#),
            record("mark", #"\#(time()),"text":"aqqp1 done","level":"error""#),
            commit("aqqp2", "aqqp1", #"{"op":"add","path":"/aqqp2/zqqp3/0","value":"zqqp3"}"#),
            record("mark", #"\#(time()),"text":"aqqp2 done","level":"error""#),
            commit("aqqp1", "zqqp3", #"{"op":"add","path":"/aqqp2/aqqp1","value":{"aqqp2":3}}"#),
            record("close", #""store":"aqqp1",\#(time())"#),
            commit("aqqp2", "aqqp2", #"{"op":"replace","path":"/aqqp1","value":5,"old":1}"#),
            record(
                "keyframe",
                #""states":{"aqqp2":{"aqqp1":5,"aqqp2":{"zqqp3":["zqqp3"]},"n":"aqqp2","zqqp3":"aqqp2"}},"#
                    + #""totals":{"commits":{"aqqp1":2,"aqqp2":3},"open":["aqqp2"],"derived":["aqqp1","aqqp2"],"#
                    + #""marks":2,"gaps":0,"aborts":0}"#),
            store("zqqp3", #"{"aqqp1":[],"n":0}"#),
            record("abort", #""store":"zqqp3",\#(time()),\#(at("aqqp2", 9)),"error":"aqqp1""#),
            commit("zqqp3", "aqqp2", #"{"op":"add","path":"/aqqp1/0","value":"aqqp1"}"#),
            store("aqqp1", #"{"n":9}"#),
            commit("aqqp1", "aqqp1", #"{"op":"replace","path":"/n","value":10,"old":9}"#),
            record("end", #"\#(time())"#),
        ].map { $0 + "\n" }.joined()
    }()

    private static let commands: [[String]] = [
        ["verify"], ["info"], ["log"], ["log", "--all"], ["marks"], ["stats"], ["stats", "--store", "aqqp2"],
        ["stats", "--store", "zqqp3"], ["log", "--store", "aqqp1"], ["log", "--store", "aqqp2"],
        ["log", "--name", "aqqp1"], ["log", "--function", "aqqp2(_:)"],
        ["log", "--function", "aqqp1"], ["log", "--source", "aqqp1.swift:7"], ["log", "--source", "Shop/aqqp2.swift"],
        ["log", "--by-place"], ["log", "--path", "/aqqp1/aqqp1"], ["log", "--path", "/aqqp2/aqqp2/zqqp3"],
        ["log", "--path", "/zqqp3"], ["log", "--path", "/*/aqqp2"], ["log", "--where", #"$store == "aqqp1""#],
        ["log", "--where", #"$name == "aqqp1""#], ["show", "mark:aqqp2"], ["show", "3"], ["state"],
        ["state", "--at", "4"], ["state", "--at", "4", "--store", "aqqp1"], ["state", "--at", "2", "--store", "aqqp2"],
        ["state", "--select", #"has("aqqp1"), has("aqqp2"), has("zqqp3"), keys"#],
        ["state", "--at", "mark:aqqp2 done"], ["state", "--select", #".["aqqp2"]["aqqp1"]"#],
        ["replay", "--select", "keys"], ["replay", "--store", "aqqp2", "--changed", "--select", #".["aqqp2"]"#],
        ["replay", "--without", "1"], ["diff", "1", "5"], ["diff", "0", "5", "--name-only"],
        ["diff", "0", "6", "--ignore", "/aqqp2"], ["bisect", "--bad", #".["aqqp2"].n == "aqqp2""#],
        ["bisect", "--bad", #".["aqqp1"] == null"#], ["derived", "--define", "a=keys"],
        ["derived", "--define", "a=length", "--all"], ["derived", "--define", #"a=has("aqqp1")"#, "--summary"],
        ["derived", "--define", #"a=.["aqqp1"]"#, "--define", #"b=.["aqqp2"]"#, "--all"], ["derived", "--all"],
        ["blame"], ["blame", "/zqqp3/aqqp1/0"], ["blame", "/aqqp2"], ["history", "/aqqp1/aqqp1"],
        ["history", "/zqqp3/aqqp1"], ["history", "/zqqp3/aqqp1/*"], ["history", "/aqqp2/aqqp2/zqqp3/0"],
        ["history", "/aqqp1", "/aqqp2"], ["history", "/n", "--store", "aqqp2"], ["history", "/aqqp1/**"],
        ["history", "length"], ["origin", "/aqqp2/n"], ["origin", "/zqqp3/aqqp1/0"], ["why", "6"],
        ["grep", "aqqp1"], ["grep", "zqqp3"],
        ["check", "--invariant", #"a=has("aqqp1")"#], ["check", "--invariant", #"a=.["zqqp3"] | . == null"#],
        ["export", "changes"], ["export", "csv"], ["export", "json-patch"], ["export", "itf"],
        ["export", "chrome-trace"], ["slice", "2..6"], ["minimize", "--bad", #".["aqqp2"]["aqqp1"] == 5"#],
        ["suspects"],
    ]

    @Test("answers about twins of one text are those about different names", arguments: commands)
    func law(_ command: [String]) throws {
        let folder = TemporaryFolder()
        let plain = folder.write(Array(Self.text.utf8), to: "plain.jsonl")
        let twins = folder.write(Array(Self.renamed(Self.text).utf8), to: "twins.jsonl")
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
        let path = folder.write(Array(Self.renamed(Self.text).utf8), to: "twins.jsonl")
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
        let path = folder.write(Array(Self.renamed(Self.text).utf8), to: "twins.jsonl")
        for text in ["/\u{301}wxy/~0", "/\u{301}wxy/~2", "/\u{301}wxy/*", "/\u{301}/id/-", "/\u{301}wxy/n"] {
            let run = ProgramRun(["history", path, text])
            #expect(run.status == 0 || run.status == 4, "\(run)")
            #expect(!run.messages.contains("query"), "\(run)")
            for verb in ["print", "watch", "last"] {
                let script = folder.write(Array("\(verb) \(text)\n".utf8), to: "script")
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
