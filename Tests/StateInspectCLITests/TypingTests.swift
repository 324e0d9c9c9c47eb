import Foundation
import Testing

/// What people type: several spellings of one thing, words from other programs, and slips.
@Suite("What people type")
struct TypingTests {
    private let journal = ShopJournal()

    private func lines(_ run: ProgramRun) -> [String] { run.output.split(separator: "\n").map(String.init) }

    // MARK: Positions

    @Test("'show' takes several positions and ranges, and '--at'")
    func show() throws {
        #expect(journal.run("show", "J", "--at", "3").output == journal.run("show", "J", "3").output)
        let several = journal.run("show", "J", "1", "2..4", "end")
        let single = ["1", "3", "4", "6"].map { journal.run("show", "J", $0).output }.joined()
        #expect(several.output == single && several.status == 0, "\(several)")
        #expect(lines(journal.run("show", "J", "..", "--store", "cart")).count == 5)
        #expect(journal.run("show", "J").status == 2)
        #expect(journal.run("show", "J", "3..99").status == 4)
    }

    @Test("'show' tells what a derived value was before")
    func showOld() throws {
        let run = journal.run("show", "J", "5")
        #expect(run.output.contains(#""derived":[{"name":"badge","outcome":"fired","old":1,"value":0}]"#), "\(run)")
        #expect(!journal.run("show", "J", "1").output.contains(#""old":"#.dropLast() + #",""#))
    }

    @Test("'show' of a range tells of commits that were lost, and the status is 5")
    func showGap() throws {
        let journal = ShopJournal { lines in
            lines[7] =
                #"{"seq":3,"kind":"gap","time":"2026-11-21T12:00:03.000000Z","first":3,"lost":1,"reason":"full","states":{"cart":{"items":[],"total":-3},"session":{"token":"b7"}}}"#
        }
        let run = journal.run("show", "J", "1..4")
        #expect(run.status == 5 && lines(run).count == 2 && run.messages.contains("the first is 3"), "\(run)")
        #expect(journal.run("show", "J", "3").status == 4)
    }

    @Test("'diff' takes a range, or one position against the one before")
    func diff() throws {
        let expected = journal.run("diff", "J", "2", "3")
        #expect(expected.status == 1)
        for position in ["2..3", "3", "end-3", "mark:total"] {
            let run = journal.run("diff", "J", position)
            #expect(run.output == expected.output && run.status == 1, "\(run)")
        }
        #expect(journal.run("diff", "J", "..").output == journal.run("diff", "J", "start", "end").output)
        #expect(journal.run("diff", "J", "start").status == 4)
        #expect(journal.run("diff", "J", "3", "--final").status == 2)
        #expect(journal.run("diff", "J", "3", "2", "--final").status == 2)
        #expect(journal.run("diff", "J", "J").status == 0)
    }

    @Test("a mark that several contain is told, with how to name another")
    func marks() throws {
        let journal = ShopJournal { lines in
            lines.insert(
                #"{"seq":4,"kind":"mark","time":"2026-11-21T12:00:04.500000Z","text":"total again"}"#, at: 10)
        }
        let first = journal.run("state", "J", "--at", "mark:total", "--select", ".cart.total")
        #expect(first.output == "-3\n" && first.messages.contains("'mark:total#2' is the second"), "\(first)")
        let second = journal.run("state", "J", "--at", "mark:total#2", "--select", ".cart.total")
        #expect(second.output == "12\n" && second.messages.isEmpty, "\(second)")
        #expect(lines(journal.run("log", "J", "--range", "mark:total#2..")).count == 2)
        #expect(journal.run("log", "J", "--range", "mark:total..").messages.contains("2 marks contain 'total'"))
    }

    @Test("a range that ends before it begins is told in words that suit every option")
    func reversed() throws {
        for options in [["log", "J", "--range", "5..2"], ["bisect", "J", "--bad", ".", "--from", "5", "--to", "2"]] {
            let run = journal.run(options)
            #expect(run.status == 2 && run.messages.contains("name the earlier position first: 2, then 5"), "\(run)")
        }
    }

    // MARK: Paths

    @Test("the spellings of a path mean the same to every command that takes one")
    func spellings() throws {
        for (pointer, others) in [
            ("/cart/total", ["cart.total", ".cart.total", "cart/total", ".cart[\"total\"]"]),
            ("/cart/items/0", ["cart.items[0]", ".cart.items[0]", "cart/items/0"]),
        ] {
            for path in others {
                for form in [["log", "--path"], ["stats", "--path"], ["replay", "--path"], ["redact", "--path"]] {
                    let expected = ProgramRun([form[0], journal.path, form[1], pointer])
                    let run = ProgramRun([form[0], journal.path, form[1], path])
                    #expect(form[0] == "redact" || run.output == expected.output, "\(run)")
                    #expect(run.status == 0, "\(run)")
                }
                #expect(journal.run("history", "J", path).output == journal.run("history", "J", pointer).output)
            }
        }
        #expect(journal.run("blame", "J", "cart.total").output == journal.run("blame", "J", "/cart/total").output)
        #expect(
            journal.run("blame", "J", "total", "--store", "cart").output
                == journal.run("blame", "J", "/total", "--store", "cart").output)
    }

