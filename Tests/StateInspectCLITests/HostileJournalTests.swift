import Foundation
import JSONCore
import TestSupport
import Testing

@testable import StateInspectCLI

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
