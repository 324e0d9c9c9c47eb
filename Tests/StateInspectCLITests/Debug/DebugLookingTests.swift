import Diagnostics
import Foundation
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TestSupport
import Testing
import TimeTravel

@testable import CommandLine
@testable import Debugger

@Suite("What the debugger shows of a run")
struct DebugLookingTests: DebuggerSuite {
    @Test(
        "the history of a value is what 'history' and 'replay --changed' find, however its path is written",
        arguments: ["/cart/total", "cart.total", ".cart.total"])
    func history(_ path: String) throws {
        let lines = run(["history \(path)"]).output.split(separator: "\n").map(String.init)
        let asked = ProgramRun(["history", Self.sample, "/cart/total", "--format", "json"]).output
        let changes = asked.split(separator: "\n").filter {
            $0.contains(#""kind":"history""#) || $0.contains(#""seq""#)
        }
        let rows = lines.dropFirst(lines.count - 1 - changes.count).dropLast()
        #expect(
            rows.count == changes.count
                && lines.filter { $0.contains(" → ") && $0.contains(".swift:") }.count >= rows.count)
        #expect(rows.first?.contains(" 0 → ") == true && rows.allSatisfy { $0.contains(" → ") }, "\(lines)")
        let replayed = ProgramRun(["replay", Self.sample, "--select", ".cart.total", "--changed", "--json"]).output
        #expect(replayed.split(separator: "\n").count == changes.count, "\(replayed)")
        #expect(
            rows.contains { $0.contains("118  12 → -6") && $0.contains("12:01:10.630  Cart.swift:37  applyDiscount") })
        #expect(lines.last?.allSatisfy { "▁▂▃▄▅▆▇█".contains($0) } == true, "\(lines)")
    }

    @Test("where a value comes from is what the command 'origin' says of the position")
    func origin() {
        let asked = ProgramRun(["origin", Self.sample, "/feed/entries/3/text", "--at", "300", "--format", "human"])
            .output
        let story = asked.components(separatedBy: "\n\nlook further:")[0]
        let shown = run(["goto 300", "origin /feed/entries/3/text"]).output
        #expect(!story.isEmpty && shown.contains(story), "\(shown)\n\(asked)")
        #expect(run(["origin /feed/**"]).messages.contains("'origin' is of one value"))
        #expect(run(["skip 118", "origin /cart/total"]).messages.contains("reports on the run as it was"))
        #expect(run(["origin /nothing"]).messages.contains("nothing is at '/nothing' here"))
    }

    @Test("each change of a random run is in the history of its place, in the run as it was and as it would have been")
    func everyChange() throws {
        let maker = JournalMaker(seed: 11, commits: 120, gaps: false)
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
        let session = try Session(journal)
        for skips in [false, true] {
            if skips { _ = try session.perform(.skip(try CommitList(parsing: "40"))) }
            let subject = WatchSubject(
                "/**", .places(PathMatcher([try PathPattern(parsing: "/*", operand: "PATH").steps])))
            let life = try ValueLife(of: subject, in: session, SessionCalls())
            var found: [Int] = []
            _ = try session.perform(.start)
            while true {
                let events = try session.perform(.change(subject, .forward))
                guard case .stopped(let stop)? = events.last, stop.position != stop.from else { break }
                found.append(stop.position.commit.rawValue)
            }
            #expect(Set(life.rows.map(\.position)) == Set(found), "skips: \(skips)")
        }
    }

    @Test("a history that is interrupted shows what it found, and says so")
    func interruptedHistory() throws {
        let session = try Session(try Journal.open(Self.sample, access: .random))
        var calls = SessionCalls()
        calls.isInterrupted = { true }
        let subject = WatchSubject(
            "/cart/total", .places(PathMatcher([try PathPattern(parsing: "/cart/total", operand: "P").steps])))
        let life = try ValueLife(of: subject, in: session, calls)
        #expect(life.end == .interrupted)
        let lines = DebugPrinter(width: 80).lines(life, of: subject)
        #expect(lines.last == "interrupted: there may be more")
    }

    @Test("numbers are drawn between their least and their greatest, whatever they are")
    func sparkline() {
        #expect(Sparkline.text([0, 7, 14], columns: 10) == "▁▅█")
        #expect(Sparkline.text([1, 1], columns: 10) == "▅▅")
        #expect(Sparkline.text((0..<100).map(Double.init), columns: 8).count == 8)
        #expect(Sparkline.text([-.greatestFiniteMagnitude, .greatestFiniteMagnitude], columns: 9) == "▁█")
        #expect(Sparkline.text([.nan, .infinity], columns: 9) == "")
    }

    @Test("a search goes on at the other end of the run, and says so; what is nowhere is said to be")
    func search() {
        let run = run(["goto 118", "search spring", "search", "reverse-search spring", "search nowhere at all"])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("went on from the start\ncommit 70 "), "\(run)")
        #expect(run.output.contains("commit 71 "), "\(run)")
        #expect(run.output.hasSuffix("'nowhere at all' is nowhere in this run\n"), "\(run)")
        let payload = self.run(["start", "search courier"])
        #expect(payload.output.contains("CheckoutAction.chooseDelivery \"courier\""), "\(payload)")
    }

    @Test("the action of a reducer's commit is shown with its payload, at a stop and by 'why'")
    func action() {
        let run = run(["goto 119", "why"])
        let expected = "  action      CheckoutAction.chooseDelivery \"post\"\n"
        #expect(run.output.components(separatedBy: expected).count == 3, "\(run)")
    }

    @Test("long values are cut where 'set print elements' says, and nowhere in a script")
    func elements() {
        let run = run([
            "print [range(300)] | length", "set print elements 2", "print [range(4)], \"four\"",
            "print {a: [1, 2], b: 2, c: 3, d: 4}", "set p elements 0",
        ])
        #expect(
            run.output.contains("[\n  0,\n  1,\n  \"… 2 more\"\n]\n\"fo… 2 more\"\nnote: long values are cut"), "\(run)"
        )
        let object = "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": 2,\n  \"…\": \"… 2 more\"\n}\nnote: long values"
        #expect(run.output.contains(object), "\(run)")
        #expect(self.run(["print [range(300)]"]).output.contains("\n  299\n"))
    }

    @Test("a person is asked at the end of each screen, goes on, reads all, or ends it")
    func paging() throws {
        func pages(_ answers: [OutputPager.Reply]) throws -> (lines: Int, asked: Int) {
            var (lines, asked) = (0, 0)
            let pager = OutputPager { _ in lines += 1 }
            pager.ask = {
                asked += 1
                return answers[min(asked, answers.count) - 1]
            }
            pager.begin(ScreenSize(columns: 10, rows: 5))
            do {
                for _ in 0..<10 { try pager.write("short") }
                try pager.write("\(String(repeating: "x", count: 25))")
            } catch is OutputPager.Ended {}
            return (lines, asked)
        }
        #expect(try pages([.goOn]) == (11, 3))
        #expect(try pages([.all]) == (11, 1))
        #expect(try pages([.goOn, .quit]) == (8, 2))
    }

    @Test("a member that nothing changed was there when its store opened, which is said")
    func opening() {
        let run = run(["goto 100", "last /session/refreshes"])
        #expect(run.output.contains("it was there when the store opened: "), "\(run)")
    }

    @Test("of a run that was read whole it is said that no commit of it was made in a place")
    func noSuchPlace() {
        let run = run(["break nosuch"])
        #expect(run.messages.contains("no commit of this run was made in 'nosuch'"), "\(run)")
        #expect(!run.messages.contains("near here"), "\(run)")
    }

    @Test("what 'info' lists stands in columns")
    func columns() {
        let run = run(["info stores", "checkpoint a", "checkpoint longer", "info checkpoints"])
        #expect(run.output.contains("cart       {"), "\(run)")
        #expect(run.output.contains("a       commit 412\nlonger  commit 412\n"), "\(run)")
    }
}

