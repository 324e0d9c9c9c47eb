import Testing

@testable import StateInspectCLI

/// Each command on a journal of six commits: its JSON, what a person sees, its status.
@Suite("Commands")
struct CommandTests {
    private let journal: ShopJournal

    init() throws { journal = try ShopJournal() }

    private func lines(_ run: ProgramRun) -> [String] { run.output.split(separator: "\n").map(String.init) }

    @Test("info tells what a journal holds")
    func info() {
        let run = journal.run("info", "J")
        #expect(run.status == 0 && run.messages.isEmpty, "\(run)")
        let expected =
            #"{"kind":"info","journal":"\#(journal.path)","version":1,"id":"run-1","app":"shop","commits":6,"stores":["#
            + #"{"store":"cart","type":"Cart","commits":5,"open":true},"#
            + #"{"store":"session","type":"Session","commits":1,"open":true}],"derived":["badge"],"marks":1,"gaps":0,"aborts":0,"#
            + #""start":"2026-11-21T12:00:00.000000Z","end":"2026-11-21T12:00:07.000000Z","bytes":"#
        #expect(
            run.output.hasPrefix(expected) && run.output.hasSuffix(#","ended":true,"torn":false}"# + "\n"), "\(run)")
    }

    @Test("info lists a store that closed without a commit, also where the totals do not name it")
    func infoSilentStore() throws {
        let time = #""time":"2026-11-21T12:00:03.000000Z""#
        let unnamed = try ShopJournal {
            $0.insert(
                contentsOf: [
                    #"{"seq":3,"kind":"store","store":"a b","type":"T",\#(time),"at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"},"state":1}"#,
                    #"{"seq":3,"kind":"close","store":"a b",\#(time)}"#,
                ], at: 8)
        }
        let run = unnamed.run("info", "J")
        #expect(run.output.contains(#"{"store":"a b","type":"T","commits":0,"open":false}"#), "\(run)")
    }

    @Test("info counts where there are no totals")
    func infoCounted() throws {
        let unfinished = try ShopJournal { $0.removeLast() }
        let run = unfinished.run("info", "J")
        #expect(run.output.contains(#""commits":6,"stores":[{"store":"cart","type":"Cart","commits":5,"open":true}"#))
        #expect(run.output.contains(#""ended":false,"torn":false"#), "\(run)")
    }

    @Test("log prints the commit lines byte for byte, '--all' every line")
    func log() {
        #expect(lines(journal.run("log", "J")) == ShopJournal.lines.filter { $0.contains(#""kind":"commit""#) })
        #expect(lines(journal.run("log", "J", "--all")) == ShopJournal.lines)
        #expect(lines(journal.run("log", "J", "--all", "--reverse")) == ShopJournal.lines.reversed())
        #expect(lines(journal.run("log", "J", "-n", "0")).isEmpty)
    }

    @Test("a journal that is missing is reported, also where no lines are asked for", arguments: ["log", "history"])
    func noLinesOfNothing(command: String) {
        let operands = command == "history" ? ["/cart"] : []
        let run = ProgramRun([command, "/nowhere/run.jsonl"] + operands + ["-n", "0"])
        #expect(run.status == 3 && run.messages.contains("/nowhere/run.jsonl"), "\(run)")
    }

    @Test(
        "log's filters",
        arguments: [
            (["--range", "2..4"], [3, 4]), (["--range", "end-2.."], [5, 6]), (["--store", "session"], [2]),
            (["--path", "/cart/items"], [1, 5]), (["--path", "/*/token"], [2]), (["--source", "Session.swift"], [2]),
            (["--source", "Shop/Cart.swift:42"], [3]), (["--function", "refund"], [5]), (["--name", "Re*"], [5]),
            (["--name", "re*"], [2, 4]), (["--action", "*.refund"], [5]), (["--reverse", "-n", "2"], [6, 5]),
            (["--store", "cart", "--path", "/total"], [1, 3, 4, 5]), (["-n2"], [1, 2]),
        ])
    func filters(_ options: [String], _ expected: [Int]) {
        let run = ProgramRun(["log", journal.path] + options)
        let numbers = lines(run).compactMap { line in line.dropFirst(7).split(separator: ",").first.flatMap { Int($0) }
        }
        #expect(numbers == expected, "\(run)")
    }

    @Test("log for people is an aligned list")
    func logForPeople() {
        let run = journal.run("log", "J", "--color", "never", width: 100)
        #expect(
            run.output == """
                1  12:00:01.000  cart     add(_:)            Shop/Cart.swift:30          /cart/items/0, /cart/total
                2  12:00:02.000  session  refresh()          Shop/Session.swift:20       /session/token "a1" → "b7"
                3  12:00:03.482  cart     applyDiscount(_:)  Shop/Cart.swift:42     ← 2  /cart/total 12 → -3
                3  12:00:03.500  mark  total \\u001b[31mred
                4  12:00:04.000  cart     repair()           Shop/Cart.swift:50          /cart/total -3 → 12
                5  12:00:05.000  cart     Refund             Shop/Cart.swift:61          /cart/total, /cart/items/0
                6  12:00:06.000  cart     touch()            Shop/Cart.swift:70          changed nothing

                """, "\(run)")
    }

