import Foundation
import Interchange
import JSONCore
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("Commands that answers suggest")
struct AdviceTests {
    @Test("a command is written so that it can be pasted")
    func commands() {
        let advice = Advice("my shop.jsonl", StoreScope(store: "cart"))
        #expect(advice.command(.show, ["118"]) == "state-inspect show 'my shop.jsonl' 118 --store cart")
        #expect(advice.command(.why, ["118"]) == "state-inspect why 'my shop.jsonl' 118")
        #expect(
            advice.command(.log, [], [(.patch, nil), (.path, "/a b")])
                == "state-inspect log 'my shop.jsonl' -p --path '/a b' --store cart")
        #expect(Advice("-x.jsonl").command(.state, [], [(.at, "3")]) == "state-inspect state --at 3 -- -x.jsonl")
        #expect(
            Advice("a.jsonl", StoreScope(store: "-s")).command(.show, ["1"])
                == "state-inspect show a.jsonl 1 --store=-s")
        #expect(
            Advice("a.jsonl", StoreScope(store: nil, recovers: true)).command(.log)
                == "state-inspect log a.jsonl --recover")
        #expect(Advice("a\nb").command(.info) == #"state-inspect info "$(printf 'a\012b')""#)
        #expect(Advice("a.jsonl").command(.blame, ["/##x"]) == "state-inspect blame a.jsonl '/#''#x'")
        #expect(Advice("-").help(.verify, to: "lists all damage").isEmpty)
        #expect(!Advice("-").isPossible)
    }

    @Test("a command about a file that is no journal is written so that it can be pasted")
    func imports() {
        let state = ["--state", ".x y"]
        #expect(
            ImportAdvice("a b;c.log").command(.jsonl, state) == "state-inspect import jsonl 'a b;c.log' --state '.x y'")
        #expect(
            ImportAdvice("-a.log").command(.jsonl, state, output: "-a.jsonl")
                == "state-inspect import --state '.x y' --output=-a.jsonl -- jsonl -a.log")
        #expect(ImportAdvice("-").command(.kubernetes) == "state-inspect import kubernetes")
        #expect(
            ImportAdvice("a b").help(for: .encoding("UTF-16")) == ["this writes it so: iconv -f UTF-16 -t UTF-8 'a b'"])
        #expect(ImportAdvice("-").help(for: .encoding("UTF-16")) == [])
    }

    @Test("a file of another format is named once quoted in a sentence, and as a shell takes it in a command")
    func importOfAnotherFormat() throws {
        let folder = TemporaryFolder()
        let pods = folder.write(
            #"{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}}"#,
            to: "my pods;x.log")
        let refused = ProgramRun(["import", "trrack", pods])
        #expect(
            refused.status == 3 && refused.messages.contains("help: state-inspect import kubernetes '\(pods)' -o "),
            "\(refused)")
        let guessed = ProgramRun(["import", "jsonl", pods, "--suggest"])
        #expect(guessed.messages.contains("note: '\(pods)' looks like 'kubernetes', what "), "\(guessed)")
        #expect(
            guessed.output == "state-inspect import kubernetes '\(pods)' -o 'my pods;x.jsonl'\n", "\(guessed)")
    }

    @Test("several outputs are a warning, a time on no line is status 5, and '--strict' makes each an error")
    func importWarnings() throws {
        let folder = TemporaryFolder()
        let log = folder.write(#"{"time":1,"l":[1,2]}"#, to: "a.log")
        let runs: [([String], Int32, String)] = [
            (["--state", ".l[]", "--time", ".time"], 0, "warning: '--state' gives several outputs on 1 line"),
            (
                ["--state", ".l[]", "--time", ".time", "--strict"], 5,
                "error: '--state' gives several outputs on 1 line"
            ),
            (["--state", ".l", "--time", ".tiem"], 5, "help: write '.time'"),
            (["--state", ".l", "--cause", ".tiem"], 0, "help: write '.time'"),
            (["--state", ".l", "--cause", ".tiem", "--strict"], 5, "error: '--cause' gives nothing"),
            (["--each", ".l[]", "--state", "."], 0, "2 commits"),
        ]
        for (options, status, message) in runs {
            let run = ProgramRun(["import", "jsonl", log] + options)
            let isThere = run.messages.contains(message) || message == "2 commits"
            #expect(run.status == status && isThere && run.output.contains("\"kind\":\"end\""), "\(run)")
        }
    }

    @Test("'--recover' is only offered by a command that has it")
    func recover() throws {
        let journal = ShopJournal { $0[6] = "damage" }
        for (command, isOffered) in [
            (["state", "J"], true), (["show", "J", "2"], false), (["log", "J"], true), (["merge", "J"], false),
        ] {
            let run = journal.run(command)
            #expect(run.status == 3 && run.messages.contains("--recover") == isOffered, "\(run)")
        }
    }
}
