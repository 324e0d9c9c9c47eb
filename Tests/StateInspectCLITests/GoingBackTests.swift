import TestSupport
import Testing

/// What `replay`, `blame`, `why`, `verify` and `minimize` answer about the past, held against each other and against contracts.
@Suite("Going back in time")
struct GoingBackTests {
    private func lines(_ run: ProgramRun) -> [String] { run.output.split(separator: "\n").map(String.init) }

    private func journal(_ seed: UInt64, foreign: Bool) throws -> ShopJournal {
        let maker = JournalMaker(seed: seed, foreign: foreign, commits: 40, keyframeEvery: foreign ? 20 : 9)
        return ShopJournal(text: String(decoding: maker.bytes, as: UTF8.self))
    }

    private static let options: [[String]] = [
        [], ["--changed"], ["--store", "cart"], ["--path", "/cart"], ["--range", "7..31"],
        ["--select", "[keys, $seq, $store]"], ["--select", ".cart", "--changed"],
        ["--select", "[.feed, $old.feed, $old.cart]"], ["--where", "$old.cart != .cart"],
        ["--without", "3,9..12"], ["--without", "1", "--changed", "--select", ".cart"],
        ["--only", ".cart != $old.cart"], ["--select", ".cart.a"], ["--store", "feed", "--changed"],
        ["--select", ".user | length?", "--changed"], ["--without", "40"],
        ["--without", "31..40", "--select", ".[] | .a"],
        ["--without", "2", "--where", "length == 2"], ["--without", "1..9", "--select", "$old"],
    ]

