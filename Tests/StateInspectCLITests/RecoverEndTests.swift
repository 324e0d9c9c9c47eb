import Testing

@testable import StateInspectCLI

@Suite("Answers around damage")
struct RecoverEndTests {
    static let commands: [[String]] = [
        ["replay", "J"], ["replay", "J", "--reverse"], ["replay", "J", "--final"], ["replay", "J", "--changed"],
        ["replay", "J", "--without", "2"], ["history", "J", "/cart/total"], ["log", "J", "--store", "cart"],
        ["log", "J", "--store", "cart", "--reverse"], ["log", "J", "--where", ".cart.total < 0"], ["stats", "J"],
        ["derived", "J", "--define", "total=.cart.total"], ["stats", "J", "--range", "end-3.."],
        ["check", "J", "--invariant", "total=.cart.total != null"],
        ["history", "J", "--range", "mark:total..", "/cart/total"],
        ["log", "J", "--range", "12:00:02..", "--path", "/cart/total"],
    ]

    @Test("a damaged last line does not take the answers away: they are those before it, status 5", arguments: commands)
    func damagedEnd(_ command: [String]) throws {
        let (whole, damaged) = (ShopJournal(), ShopJournal { $0.append(#"{"seq":6,"kind":nothing"#) })
        func run(_ journal: ShopJournal, _ options: [String]) -> ProgramRun {
            ProgramRun(command.map { $0 == "J" ? journal.path : $0 } + options)
        }
        // What ends before it need not meet it: only a search for the end does.
        #expect(run(damaged, []).status == 3)
        let (expected, found) = (run(whole, []), run(damaged, ["--recover"]))
        func lines(_ run: ProgramRun, _ journal: ShopJournal) -> [String] {
            run.output.replacing(journal.path, with: "J").replacing("\"unanswered\":1", with: "\"unanswered\":0")
                .split(separator: "\n").map(String.init).filter { !$0.hasPrefix(#"{"kind":"stats.kind""#) }
        }
        #expect(lines(found, damaged) == lines(expected, whole), "\(found)")
        #expect(found.status == 5 && expected.status == 0, "\(found)")
        #expect(found.messages.contains("a line is not JSON") && !found.messages.contains("--recover"), "\(found)")
    }

    @Test("a range that begins where damage hides the way is walked to", arguments: ["2..", "12:00:02.5..", "end-4.."])
    func hiddenBeginning(_ range: String) throws {
        // The first commit of the range is there; the line before it is there twice.
        let keyframe =
            #"{"seq":3,"kind":"keyframe","states":{"cart":{"items":[{"id":1,"price":12}],"total":-3},"session":{"token":"b7"}},"totals":{"commits":{"cart":2,"session":1},"open":["cart","session"],"derived":[],"marks":0,"gaps":0,"aborts":0}}"#
        let journal = ShopJournal { lines in
            lines.insert(lines[6], at: 7)
            lines.insert(keyframe, at: 9)
        }
        #expect(journal.run("history", "J", "--range", range, "/cart/total").status == 3)
        let run = journal.run("history", "J", "--range", range, "--recover", "/cart/total")
        let seqs = run.output.split(separator: "\n").compactMap { $0.split(separator: ",").dropFirst().first }
        #expect(seqs == [#""seq":3"#, #""seq":4"#, #""seq":5"#], "\(run)")
    }

    @Test("'$seq' and a number are known of a journal whose last line is damaged")
    func state() throws {
        let journal = ShopJournal { $0.append("damage") }
        let end = journal.run("state", "J", "--recover", "--select", "[$seq, $old.cart.total]")
        #expect(end.status == 5 && end.output == "[6,-9]\n", "\(end)")
        let number = journal.run("state", "J", "3", "--recover", "--select", ".cart.total")
        #expect(number.status == 0 && number.output == "-3\n", "\(number)")
    }

    @Test(
        "a commit that a filter could have wanted and damage hid makes 'log' inconclusive",
        arguments: [[], ["--reverse"]])
    func log(order: [String]) throws {
        let keyframe =
            #"{"seq":4,"kind":"keyframe","states":{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"b7"}},"totals":{"commits":{"cart":3,"session":1},"open":["cart","session"],"derived":[],"marks":0,"gaps":0,"aborts":0}}"#
        let journal = ShopJournal { $0.replaceSubrange(7...9, with: ["{}", keyframe]) }
        let run = ProgramRun(["log", journal.path, "--recover", "--store", "cart"] + order)
        #expect(run.status == 5 && run.messages.contains("2 commits of"), "\(run)")
        #expect(run.messages.contains("were lost, the first is 3"), "\(run)")
    }
}

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
