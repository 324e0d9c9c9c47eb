import Testing

@testable import StateInspectCLI

@Suite("The state of a damaged journal")
struct RecoverStateTests {
    @Test("'--recover' gives the last state that is known where damage hides the end, and says which")
    func end() throws {
        for damaged in [7, 12] {
            let journal = ShopJournal { lines in
                lines[damaged] = lines[damaged].replacing("\"seq\"", with: "\"sqe\"", maxReplacements: 1)
                if damaged == 12 { lines.removeLast() }
            }
            let last = damaged == 7 ? 2 : 5
            #expect(journal.run("state", "J").status == 3)
            let run = journal.run("state", "J", "--recover")
            let whole = ShopJournal()
            #expect(run.status == 5 && run.output == whole.run("state", "J", "\(last)").output, "\(run)")
            #expect(run.messages.contains("the state at \(last) is the last one before it that is known"), "\(run)")
        }
    }

    @Test(
        "an answer stands where only what it says besides is damaged, and that is reported",
        arguments: [
            (5, ["--format", "human"], "what a derived value was before commit 5"),
            (5, ["--format", "github"], "what a derived value was before commit 5"),
            (5, ["--format", "markdown"], "what a derived value was before commit 5"),
            (5, ["--format", "sarif"], "what a derived value was before commit 5"),
            (11, ["--format", "human"], "what the derived values did after commit 5"),
        ])
    func besides(_ damaged: Int, _ options: [String], _ note: String) throws {
        let journal = ShopJournal { lines in
            // The value that it had before lies in the damage, or what it did is no outcome.
            if damaged == 11 { return lines[11] = lines[11].replacing("\"derived\":[", with: "\"derived\":7,\"x\":[") }
            lines[damaged] = "damage"
            lines.insert(Self.keyframe, at: 7)
        }
        let bad = ["--bad", ".cart.total == -9", "--recover"]
        let bisect = ProgramRun(["bisect", journal.path] + bad + options)
        #expect(bisect.output.contains("5") && bisect.messages.contains(note), "\(bisect)")
        #expect([0, 5].contains(bisect.status), "\(bisect)")
        let report = ProgramRun(["report", journal.path, "-o", "-"] + bad)
        #expect(report.output.contains("</html>") && report.messages.contains(note), "\(report.messages)")
        let check = ProgramRun(["check", journal.path, "--invariant", "a=.cart.total != -9", "--recover"] + options)
        #expect(check.status == 1 && check.output.contains("5") && check.messages.contains(note), "\(check)")
        let show = journal.run("show", "J", "5")
        #expect(show.output.contains(#""seq":5"#) && show.messages.contains(note), "\(show)")
    }

    private static let keyframe =
        #"{"seq":2,"kind":"keyframe","time":"2026-11-21T12:00:02.100000Z","states":{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"b7"}}}"#

    @Test("a position that damage hides has no state, also with '--recover'")
    func hidden() throws {
        let journal = ShopJournal { $0[7] = "damage" }
        let run = journal.run("state", "J", "4", "--recover")
        #expect(run.status == 3 && run.output.isEmpty, "\(run)")
    }

    @Test("of a whole journal it is what it is without, and behind a keyframe the end is known")
    func whole() throws {
        let keyframe =
            #"{"seq":5,"kind":"keyframe","time":"2026-11-21T12:00:05.100000Z","states":{"cart":{"items":[],"total":-9},"session":{"token":"b7"}}}"#
        for change in [
            { _ in },
            { (lines: inout [String]) in
                lines[7] = "damage"; lines.insert(keyframe, at: 11)
            },
        ] {
            let journal = ShopJournal(change)
            let run = journal.run("state", "J", "--recover", "--select", ".cart.total")
            #expect(run.status == 0 && run.output == "-9\n", "\(run)")
        }
    }
}