    @Test("log -p shows the changes, and what a journal says cannot act on the terminal")
    func logPatch() {
        let run = journal.run("log", "J", "-p", "--all", "--range", "2..3", "--color", "never", width: 80)
        #expect(
            run.output == """
                3  12:00:03.482  cart  applyDiscount(_:)  Shop/Cart.swift:42  ← 2
                       /cart/total   12 → -3
                3  12:00:03.500  mark  total \\u001b[31mred

                """, "\(run)")
    }

    @Test("show embeds the commit, what fired and the marks")
    func show() {
        let run = journal.run("show", "J", "3")
        let commit = ShopJournal.lines[7]
        let mark = ShopJournal.lines[8]
        #expect(run.output == #"{"kind":"show","commit":\#(commit),"derived":[],"marks":[\#(mark)]}"# + "\n")
        #expect(journal.run("show", "J", "start").status == 4)
        #expect(journal.run("show", "J", "3", "--store", "session").status == 4)
    }

    @Test("show for people tells cause, firings and marks")
    func showForPeople() {
        let run = journal.run("show", "J", "5", "--color", "never", width: 80)
        #expect(
            run.output == """
                commit  5 of 6   cart   Shop/Cart.swift:61   Refund   12:00:05.000
                  action      Cart.Action.refund

                  /cart/total     12 → -9
                  /cart/items/0   - {"id":1,"price":12}

                  fired       badge 1 → 0

                """, "\(run)")
    }

    @Test(
        "state answers at every kind of position",
        arguments: [
            ("end", "-9"), ("start", "0"), ("4", "12"), ("end-3", "-3"), ("mark:total", "-3"),
            ("2026-11-21T12:00:01.500Z", "12"),
        ])
    func positions(_ position: String, _ expected: String) {
        let run = journal.run("state", "J", "--at", position, "--select", ".cart.total")
        #expect(run.output == expected + "\n" && run.status == 0, "\(run)")
    }

    @Test("state prints the bare value, under '--store' that of one store")
    func state() {
        #expect(
            journal.run("state", "J", "--at", "1").output
                == #"{"cart":{"items":[{"id":1,"price":12}],"total":12},"session":{"token":"a1"}}"# + "\n")
        #expect(journal.run("state", "J", "--store", "session").output == #"{"token":"b7"}"# + "\n")
        #expect(journal.run("state", "J", "--store", "session", "--select", ".token", "-r").output == "b7\n")
        #expect(journal.run("state", "J", "--store", "cart", "--at", "5", "--select", "$old.total").output == "12\n")
        #expect(
            journal.run("state", "J", "--at", "3", "--select", "[$seq,$store,$name,$at.line]").output
                == "[3,\"cart\",\"applyDiscount(_:)\",42]\n")
    }

    @Test("'-e' makes a status of the last output, as jq does")
    func exitStatus() {
        #expect(journal.run("state", "J", "-e", "--select", ".cart.total < 0").status == 0)
        #expect(journal.run("state", "J", "-e", "--select", ".cart.total > 0").status == 1)
        #expect(journal.run("state", "J", "-e", "--select", "empty").status == 4)
        #expect(journal.run("state", "J", "--select", ".cart.total.x").status == 5)
    }

    @Test("replay prints a line a commit, and the same ones in reverse")
    func replay() {
        let forward = lines(journal.run("replay", "J", "--select", ".cart.total"))
        #expect(forward.count == 6)
        #expect(
            forward[2] == #"{"kind":"state","seq":3,"store":"cart","time":"2026-11-21T12:00:03.482000Z","#
                + #""at":{"file":"Shop/Cart.swift","line":42,"column":9,"function":"applyDiscount(_:)"},"value":-3}"#)
        #expect(lines(journal.run("replay", "J", "--select", ".cart.total", "--reverse")) == forward.reversed())
        let changed = lines(journal.run("replay", "J", "--select", ".cart.total", "--changed"))
        #expect(changed == [0, 2, 3, 4].map { forward[$0] })
        let tokens = lines(journal.run("replay", "J", "--select", ".session.token", "--changed"))
        #expect(tokens.count == 1 && tokens[0].contains(#""seq":2,"#), "\(tokens)")
        let reversed = lines(journal.run("replay", "J", "--select", ".cart.total", "--changed", "--reverse", "-n2"))
        #expect(reversed == [4, 3].map { forward[$0] })
    }

    @Test("replay --final is one line, also with no commit")
    func replayFinal() {
        let last = journal.run("replay", "J", "--final", "--select", ".cart.total")
        #expect(lines(last).count == 1 && last.output.hasPrefix(#"{"kind":"state","seq":6,"#), "\(last)")
        let none = journal.run("replay", "J", "--final", "--range", "start..start", "--select", ".cart.total")
        #expect(none.output == #"{"kind":"state","seq":0,"store":null,"time":null,"at":null,"value":0}"# + "\n")
    }

    @Test("replay --without tells what would have been, and what no longer applies")
    func whatIf() {
        let run = journal.run("replay", "J", "--without", "1", "--select", ".cart.total", "--changed")
        let values = lines(run).map {
            $0.contains(#""kind":"conflict""#) ? "conflict" : String($0.split(separator: ":").last ?? "")
        }
        #expect(values == ["conflict", "-3}", "12}", "conflict"], "\(run)")
        let only = journal.run("replay", "J", "--only", #"$store == "session""#, "--final", "--select", ".cart.total")
        #expect(lines(only).last?.contains(#""seq":2,"#) == true, "\(only)")
    }

    @Test("diff is a patch in either direction, status 1 when different")
    func diff() {
        let there = journal.run("diff", "J", "2", "3")
        #expect(there.status == 1)
        #expect(
            there.output
                == #"{"kind":"diff","from":2,"to":3,"patch":[{"op":"replace","path":"/cart/total","value":-3,"old":12}]}"#
                + "\n")
        let back = journal.run("diff", "J", "3", "2")
        #expect(back.output.contains(#""value":12,"old":-3"#), "\(back)")
        let equal = journal.run("diff", "J", "5", "6")
        #expect(equal.status == 0 && equal.output == #"{"kind":"diff","from":5,"to":6,"patch":[]}"# + "\n")
        #expect(journal.run("diff", "J", "2", "3", "--ignore", "/cart/total").status == 0)
        #expect(
            journal.run("diff", "J", "start", "3", "--name-only").output.contains(
                #""paths":["/cart/items/0","/cart/total","/session/token"]"#))
    }

    @Test("derived tells what would have fired")
    func derived() {
        let run = journal.run("derived", "J", "--define", "isBad=.cart.total < 0")
        let told = lines(run).map { line in line.contains(#""name":"isBad""#) ? "isBad" : "badge" }
        #expect(told == ["badge", "isBad", "isBad", "badge", "isBad"], "\(run)")
        #expect(run.output.contains(#""seq":3,"name":"isBad","outcome":"fired","old":false,"value":true,"at":"#))
        #expect(run.output.contains(#""recorded":{"outcome":"fired","value":1}"#))
        let summary = journal.run(
            "derived", "J", "--define", "n=.cart.total", "--define", "l=.cart.items|length", "--summary")
        #expect(
            summary.output.contains(
                #"{"kind":"derived.summary","name":"n","fired":4,"same":0,"unchanged":0,"untouched":2}"#), "\(summary)")
        #expect(
            summary.output.contains(
                #"{"kind":"derived.summary","name":"l","fired":2,"same":0,"unchanged":0,"untouched":4}"#), "\(summary)")
    }

    @Test("verify finds nothing in a whole journal, and says where a damaged one is damaged")
    func verify() throws {
        let healthy = journal.run("verify", "J")
        #expect(healthy.status == 0 && healthy.output.hasPrefix(#"{"kind":"verified","records":"#), "\(healthy)")
        let lying = try ShopJournal { lines in
            lines[7] = lines[7].replacing(#""old":12"#, with: #""old":13"#)
        }
        let run = lying.run("verify", "J")
        #expect(run.status == 1 && run.output.hasPrefix(#"{"kind":"problem","code":"old","line":8,"byte":"#), "\(run)")
        let unfinished = try ShopJournal { $0.removeLast() }
        #expect(unfinished.run("verify", "J").status == 0)
        #expect(unfinished.run("verify", "J").messages.hasPrefix("note: "))
    }
}