@Suite("Two runs side by side in the debugger")
struct DebugPairTests {
    private static func sample(_ name: String) -> String {
        SharedFolder.packageRoot.appendingPathComponent("samples/\(name).jsonl").path
    }
    private static let (good, bad) = (sample("checkout-good"), sample("checkout"))

    private func run(_ lines: [String], _ left: String = good, _ right: String = bad) -> ProgramRun {
        let folder = TemporaryFolder()
        let script = folder.write(lines.joined(separator: "\n") + "\n", to: "script")
        return ProgramRun(["debug", left, right, "-x", script, "--batch"])
    }

    @Test("it begins where the runs part, and shows where both stand and what differs")
    func opening() {
        let run = run(["when"])
        #expect(run.status == 0 && run.messages.isEmpty, "\(run)")
        #expect(run.output.contains("only the right run has this commit\n"), "\(run)")
        #expect(
            run.output.contains("left   at commit 116 of 413") && run.output.contains("right  commit 117 · "), "\(run)")
    }

    @Test("what a commit of one run changed stands under it, and apart from that what differs, which is no change")
    func changesAndDifferences() throws {
        let run = run(["when", "next", "next"])
        let stops = run.output.components(separatedBy: "only the ").dropFirst()
        #expect(stops.count == 3, "\(run)")
        for stop in stops {
            let parts = stop.components(separatedBy: "the runs differ here in\n")
            #expect(parts.count == 2 && parts[0].contains("→") && !parts[1].contains("→"), "\(stop)")
        }
        #expect(run.output.contains(#"/checkout/step      "choosing" → "paying""#), "\(run)")
        #expect(run.output.contains(#"/checkout/step             left "paying"  right "choosing""#), "\(run)")
        #expect(
            run.output.contains("/cart/total         12 → -6") && run.output.contains("left 12  right -6"), "\(run)")
    }

    @Test("a position is a commit of the left run, and after 'right' one of the right run")
    func positions() {
        let run = run(["goto 118", "goto right 118", "goto left 118"])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.components(separatedBy: "left   commit 118 · ").count == 3, "\(run)")
        #expect(run.output.contains("right  commit 118 · shop/Cart.swift:37"), "\(run)")
    }

    @Test("'next' goes from difference to difference, 'step' from commit to commit, and both end at the ends")
    func motions() {
        let run = run(["reverse-step", "step", "next", "rn", "start", "rs", "end", "print .cart.total", "step", "next"])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("both runs have this commit\nleft   commit 116"), "\(run)")
        #expect(run.output.contains("\nthe states are equal"), "\(run)")
        #expect(run.output.contains("left\n0\nright\n-6\n"), "\(run)")
        #expect(run.output.contains("the start of both runs"), "\(run)")
        #expect(run.output.hasSuffix("the end of both runs\nthe runs do not differ after this\n"), "\(run)")
    }

    @Test("what both answer alike is printed once, and what neither can answer is an error")
    func questions() {
        let run = run(["print /session/user/name", "print cart.total +"])
        #expect(run.output.contains("both\n\"Ada\"\n"), "\(run)")
        #expect(run.status == 2, "\(run)")
        for line in ["watch /cart", "skip 3", "up"] {
            let refused = self.run([line])
            #expect(refused.status == 2 && refused.messages.contains("two runs side by side have no"), "\(refused)")
        }
    }

    @Test("a run beside itself stands at the end, and its states are equal everywhere")
    func same() {
        let run = run(["when", "goto 100", "diff", "next"], Self.bad, Self.bad)
        #expect(run.output.contains("left   commit 412") && run.output.contains("right  commit 412"), "\(run)")
        #expect(run.output.components(separatedBy: "the states are equal").count == 4, "\(run)")
        #expect(run.output.hasSuffix("the runs do not differ after this\n"), "\(run)")
    }

    @Test(
        "the screen of two runs lists the steps with the sign of the run that has them, at every width",
        arguments: [60, 80, 100, 200])
    func screens(_ columns: Int) throws {
        func session(_ path: String) throws -> Session { try Session(try Journal.open(path, access: .random)) }
        let paired = try PairedRuns(("good.jsonl", try session(Self.good)), ("bad.jsonl", try session(Self.bad)))
        let reader = FullScreenReader(paired.left.session, paired)
        var model = FullScreenModel(journal: "good.jsonl | bad.jsonl", size: ScreenSize(columns: columns, rows: 24))
        model.show(reader.facts(rows: 24))
        model.show(paired.columns(400))
        _ = try paired.perform(.change(WatchSubject("", .places(PathMatcher([]))), .forward))
        model.show(reader.facts(rows: 24))
        let text = FullScreenView(model).screen.text
        try expectRecorded(text, "pair-\(columns).txt")
        #expect(text.contains("▶117") && text.contains("< pay"), "\(text)")
        #expect(text.contains("left 117 of 413   right 117 of 412"), "\(text)")
        // What differs since this step is selected, and seen in the tree and in what differs.
        #expect(model.selected.text == "/checkout/step", "\(model.selected)")
        if columns > 60 { #expect(text.contains("●    step: \"choosing\"  left \"p"), "\(text)") }
        #expect(text.contains("the runs differ here in") && !text.contains("left \"paying\" →"), "\(text)")
        for key in ["1", "1", "8"] { #expect(model.handle(.key(.scalar(Unicode.Scalar(key)!))).isEmpty) }
        let motion = model.handle(.key(.scalar("g"))).first
        #expect(motion == .goTo(118))
        _ = try paired.perform(.goTo(CommitNumber(118)))
        model.show(reader.facts(rows: 24))
        #expect(FullScreenView(model).screen.text.contains("▶118"), "\(FullScreenView(model).screen.text)")
        _ = try paired.perform(.change(WatchSubject("", .places(PathMatcher([]))), .backward))
        model.show(reader.facts(rows: 24))
        #expect(model.selected.text == "/cart/total", "\(model.selected)")
        #expect(text.contains("only the left run has this commit"), "\(text)")
        #expect(model.handle(.key(.scalar("n"))).count == 1)
    }
}
