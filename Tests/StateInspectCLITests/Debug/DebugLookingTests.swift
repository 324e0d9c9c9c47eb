import Diagnostics
import Foundation
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TestSupport
import Testing
import TimeTravel

@testable import StateInspectCLI

@Suite("What the debugger shows of a run")
struct DebugLookingTests {
    private static let sample = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path

    private func run(_ lines: [String], _ options: [String] = [], journal: String = sample) -> ProgramRun {
        let folder = TemporaryFolder()
        let script = folder.write(lines.joined(separator: "\n") + "\n", to: "script")
        return ProgramRun(["debug", journal, "-x", script, "--batch"] + options)
    }

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
        let lines = DebugPrinter(style: .plain, width: 80).lines(life, of: subject)
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
            "print [range(300)] | length", "set print elements 2", "print [range(4)], \"four\"", "set p elements 0",
        ])
        #expect(
            run.output.contains("[\n  0,\n  1,\n  \"… 2 more\"\n]\n\"fo… 2 more\"\nnote: long values are cut"), "\(run)"
        )
        #expect(self.run(["print [range(300)]"]).output.contains("\n  299\n"))
    }

    @Test("a person is asked at the end of each screen, goes on, reads all, or ends it")
    func paging() throws {
        func pages(_ answers: [OutputPager.Answer]) throws -> (lines: Int, asked: Int) {
            var (lines, asked) = (0, 0)
            let pager = OutputPager { _ in lines += 1 }
            pager.ask = {
                asked += 1
                return answers[min(asked, answers.count) - 1]
            }
            pager.begin(ScreenSize(columns: 10, rows: 5))
            do {
                for _ in 0..<10 { try pager.write("short\n") }
                try pager.write(String(repeating: "x", count: 25) + "\n")
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

    @Test("the folders of the history are made, for their owner only")
    func historyFolders() throws {
        let folder = TemporaryFolder()
        let state = folder.path + "/new/state"
        let path = DebugConsole.historyPath(Environment(["XDG_STATE_HOME": state, "HOME": "/nowhere"]))
        #expect(path == state + "/state-inspect/debug_history")
        let mode = try FileManager.default.attributesOfItem(atPath: state)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }
}
