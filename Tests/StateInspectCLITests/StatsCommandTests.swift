import Foundation
import JSONCore
import Testing

@Suite("'stats'")
struct StatsCommandTests {
    private let journal = ShopJournal()

    @Test("the lines for scripts count by path, line, function, store and kind of record")
    func lines() throws {
        let run = journal.run("stats", "J")
        #expect(run.status == 0 && run.messages.isEmpty, "\(run)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(
            lines[0].hasPrefix(
                #"{"kind":"stats","commits":6,"changes":7,"idle":1,"putBack":1,"first":"2026-11-21T12:00:01.000000Z","#),
            "\(run)")
        #expect(lines[0].contains(#""seconds":5,"rate":1.2,"#) && lines[0].hasSuffix(#""exact":true}"#), "\(run)")
        let expected = [
            #"{"kind":"stats.path","path":"/cart/total","changes":4,"last":5}"#,
            #"{"kind":"stats.path","path":"/cart/items/*","changes":2,"last":5}"#,
            #"{"kind":"stats.location","file":"Shop/Cart.swift","line":30,"commits":1,"last":1}"#,
            #"{"kind":"stats.function","function":"add(_:)","commits":1,"last":1}"#,
            #"{"kind":"stats.store","store":"cart","commits":5,"last":6}"#,
            #"{"kind":"stats.putBack","path":"/cart/total","times":1,"last":4}"#,
        ]
        for line in expected where !line.contains("putBack") { #expect(lines.contains(line), "\(line)\n\(run)") }
        #expect(lines.contains { $0.hasPrefix(#"{"kind":"stats.records","record":"commit","count":6,"bytes":"#) })
        #expect(lines.last?.hasPrefix(#"{"kind":"stats.rate","start":"2026-11-21T12:00:01.000000Z","#) == true)
        for line in lines { _ = try JSONParser.parse(Array(line.utf8)) }
    }

    @Test("times that fall are told by 'verify', and make no duration negative and no command stop")
    func fallingTimes() throws {
        let journal = ShopJournal { lines in
            for (line, time) in [(7, "11:00:00"), (9, "12:30:00"), (12, "00:00:01"), (13, "11:59:59")] {
                lines[line] = lines[line].replacing(/"time":"2026-11-21T[0-9:]+/, with: #""time":"2026-11-21T\#(time)"#)
            }
        }
        let verified = journal.run("verify", "J")
        #expect(verified.status == 1 && verified.output.matches(of: /"code":"time"/).count == 3, "\(verified)")
        let stats = journal.run("stats", "J")
        #expect(stats.output.contains(#""last":"2026-11-21T12:30:00.000000Z","seconds":1799,"#), "\(stats)")
        for question in [
            ["stats", "--format", "human"], ["info"], ["info", "--format", "human"],
            ["log", "-p", "--format", "human"],
            ["export", "chrome-trace"], ["replay", "--pace", "1e9"], ["state", "12:00:02"], ["state", "--at", "12:40"],
            ["report"],
        ] {
            let run =
                question[0] == "export"
                ? journal.run("export", question[1], "J")
                : ProgramRun([question[0], journal.path] + question.dropFirst())
            #expect(run.status == 0 && run.output.firstMatch(of: /"(?:ts|dur|seconds)":-|in -[0-9]/) == nil, "\(run)")
        }
    }

    @Test("filters say which commits count, and '-n' how many rows a table has")
    func filters() throws {
        let part = journal.run("stats", "J", "--store", "cart", "--range", "2..", "-n", "1")
        #expect(part.output.hasPrefix(#"{"kind":"stats","commits":4,"#), "\(part)")
        #expect(part.output.contains(#"{"kind":"stats.path","path":"/total","changes":3,"last":5}"#), "\(part)")
        #expect(part.output.split(separator: "\n").filter { $0.contains(#""stats.location""#) }.count == 1)
        let none = journal.run("stats", "J", "--function", "refund", "--store", "session")
        #expect(none.status == 0, "\(none)")
        #expect(none.output.contains(#""rate":null,"patch":{"median":null,"p99":null,"largest":null"#), "\(none)")
        #expect(journal.run("stats", "J", "--store", "crat").status == 4)
        #expect(journal.run("stats", "J", "-n", "x").status == 2)
    }

    @Test("for people it is words, bars and a line of blocks, and nothing of the journal acts on a terminal")
    func human() throws {
        let journal = ShopJournal { lines in
            lines[4] = lines[4].replacingOccurrences(of: "add(_:)", with: #"\u001b[31madd\u0007"#)
        }
        let run = journal.run("stats", "J", "--color", "never", width: 100)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.hasPrefix("6 commits in 5 s, 1.2 a second\n"), "\(run)")
        #expect(run.output.contains("1 commit changed nothing; "), "\(run)")
        #expect(run.output.contains("\nstores  (2 distinct, by commits)\n  5   83 %  ████"), "\(run)")
        #expect(run.output.contains("█  cart\n"), "\(run)")
        #expect(!run.output.contains("\u{1b}") && !run.output.contains("\u{7}"), "\(run)")
    }

    @Test("commits that were lost are told, and the counts are not all there is")
    func lost() throws {
        let gap =
            #"{"seq":4,"kind":"gap","time":"2026-11-21T12:00:04.000000Z","first":3,"lost":2,"reason":"full","states":{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"b7"}}}"#
        let journal = ShopJournal { $0.replaceSubrange(7...9, with: [gap]) }
        for run in [journal.run("stats", "J"), journal.run("stats", "J", "--range", "2..5")] {
            #expect(run.status == 5, "\(run)")
            #expect(run.messages.contains("2 commits of '\(journal.path)' were lost, the first is 3"), "\(run)")
        }
        let after = journal.run("stats", "J", "--range", "4..5")
        #expect(after.status == 0 && after.messages.isEmpty, "\(after)")
    }
}

@Suite("'derived --check' and '--why'")
struct DerivedCommandTests {
    private let journal = ShopJournal()

    @Test("what the app recorded is held against the definition, and status 1 tells of a difference")
    func check() throws {
        let right = journal.run("derived", "J", "--define", "badge=.cart.items | length", "--check")
        #expect(right.status == 0, "\(right)")
        #expect(
            right.output == #"{"kind":"derived.check","name":"badge","compared":2,"differences":0,"incomparable":0}"#
                + "\n", "\(right)")
        let wrong = journal.run("derived", "J", "--define", "badge=.cart.total", "--check", "-n", "1")
        #expect(wrong.status == 1, "\(wrong)")
        #expect(
            wrong.output.hasPrefix(
                #"{"kind":"derived.difference","seq":1,"name":"badge","outcome":"fired","old":0,"value":12,"recorded":{"outcome":"fired","value":1},"at":{"file":"Shop/Cart.swift","line":30,"#
            ), "\(wrong)")
        #expect(wrong.output.hasSuffix(#""compared":2,"differences":2,"incomparable":0}"# + "\n"), "\(wrong)")
        let human = journal.run(
            "derived", "J", "--define", "badge=.cart.total", "--check", "--color", "never", width: 100)
        #expect(
            human.output.hasPrefix("1  badge  recorded fired 1, by its definition fired 12  Shop/Cart.swift:30\n"),
            "\(human)")
    }

    @Test(
        "a definition that a word of the language names says what to type", arguments: ["label", "if", "reduce", "def"])
    func reservedName(_ word: String) throws {
        let file = journal.path + ".jq"
        try "def \(word): .cart.total + 1;\n".write(toFile: file, atomically: true, encoding: .utf8)
        let run = journal.run("derived", "J", "--definitions", file)
        #expect(run.status == 2 && run.messages.contains("'\(word)' is a word of the language"), "\(run)")
        #expect(run.messages.contains("write --define '\(word)=.cart.total + 1'"), "\(run)")
        let typed = journal.run("derived", "J", "--define", "\(word)=.cart.total + 1", "--summary")
        #expect(typed.status == 0 && typed.output.contains(#""name":"\#(word)","fired":4"#), "\(typed)")
        let check = journal.run("check", "J", "--invariants", file)
        #expect(check.messages.contains("write --invariant '\(word)=.cart.total + 1'"), "\(check)")
    }

    @Test("where nothing was recorded of a value, the check says that it compared nothing")
    func nothing() throws {
        let run = journal.run("derived", "J", "--define", "other=.cart.total", "--check")
        #expect(run.status == 5 && run.messages.contains("nothing was compared"), "\(run)")
    }

    @Test("what the app recorded of a value without a formula is what the summary counts")
    func recorded() throws {
        let summary = journal.run("derived", "J", "--summary")
        let whole = journal.run("derived", "J", "--all")
        let fired = whole.output.split(separator: "\n").filter { $0.contains(#""recorded":{"outcome":"fired""#) }.count
        #expect(fired > 0 && summary.output.contains(#""fired":\#(fired),"#), "\(summary) \(whole)")
    }

    @Test("a definition that fails is told, and is inconclusive where it never has a value")
    func failing() throws {
        let never = journal.run("derived", "J", "--define", "x=error(\"no\")")
        #expect(never.status == 5 && never.messages.contains("in 'x' at 0, the first of 7 positions"), "\(never)")
        let once = journal.run("derived", "J", "--define", "x=if .cart.total < 0 then error(\"no\") else 1 end")
        #expect(once.status == 0 && once.messages.contains("in 'x' at 3"), "\(once)")
        for text in [".cart.total >= 0", "x=", "1x=.a"] {
            #expect(journal.run("derived", "J", "--define", text).status == 2)
        }
        #expect(journal.run("derived", "J", "--define", "x=.a", "--define", "x=.b").status == 2)
    }

    @Test("why it fired: the input that changed; why not: what it reads, or that it was equal")
    func why() throws {
        let define = ["--define", "sign=.cart.total < 0"]
        func why(_ position: String) -> String {
            ProgramRun(
                ["derived", journal.path, "--why", "sign", "--at", position, "--color", "never"] + define, width: 100
            ).output
        }
        #expect(why("3").hasPrefix("sign  fired at 3  Shop/Cart.swift:42  applyDiscount(_:)\n  false → true\n"))
        #expect(why("3").contains("/cart/total   12 → -3"))
        #expect(why("2").contains("nothing that it reads was written"))
        #expect(why("2").contains("it reads: /cart/total"))
        #expect(why("1").contains("its inputs changed, its value is the same"))
        let json = ProgramRun(["derived", journal.path, "--why", "sign", "--at", "3"] + define)
        #expect(
            json.output.hasPrefix(
                #"{"kind":"derived.why","seq":3,"name":"sign","outcome":"fired","old":false,"value":true,"changed":[{"path":"/cart/total","old":12,"value":-3}],"touched":["/cart/total"],"from":[],"inputs":{"old":{"cart":{"total":12}},"new":{"cart":{"total":-3}}},"#
            ), "\(json)")
    }

    @Test("a value that nobody declared is status 4, with the nearest one; forms exclude one another")
    func unknown() throws {
        let run = journal.run("derived", "J", "--why", "bagde")
        #expect(run.status == 4 && run.messages.contains("write 'badge'"), "\(run)")
        #expect(journal.run("derived", "J", "--why", "badge", "--at", "99").status == 4)
        #expect(journal.run("derived", "J", "--why", "badge", "--at", "start").status == 4)
        #expect(journal.run("derived", "J", "--why", "badge", "--check").status == 2)
        #expect(journal.run("derived", "J", "--check", "--summary").status == 2)
    }
}
