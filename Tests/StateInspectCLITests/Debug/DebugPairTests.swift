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
        let script = folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "script")
        return ProgramRun(["debug", left, right, "-x", script, "--batch"])
    }

    @Test("it begins where the runs part, and shows where both stand and what differs")
    func opening() {
        let run = run(["when"])
        #expect(run.status == 0 && run.messages.isEmpty, "\(run)")
        #expect(run.output.contains("only the right run has this commit, step 117 of "), "\(run)")
        #expect(run.output.contains("left   commit 116 · ") && run.output.contains("right  commit 117 · "), "\(run)")
        #expect(run.output.contains("/session/refreshes         0 → 1"), "\(run)")
    }

    @Test("'next' goes from difference to difference, 'step' from commit to commit, and both end at the ends")
    func motions() {
        let run = run(["reverse-step", "step", "next", "rn", "start", "rs", "end", "print .cart.total", "step", "next"])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("both runs have this commit, step 116"), "\(run)")
        #expect(run.output.contains("  the states are equal"), "\(run)")
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
        #expect(run.output.contains("step 412 of 412"), "\(run)")
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
        try FullScreenTests().expect(text, "pair-\(columns)")
        #expect(text.contains("▶118") && text.contains("< pay"), "\(text)")
        #expect(text.contains("only the left run has this commit"), "\(text)")
        #expect(model.handle(.key(.scalar("n"))).count == 1)
    }
}
