import JSONCore
import Diagnostics
import Foundation
import JournalFormat
import JournalReading
import Platform
import TestSupport
import Testing
import TimeTravel

@testable import CommandLine
@testable import Debugger

/// A suite that has scripts carried out over the sample.
protocol DebuggerSuite {}

extension DebuggerSuite {
    static var sample: String { SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path }

    /// Carries out the lines of a script.
    func run(_ lines: [String], _ options: [String] = [], journal: String = Self.sample) -> ProgramRun {
        let folder = TemporaryFolder()
        let script = folder.write(lines.joined(separator: "\n") + "\n", to: "script")
        return ProgramRun(["debug", journal, "-x", script, "--batch"] + options)
    }
}

@Suite("The debugger without a terminal")
struct DebugCommandTests: DebuggerSuite {
    private let folder = TemporaryFolder()

    @Test("'last' goes to the commit that made the total what it is, and again to the one before")
    func last() {
        let run = run(["last /cart/total", "print .cart.total", "last /cart/total", "print .cart.total"])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("commit 118 · shop/Cart.swift:37 applyDiscount(_:)"), "\(run)")
        #expect(run.output.contains("New value = -6"), "\(run)")
    }

    @Test("a watchpoint stops at the same places in both directions, with the earlier value as the old one")
    func watch() {
        let forward = run(["start", "watch /cart/total if .cart.total < 0", "continue"])
        let backward = run(["watch /cart/total if .cart.total < 0", "reverse-continue"])
        for run in [forward, backward] {
            #expect(run.output.contains("Watchpoint 1: /cart/total"), "\(run)")
            #expect(run.output.contains("commit 118"), "\(run)")
        }
    }

    @Test("a violation is caught where it begins, and a breakpoint where its line made a commit")
    func catches() {
        let run = run([
            "start", "catch violation .cart.total >= 0", "continue", "start", "delete", "tb Cart.swift:37", "c",
        ])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("Catchpoint 1: violation .cart.total >= 0"), "\(run)")
        #expect(run.output.contains("Temporary breakpoint 2: Cart.swift:37"), "\(run)")
    }

    @Test("without the commit that did it the total stays what it was, and comes back with it")
    func skipping() {
        let run = run(["skip 118", "print .cart.total < 0", "unskip", "print .cart.total < 0"])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("false\nthe run is as it was") && run.output.hasSuffix("true\n"), "\(run)")
    }

    @Test("each end is told, and a session does not leave there")
    func ends() {
        let run = run(["end", "step", "continue", "start", "reverse-step", "reverse-continue", "when"])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.components(separatedBy: "the end of the run").count == 4, "\(run)")
        #expect(run.output.components(separatedBy: "the start of the run").count == 3, "\(run)")
    }

    @Test(
        "a wrong line ends a script with its number and its status",
        arguments: [
            ("wacth /cart", 2, "line 2 of"), ("print .cart |", 2, "note: line 2 of"), ("goto 100000", 4, "line 2 of"),
            ("delete 7", 4, "there is no breakpoint '7'"), ("step -1", 2, "'-1' is no number of times"),
            ("catch", 2, "needs what to catch"), ("restart nowhere", 4, "there is no checkpoint 'nowhere'"),
            ("back", 4, "no place to go back to"), ("source nowhere.debug", 3, "nowhere.debug"),
            ("break shop/Cart.swift:0", 2, "lines count from 1"), ("break add if", 2, "no query after 'if'"),
            ("watch /cart/total if", 2, "no query after 'if'"), ("info", 2, "'info' needs one of"),
        ])
    func wrongLines(_ line: String, status: Int32, message: String) {
        let run = run(["# a comment", line, "print \"not reached\""])
        #expect(run.status == status, "\(run)")
        #expect(run.messages.contains(message), "\(run)")
        #expect(!run.output.contains("not reached"), "\(run)")
    }

    @Test("what a journal says reaches nobody's terminal unescaped")
    func escaping() throws {
        var lines = LineBuilder()
        let time = try #require(Timestamp("2026-01-01T00:00:00Z"))
        let at = SourceLocation(file: "A/\u{1B}[31mB.swift", line: 1, column: 1, function: "f\u{7}()")
        lines.journal(JournalHeader(id: "x", time: time, recorder: "test"))
        func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
        bytes(#"{"a":"b"}"#).withBytes {
            lines.store(seq: CommitNumber(0), store: "s\u{1B}", type: "T", time: time, at: at, state: $0)
        }
        bytes(#"[{"op":"replace","path":"/a","value":"\u001b[2J","old":"b"}]"#).withBytes {
            lines.commit(
                seq: CommitNumber(1), store: "s\u{1B}", version: 1, time: time, at: at, name: "n\u{1B}", action: nil,
                patch: $0)
        }
        lines.mark(seq: CommitNumber(1), time: time, at: nil, text: "m\u{1B}]0;x\u{7}")
        let path = folder.write(lines.bytes, to: "run.jsonl")
        let run = run(
            [
                "info stores", "info marks", "watch /*/a", "catch mark", "start", "c", "print", "why", "bt", "blame /*",
                "when",
            ],
            journal: path)
        #expect(run.status == 0, "\(run)")
        #expect(!(run.output + run.messages).unicodeScalars.contains { $0.value < 32 && $0 != "\n" }, "\(run)")
    }

    @Test("the example of the manual tells the whole story")
    func story() {
        let script = SharedFolder.packageRoot.appendingPathComponent("samples/total.debug").path
        let run = ProgramRun([
            "debug", Self.sample, "-x", script, "--batch", "--source-root",
            SharedFolder.packageRoot.appendingPathComponent("samples").path,
        ])
        #expect(run.status == 0 && run.messages.isEmpty, "\(run)")
        #expect(run.output.contains("caused by  117"), "\(run)")
        #expect(run.output.contains("→   37"), "\(run)")
    }

    @Test("a journal that has grown is gone on with, one that was cut is told")
    func growth() throws {
        var maker = JournalMaker(seed: 4)
        maker.run(commits: 20, gaps: false)
        let (short, before) = (maker.bytes, maker.seq)
        maker.run(commits: 25, gaps: false)
        let path = folder.write(short, to: "run.jsonl")
        let journal = try Journal.open(path, access: .random)
        let session = try Session(journal) { () throws(JournalError) in try Journal.open(path, access: .random) }
        var told = ""
        let interpreter = DebugInterpreter(session, .init(), width: nil) { told += $0.text + "\n" }
        _ = try interpreter.execute("continue")
        #expect(told.contains("the end of the run, commit \(before)"), "\(told)")
        _ = folder.write(maker.bytes, to: "run.jsonl")
        _ = try interpreter.execute("step")
        #expect(told.contains("the journal has grown: commits \(before + 1) to 25"), "\(told)")
        #expect(session.position.commit == CommitNumber(before + 1))
        _ = try interpreter.execute("end")
        _ = folder.write(short, to: "run.jsonl")
        _ = try interpreter.execute("end")
        #expect(told.contains("the journal was cut: it ends with commit \(before), not 25"), "\(told)")
        #expect(session.position.commit == CommitNumber(before))
    }

    // MARK: Damage in the way

    /// The sample with another sum on the lines of some commits.
    private func damagedSample(_ commits: Int...) throws -> String {
        let text = try String(contentsOfFile: Self.sample, encoding: .utf8)
        let lines = text.split(separator: "\n").map { line in
            guard commits.contains(where: { line.hasPrefix("{\"seq\":\($0),\"kind\":\"commit\"") }) else { return line }
            return line.prefix(upTo: line.index(line.endIndex, offsetBy: -10)) + "00000000\"}"
        }
        return folder.write(lines.joined(separator: "\n") + "\n", to: "damaged.jsonl")
    }

    @Test("damage is the same hole in both directions, for steps and for scans, and the other side is offered")
    func hole() throws {
        let path = try damagedSample(200)
        let stepped = run(["goto 199", "step", "reverse-step"], journal: path)
        let scanned = run(
            ["goto 190", "until .cart.total > 1000", "end", "reverse-until .cart.total > 1000"], journal: path)
        for run in [stepped, scanned] {
            #expect(run.status == 0, "\(run)")
            #expect(run.output.components(separatedBy: "commits 200 to 245 cannot be read").count == 3, "\(run)")
            #expect(run.output.contains("the next motion goes on at the other side, commit 246"), "\(run)")
        }
    }

    @Test("what a scan meets within damage that it did not read ends it at the damage")
    func unreadDamage() throws {
        let path = try damagedSample(57, 400)
        let backward = run(["watch /cart/total", "rc", "rc"], journal: path)
        #expect(backward.status == 0, "\(backward)")
        #expect(backward.output.contains("commits 400 to 412 cannot be read") == false, "\(backward)")
        #expect(backward.output.contains("commits 57 to 120 cannot be read"), "\(backward)")
        #expect(backward.output.hasSuffix("the start of the run\nstart\n"), "\(backward)")
        let forward = run(
            ["goto 47", "watch /catalogue/products/cup/stock", "c", "c", "c", "goto 390", "c"], journal: path)
        #expect(forward.status == 0, "\(forward)")
        #expect(forward.output.contains("commit 56 "), "\(forward)")
        #expect(forward.output.contains("commit 123 "), "\(forward)")
        #expect(forward.output.contains("commits 400 to 412 cannot be read"), "\(forward)")
        #expect(forward.output.contains("nothing after it can be read"), "\(forward)")
    }

    // MARK: What is typed

    @Test("a commit that the app named stops a breakpoint on that name, which is what people see")
    func namedCommits() {
        let run = run(["break update", "reverse-continue"])
        #expect(run.output.contains("Breakpoint 1: update\ncommit 409 · shop/Likes.swift:42 update"), "\(run)")
        #expect(run.messages.isEmpty, "\(run)")
    }

    @Test("warnings go to standard error, and what was asked for is done")
    func warnings() {
        let run = run(["watch .cart.totl", "watch 1", "break nowhere.swift:3", "info breakpoints"])
        #expect(run.status == 0, "\(run)")
        #expect(!run.output.contains("warning"), "\(run)")
        #expect(run.messages.contains("help: write '.cart.total'"), "\(run)")
        #expect(run.messages.contains("'watch' is the same at every position"), "\(run)")
        #expect(run.messages.contains("no commit of this run was made in 'nowhere.swift:3'"), "\(run)")
        #expect(run.output.contains("3  breakpoint  nowhere.swift:3"), "\(run)")
    }

    @Test("lists with nothing in them say so")
    func emptyLists() {
        let run = run(["info breakpoints", "info checkpoints", "info display"])
        #expect(run.output == "nothing stops the run\nno place is remembered\nnothing is displayed\n", "\(run)")
    }

    @Test("of a watch with wildcards the place that changed is told")
    func wildcards() {
        let run = run(["last /cart/items/*/quantity"])
        #expect(run.output.contains("/cart/items/2/quantity\nOld value = 1\nNew value = (nothing)\n"), "\(run)")
    }

    @Test("inside a commit 'last' goes on from there too")
    func lastInside() {
        let path = "/likes/hearts/strainer/completed/content/isFilled"
        let run = run(["goto 408", "stepi", "last \(path)", "last \(path)"])
        #expect(run.output.contains("commit 409, 1 of 2 changes made"), "\(run)")
        #expect(run.output.contains("New value = true\ncommit 354 "), "\(run)")
    }

    @Test("a commit that is left out is no place to go to, and the last one left out is no hole")
    func leftOut() {
        let run = run(["skip 118,412", "goto 118", "end", "step", "continue"])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("commit 118 is left out of this run"), "\(run)")
        #expect(!run.output.contains("lost"), "\(run)")
        #expect(run.output.hasSuffix("the end of the run, commit 411\nthe end of the run, commit 411\n"), "\(run)")
    }

    @Test("the history is kept where the variables say, and nowhere for an empty one")
    func history() throws {
        func path(_ variables: [String: String]) -> String? { DebugConsole.historyPath(Environment(variables)) }
        #expect(path(["STATE_INSPECT_HISTORY": "/x/y"]) == "/x/y")
        #expect(path(["STATE_INSPECT_HISTORY": "", "HOME": "/nowhere"]) == nil)
        let state = folder.path("new/state")
        #expect(path(["XDG_STATE_HOME": state, "HOME": "/nowhere"]) == state + "/state-inspect/debug_history")
        let mode = try FileManager.default.attributesOfItem(atPath: state)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        #expect(path([:]) == nil)
    }

    @Test("what is begun is completed: commands, paths, members, stops and what can be caught")
    func completion() throws {
        let session = try Session(try Journal.open(Self.sample, access: .random))
        let completion = DebugCompletion(session: session, definitions: [])
        #expect(completion.completion(of: "rev").candidates.contains("reverse-continue"))
        #expect(completion.completion(of: "last /ca").candidates == ["/cart", "/catalogue"])
        #expect(completion.completion(of: "watch /cart/to").candidates == ["/cart/total"])
        let query = completion.completion(of: "print .cart.tot")
        #expect(query == LineCompletion(start: 6, candidates: [".cart.total"]))
        #expect(completion.completion(of: "print cart.tot") == LineCompletion(start: 6, candidates: ["cart.total"]))
        #expect(completion.completion(of: "watch cart.tot").candidates == ["cart.total"])
        #expect(completion.completion(of: "print /cart/tot").candidates == ["/cart/total"])
        #expect(completion.completion(of: "until ca").candidates == ["cart", "catalogue"])
        #expect(completion.completion(of: "catch v").candidates == ["violation"])
        #expect(completion.completion(of: "info b").candidates == ["breakpoints"])
        #expect(completion.completion(of: "break applyD").candidates == ["applyDiscount"])
    }
}