    @Test(
        "'--reverse' prints the lines of a forward replay in reverse", arguments: seeds(0..<12),
        [false, true])
    func reversed(seed: UInt64, foreign: Bool) throws {
        let journal = try journal(seed, foreign: foreign)
        for options in GoingBackTests.options {
            let forward = ProgramRun(["replay", journal.path] + options)
            let backward = ProgramRun(["replay", journal.path, "--reverse"] + options)
            #expect(lines(backward) == lines(forward).reversed(), "seed \(seed), \(options)")
            #expect(backward.status == forward.status, "seed \(seed), \(options)\n\(forward)\n\(backward)")
            let two = ProgramRun(["replay", journal.path, "--reverse", "-n", "2"] + options)
            let states = lines(forward).reversed().filter { $0.hasPrefix(#"{"kind":"state""#) }.prefix(2)
            #expect(
                lines(two).filter { $0.hasPrefix(#"{"kind":"state""#) } == Array(states), "seed \(seed), \(options)")
        }
    }

    @Test("'--final' prints the last line of a replay", arguments: seeds(0..<12), [false, true])
    func final(seed: UInt64, foreign: Bool) throws {
        let journal = try journal(seed, foreign: foreign)
        for options in GoingBackTests.options {
            let whole = ProgramRun(["replay", journal.path] + options)
            let last = lines(whole).last { $0.hasPrefix(#"{"kind":"state""#) }
            for order in [["--final"], ["--final", "--reverse"]] {
                let final = ProgramRun(["replay", journal.path] + order + options)
                // A query that has no output anywhere is asked of the start.
                guard let last else { continue }
                #expect(lines(final).last == last, "seed \(seed), \(order + options)")
                if options.contains("--changed") { #expect(final.status == whole.status, "\(final)\n\(whole)") }
            }
        }
    }

    @Test("a damaged or missing line is noticed in reverse as it is forward")
    func damage() throws {
        for change in [{ $0.remove(at: 7) }, { $0[7] = #"{"seq":3,"kind""# }] as [(inout [String]) -> Void] {
            let journal = ShopJournal(change)
            let (forward, backward) = (journal.run("replay", "J"), journal.run("replay", "J", "--reverse"))
            #expect(forward.status == 3 && backward.status == 3, "\(forward)\n\(backward)")
        }
    }

    @Test("'--recover' goes on before damage in reverse, as behind it forward", arguments: seeds(0..<12))
    func recovered(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, commits: 60, keyframeEvery: 6)
        var lines = String(decoding: maker.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let place = 10 + Int(seed) * 3 % (lines.count - 20)
        lines[place] = lines[place].replacing(#""seq""#, with: #""sqe""#)
        let journal = ShopJournal(text: lines.map { $0 + "\n" }.joined())
        let forward = ProgramRun(["replay", journal.path, "--recover"])
        let backward = ProgramRun(["replay", journal.path, "--recover", "--reverse"])
        #expect(self.lines(backward) == self.lines(forward).reversed(), "seed \(seed)")
        #expect(backward.status == forward.status && backward.messages == forward.messages, "\(forward)\n\(backward)")
    }

    @Test("a keyframe that differs from the replay is told where it is met in reverse")
    func keyframe() throws {
        let journal = ShopJournal {
            $0.insert(
                #"{"seq":4,"kind":"keyframe","states":{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"b8"}}}"#,
                at: 10)
        }
        let run = journal.run("replay", "J", "--reverse", "--select", ".session.token")
        #expect(run.status == 3 && run.messages.contains("keyframe after commit 4 differs"), "\(run)")
    }

    // MARK: What if

    @Test("a store that closes before a what-if begins is gone with the next commit")
    func pendingClose() throws {
        let journal = ShopJournal {
            $0.insert(#"{"seq":1,"kind":"close","store":"session","time":"2026-11-21T12:00:01.500000Z"}"#, at: 6)
            $0.remove(at: 7)
            $0.insert(
                #"{"seq":2,"kind":"commit","store":"cart","version":2,"time":"2026-11-21T12:00:02.000000Z","at":{"file":"a","line":1,"column":1,"function":"f"},"patch":[]}"#,
                at: 7)
        }
        let plain = journal.run("replay", "J", "--range", "1..2")
        #expect(!plain.output.contains("session"))
        #expect(journal.run("replay", "J", "--range", "1..2", "--without", "5").output == plain.output)
    }

    @Test("a query of '--only' that fails is told, status 5")
    func failingOnly() throws {
        let run = ShopJournal().run("replay", "J", "--only", "error(\"x\")")
        #expect(run.status == 5 && run.messages.contains("the first of 6 commits that were left out"), "\(run)")
    }

    @Test("a patch that finds another value than it says is marked")
    func otherOld() throws {
        let run = ShopJournal().run("replay", "J", "--without", "3", "--final", "--select", ".cart.total")
        let conflict =
            #"{"kind":"conflict","seq":4,"store":"cart","time":"2026-11-21T12:00:04.000000Z","at":{"file":"Shop/Cart.swift","line":50,"column":9,"function":"repair()"},"#
            + #""applied":true,"path":"/cart/total","old":-3,"found":12,"message":"another value was there than the commit says; it is applied all the same"}"#
        #expect(lines(run).first == conflict && lines(run).count == 2, "\(run)")
    }

    @Test("a commit to be left out, or ignored, that is not there is status 4")
    func noSuchCommit() throws {
        let journal = ShopJournal()
        for arguments in [["replay", "J", "--without", "9999"], ["blame", "J", "--ignore", "2..7"]] {
            let run = journal.run(arguments)
            #expect(run.status == 4 && run.messages.contains("commits 0 to 6"), "\(run)")
        }
    }

    // MARK: Blame, why, verify

    @Test("blame tells what the named record wrote, and what is there now")
    func ignored() throws {
        let run = ShopJournal().run("blame", "J", "/cart/total", "/session", "--at", "3", "--ignore", "3")
        #expect(
            lines(run)[0].hasPrefix(
                #"{"kind":"blame","path":"/cart/total","value":12,"now":-3,"store":"cart","seq":1,"#),
            "\(run)")
        #expect(
            lines(run)[1].hasPrefix(#"{"kind":"blame","path":"/session/token","value":"b7","store":"session","seq":2,"#)
        )
    }

    @Test("a cause that cannot be read is told, status 3")
    func damagedCause() throws {
        let run = ShopJournal { $0[6] = $0[6].replacing(#""patch":[{"#, with: #""patch":[{{"#) }.run(
            "why", "J", "3")
        #expect(run.status == 3 && lines(run).count == 1 && run.messages.contains("commit 2"), "\(run)")
    }

    @Test("a cause that is not earlier is told, status 5")
    func laterCause() throws {
        let run = ShopJournal { $0[7] = $0[7].replacing(#""cause":2"#, with: #""cause":4"#) }.run("why", "J", "3")
        #expect(run.status == 5 && lines(run).count == 1, "\(run)")
    }

    @Test(
        "verify tells what does not fit",
        arguments: [
            (0, #""version":1"#, #""version":0"#, "record"),
            (4, #""version":1"#, #""version":-1"#, "record"),
            (5, #""commit":1"#, #""commit":4"#, "outcome"), (5, #""fired""#, #""fried""#, "outcome"),
            (8, #""text""#, #""level":"loud","text""#, "record"),
            (6, #"]}"#, #"],"sum":"1A2B3C4D"}"#, "sum"),
            (6, #"]}"#, #"],"sum":"1a2b3c4"}"#, "sum"),
        ])
    func problems(line: Int, old: String, new: String, code: String) throws {
        let run = ShopJournal { $0[line] = $0[line].replacing(old, with: new) }.run("verify", "J")
        #expect(run.status == 1 && run.output.hasPrefix(#"{"kind":"problem","code":"\#(code)""#), "\(run)")
    }

    @Test("verify tells a gap that does not follow the last commit, and an abort of an unknown store")
    func gapsAndAborts() throws {
        let time = #""time":"2026-11-21T12:00:06.000000Z""#
        let gap = ShopJournal {
            $0.insert(
                #"{"seq":9,"kind":"gap",\#(time),"first":8,"lost":2,"reason":"x","states":{"cart":{},"session":{}}}"#,
                at: 13)
            $0.removeLast()
        }.run("verify", "J")
        #expect(gap.status == 1, "\(gap)")
        let abort = ShopJournal {
            $0.insert(
                #"{"seq":6,"kind":"abort","store":"crt",\#(time),"at":{"file":"a","line":1,"column":1,"function":"f"},"error":"x"}"#,
                at: 13)
            $0.removeLast()
        }.run("verify", "J")
        #expect(abort.status == 1 && abort.output.contains(#""code":"store""#), "\(abort)")
    }
}