    @Test("'blame' and 'history' take several paths")
    func severalPaths() throws {
        let blame = journal.run("blame", "J", "/cart/total", "session.token")
        #expect(
            lines(blame) == lines(journal.run("blame", "J", "/cart/total"))
                + lines(journal.run("blame", "J", "/session/token")), "\(blame)")
        #expect(journal.run("blame", "J", "/cart/total", "/session/tokn").status == 4)
        let history = journal.run("history", "J", "/cart/total", "session.token")
        #expect(lines(history).count == 5, "\(history)")
        #expect(
            lines(history)[1].contains(#""seq":2,"store":"session","path":"/session/token","old":"a1","value":"b7""#),
            "\(history)")
        let wrong = journal.run("history", "J", "/cart/total", "/session/tokn")
        #expect(wrong.status == 4 && wrong.messages.contains("write '/session/token'"), "\(wrong)")
    }

    @Test("what 'history' takes for a query stays one")
    func historyQueries() throws {
        let length = journal.run("history", "J", ".cart.items | length")
        #expect(lines(length).count == 2, "\(length)")
        #expect(journal.run("history", "J", "[.cart.total]").status == 0)
        #expect(journal.run("history", "J", "length").status == 0)
        #expect(journal.run("history", "J", ".cart.items[-1]").status == 0)
        #expect(journal.run("history", "J", ".cart[").status == 2)
        #expect(journal.run("history", "J", "cart.totl").messages.contains("write '/cart/total'"))
    }

    @Test("a key that is '*' is told in a spelling that means it")
    func starKeys() throws {
        let journal = ShopJournal { lines in
            lines[2] = lines[2].replacingOccurrences(of: #""total":0"#, with: #""*":{"name":1},"total":0"#)
        }
        #expect(journal.run("blame", "J", "/cart/~2/nam").messages.contains("write '/cart/~2/name'"))
        #expect(lines(journal.run("blame", "J", "/cart/~2/name")).count == 1)
        #expect(lines(journal.run("blame", "J", #".cart."*".name"#)).count == 1)
    }

    // MARK: Slips

    @Test(
        "a filter that names nothing in the whole journal is status 4, with the nearest name",
        arguments: [
            (["--store", "crt"], "'cart'"), (["--path", "/crt"], "'/cart'"),
            (["--path", "cart.totl"], "'/cart/total'"),
            (["--source", "Crt.swift"], "'Cart.swift'"), (["--source", "Cart.swift:43"], "'Cart.swift:42'"),
            (["--function", "refnd"], "'refund'"), (["--name", "Refnd"], "'Refund'"),
            (["--action", "Cart.Action.refnd"], "'Cart.Action.refund'"),
            (["--store", "cart", "--path", "/totl"], "'/total'"),
        ])
    func filters(_ options: [String], _ nearest: String) throws {
        for command in ["log", "replay", "derived", "stats"] {
            let run = ProgramRun([command, journal.path] + options)
            #expect(run.status == 4 && run.output.isEmpty && run.messages.contains("write \(nearest)"), "\(run)")
        }
        let narrow = ProgramRun(["log", journal.path, "--range", "1..2"] + options)
        #expect(narrow.status == 4, "\(narrow)")
    }

    @Test(
        "a filter that names what is there, but not in the range or not together, finds nothing",
        arguments: [
            ["--range", "2..3", "--store", "session"], ["--range", "5..6", "--path", "/cart/total"],
            ["--path", "/cart/items/0/id", "--range", "1..2"], ["--store", "session", "--function", "refund"],
            ["--source", "Cart.swift:42", "--range", "4..6"], ["--name", "Refund", "--range", "1..2"],
        ])
    func nothingThere(_ options: [String]) throws {
        let run = ProgramRun(["log", journal.path] + options)
        #expect(run.status == 0 && run.output.isEmpty && run.messages.isEmpty, "\(run)")
    }

    @Test("what only the opening of a store wrote is there")
    func openedPath() throws {
        let journal = ShopJournal { lines in
            lines[2] = lines[2].replacingOccurrences(of: #""total":0"#, with: #""currency":"EUR","total":0"#)
        }
        let run = journal.run("log", "J", "--path", "/cart/currency")
        #expect(run.status == 0 && run.output.isEmpty, "\(run)")
    }

    @Test("a file that is not there is told with the nearest, and a folder with a journal in it")
    func files() throws {
        let folder = (journal.path as NSString).deletingLastPathComponent
        let missing = ProgramRun(["info", folder + "/shpo.jsonl"])
        #expect(missing.status == 3 && missing.messages.contains("help: write '\(journal.path)'"), "\(missing)")
        let directory = ProgramRun(["log", folder])
        #expect(directory.status == 3 && directory.messages.contains("help: write '\(journal.path)'"), "\(directory)")
    }

    @Test("'check' of a folder checks its journals in the order of their names")
    func folders() throws {
        let folder = (journal.path as NSString).deletingLastPathComponent
        for name in ["a.jsonl", "z.jsonl"] {
            try FileManager.default.copyItem(atPath: journal.path, toPath: folder + "/" + name)
        }
        try "no journal".write(toFile: folder + "/notes.txt", atomically: true, encoding: .utf8)
        let run = ProgramRun(["check", folder + "/", "--invariant", "total=.cart.total >= 0"])
        let names = lines(run).filter { $0.contains(#""kind":"violation""#) }.compactMap { line in
            ["a.jsonl", "shop.jsonl", "z.jsonl"].first { line.contains("\(folder)/\($0)\"") }
        }
        #expect(run.status == 1 && names == ["a.jsonl", "shop.jsonl", "z.jsonl"], "\(run)")
        let empty = folder + "/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        #expect(ProgramRun(["check", empty, "--invariant", "a=true"]).status == 3)
    }

    @Test("a journal alone is 'info', and people are told what else can be asked")
    func journalAlone() throws {
        let run = ProgramRun([journal.path])
        #expect(run.output == journal.run("info", "J").output && run.status == 0 && run.messages.isEmpty, "\(run)")
        let human = ProgramRun(["--color", "never", journal.path], width: 80)
        #expect(human.output.contains("look further:  state-inspect log \(journal.path)\n"), "\(human)")
        #expect(ProgramRun([journal.path, "log"]).status == 2)
        let missing = ProgramRun(["none.jsonl"])
        #expect(missing.status == 2 && missing.messages.contains("there is no file 'none.jsonl'"), "\(missing)")
        #expect(ProgramRun([journal.path, "3"]).output == journal.run("show", "J", "3").output)
        for (typed, command) in [("--tui", "debug"), ("--bad=.x", "bisect"), ("1..3", "show")] {
            let run = ProgramRun([journal.path, typed])
            #expect(run.messages.contains("write 'state-inspect \(command) \(journal.path) \(typed)'"), "\(run)")
        }
    }

    @Test("'-2' is '-n 2'")
    func count() throws {
        #expect(journal.run("log", "J", "-2").output == journal.run("log", "J", "-n", "2").output)
        #expect(journal.run("info", "J", "-2").status == 2)
    }
}
