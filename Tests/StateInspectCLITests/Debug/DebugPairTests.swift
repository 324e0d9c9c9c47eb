import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

@testable import StateInspectCLI

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
