import Foundation
import JSONCore
import TestSupport
import Testing

@testable import CommandLine

@Suite("check")
struct CheckCommandTests {
    private let journal = ShopJournal()

    @Test("a violated invariant is one line: the record that began it, how far, how many positions, how often")
    func violation() {
        let run = journal.run(
            "check", "J", "--invariant", "total=.cart.total >= 0", "--invariant", "token=.session.token")
        #expect(run.status == 1, "\(run)")
        let holds =
            #"{"kind":"holds","journal":"\#(journal.path)","invariant":"token","positions":7,"unanswered":0}"# + "\n"
        #expect(
            run.output
                == #"{"kind":"violation","journal":"\#(journal.path)","invariant":"total","first":\#(ShopJournal.lines[7]),"#
                + #""lastSeq":6,"positions":3,"stretches":2,"value":false}"# + "\n" + holds, "\(run)")
    }

    @Test("an invariant that holds is a line too, and the status is 0")
    func held() {
        let run = journal.run("check", "J", "--invariant", "token=.session.token | length == 2")
        #expect(run.status == 0 && run.messages.isEmpty, "\(run)")
        #expect(run.output.hasPrefix(#"{"kind":"holds","#) && run.output.contains(#""positions":7"#), "\(run)")
    }

    @Test(
        "where the run is violated from the start and no record alone is to blame, there is no place",
        arguments: ["json", "human", "github", "junit", "sarif", "markdown"])
    func fromTheStart(_ format: String) {
        let run = journal.run(
            "check", "J", "--invariant", "x=.session.token == \"no\" and .cart.total > 0", "--format", format)
        #expect(run.status == 1, "\(run)")
        #expect(!(run.output + run.messages).contains("Shop/"), "\(run)")
        switch format {
        case "json": #expect(run.output.contains(#""first":null,"lastSeq":6,"positions":7"#), "\(run)")
        case "human": #expect(run.output.hasPrefix("x is violated from the start\n"), "\(run)")
        case "markdown": #expect(run.output.contains("\n- violated from the start\n"), "\(run)")
        default: #expect((run.output + run.messages).contains("violated from the start of"), "\(run)")
        }
    }

    @Test("an invariant without an output is violated, and the line has no value")
    func noOutput() {
        let run = journal.run("check", "J", "--invariant", "items=.cart.items[] | .price > 0")
        #expect(run.status == 1 && !run.output.contains(#""value""#), "\(run)")
        #expect(run.output.contains(#""first":{"seq":0,"kind":"store","store":"cart""#), "\(run)")
    }

    @Test("an invariant that fails is told with its first position and how often, and the status is 5")
    func failure() {
        let run = journal.run("check", "J", "--invariant", "x=if .cart.total < 0 then error(\"no\") else true end")
        #expect(run.status == 5, "\(run)")
        #expect(
            run.output
                == #"{"kind":"failure","journal":"\#(journal.path)","invariant":"x","seq":3,"message":"no","positions":3}"#
                + "\n", "\(run)")
        #expect(run.messages.contains("that is the first of 3 positions that cannot be judged"), "\(run)")
    }

    @Test("people are told once how an invariant fails, and of how many positions a violation is")
    func failureForPeople() {
        let run = journal.run(
            "check", "J", "--format", "human", "--invariant", "x=if .cart.total < 0 then error(\"no\") else true end",
            "--invariant", "y=if .cart.total < 0 then error(\"no\") else .cart.total == 0 end")
        #expect(run.output.contains("x  cannot be evaluated at 3 positions, first at 3: no"), "\(run)")
        #expect(run.output.contains("violated at 3 of 4 positions, from 1 to 4; 3 have no answer"), "\(run)")
        #expect(!run.messages.contains("cannot be judged"), "\(run)")
    }

    @Test("a violation is worse than a failure, and a journal that cannot be read is worse than both")
    func gravity() {
        let invariants = ["--invariant", "x=error", "--invariant", "total=.cart.total >= 0"]
        #expect(ProgramRun(["check", journal.path] + invariants).status == 1)
        let run = ProgramRun(["check", "/no/such.jsonl", journal.path] + invariants)
        #expect(run.status == 3 && run.messages.contains("/no/such.jsonl"), "\(run)")
        #expect(run.output.contains(#""kind":"violation""#) && run.output.contains(#""unreadable":1"#), "\(run)")
    }

    @Test(
        "a command line that makes no sense is refused before any journal is read",
        arguments: [
            ([], "needs one of '--invariant' or '--invariants'"),
            (["--invariant", "nothing"], "there is no function 'nothing/0'"), (["--invariant", "a b=true"], "error"),
            (["--invariant", ".x > 0", ".x > 0"], "should be given once"),
            (["--invariant", "x="], "a query after the '='"), (["--invariant", "x= "], "a query after the '='"),
            (["--invariant", "x=.a", "--invariant", "x=.b"], "'x' was given before"),
            (["--invariant", "x=.["], "error"), (["--invariant", "x=.a", "--jobs", "0"], "a whole number from 1"),
            (["--invariant", "x=.a", "--format", "xml"], "'human', 'json', 'github', 'sarif', 'junit', 'markdown'"),
            (["--invariant", "x=.a", "-", "-"], "standard input can be read only once"),
            (["--invariant", "x=.a", "--source-root", "/no/such", "--format", "sarif"], "a folder that can be read"),
        ])
    func usage(_ options: [String], _ said: String) {
        let run = ProgramRun(["check", "/no/such.jsonl"] + options)
        #expect(run.status == 2 && run.messages.contains(said) && run.output.isEmpty, "\(run)")
    }

    @Test("invariants come from files too, and a name is given once only")
    func files() {
        let folder = TemporaryFolder()
        let file = folder.write("def low: .cart.total < 10; def total: low; def f(x): x;", to: "shop.jq")
        let run = journal.run("check", "J", "--invariants", file, "--invariant", "high=.cart.total < 100")
        #expect(run.status == 1, "\(run)")
        #expect(run.output.contains(#""invariant":"total","first":{"seq":1,"#), "\(run)")
        #expect(run.output.contains(#"{"kind":"holds","journal":"\#(journal.path)","invariant":"high""#), "\(run)")
        let twice = journal.run("check", "J", "--invariants", file, "--invariant", "low=.cart.total < 100")
        #expect(twice.status == 2 && twice.messages.contains("'low' was given before"), "\(twice)")
        let both = journal.run("check", "J", "--invariants", file, "--invariants", file)
        #expect(both.status == 2 && both.output.isEmpty, "\(both)")
    }

    @Test("for people each violated invariant is a story, each that holds a line")
    func story() {
        let run = journal.run(
            "check", "J", "--invariant", "total=.cart.total >= 0", "--invariant", "token=.session.token", "--color",
            "never", width: 80)
        let path = ShellQuoting.quoted(journal.path)
        #expect(
            run.output == """
                total is violated  3 of 6   cart   Shop/Cart.swift:42   applyDiscount(_:)
                                   12:00:03.482

                  /cart/total   12 → -3

                  caused by   2  session  Shop/Session.swift:20  refresh()
                  violated at 3 of 7 positions, from 3 to the end in 2 ranges

                look further:  state-inspect show \(path) 3
                               state-inspect history \(path) /cart/total --range ..3
                               state-inspect why \(path) 3

                token  holds at all 7 positions

                """, "\(run)")
    }

    @Test("several journals are told in their order, however many are at work, and summed up by source location")
    func jobs() throws {
        let good = ShopJournal { lines in
            lines = lines.map { $0.replacing("-3", with: "3").replacing("-9", with: "9") }
        }
        let paths = (0..<40).map { $0 % 3 == 1 ? good.path : journal.path }
        let one = ProgramRun(["check"] + paths + ["--invariant", "total=.cart.total >= 0"])
        let four = ProgramRun(["check"] + paths + ["--invariant", "total=.cart.total >= 0", "--jobs", "4"])
        #expect(one.output == four.output && one.status == 1, "\(four)")
        #expect(one.output.split(separator: "\n").count == 41)
        #expect(
            one.output.hasSuffix(
                #"{"kind":"check.summary","journals":40,"held":13,"violated":27,"failed":0,"unreadable":0,"locations":[{"invariant":"total","#
                    + #""at":{"file":"Shop/Cart.swift","line":42,"column":9,"function":"applyDiscount(_:)"},"journals":27,"#
                    + #""positions":81,"journal":"\#(journal.path)","seq":3}]}"# + "\n"), "\(one)")
    }

    @Test("a reader of the output that has gone ends several jobs quietly")
    func closedOutput() {
        let paths = Array(repeating: journal.path, count: 20)
        let run = ProgramRun(
            ["check"] + paths + ["--invariant", "total=.cart.total >= 0", "--jobs", "3", "--format", "junit"],
            output: MemorySink(limit: 0, refusal: .closed))
        #expect(run.outcome == .outputClosed)
    }

    @Test("a run that was cut off is told, and checked up to there")
    func cut() throws {
        let whole = ShopJournal.lines[..<8].map { $0 + "\n" }.joined()
        let torn = ShopJournal(text: whole + ShopJournal.lines[9].prefix(60))
        let run = torn.run("check", "J", "--invariant", "total=.cart.total >= 0")
        #expect(run.status == 1 && run.messages.contains("is incomplete and was left out"), "\(run)")
        let unended = ShopJournal { $0.removeLast() }
        let other = unended.run("check", "J", "--invariant", "total=.session.token != 1")
        #expect(other.status == 0 && other.messages.contains("what it did after commit 6 is not checked"), "\(other)")
    }

    @Test("damage ends a journal's check; with --recover it is told and jumped over")
    func damage() throws {
        let keyframe =
            #"{"seq":3,"kind":"keyframe","time":"2026-11-21T12:00:03.500000Z","totals":{"commits":{"cart":2,"session":1},"open":["cart","session"],"derived":["badge"],"marks":1,"gaps":0,"aborts":0},"states":{"cart":{"items":[{"id":1,"price":12}],"total":-3},"session":{"token":"b7"}}}"#
        let damaged = ShopJournal { lines in
            lines.insert(keyframe, at: 8)
            lines[6] = "{broken"
        }
        let strict = damaged.run("check", "J", "--invariant", "total=.cart.total >= 0")
        #expect(strict.status == 3 && strict.output.isEmpty, "\(strict)")
        let run = damaged.run("check", "J", "--invariant", "total=.cart.total >= 0", "--recover")
        #expect(run.status == 1 && run.messages.contains("verify"), "\(run)")
        #expect(run.messages.contains("1 position of '\(damaged.path)' has no state: 2"), "\(run)")
        #expect(run.output.contains(#""unanswered":1"#), "\(run)")
        let held = damaged.run("check", "J", "--invariant", "total=.cart.total < 100", "--recover")
        #expect(held.status == 5 && held.output.contains(#""positions":6,"unanswered":1}"#), "\(held)")
    }

    @Test("a violation directly behind lost commits is told as such")
    func gap() throws {
        let gap =
            #"{"seq":4,"kind":"gap","time":"2026-11-21T12:00:04.000000Z","first":3,"lost":2,"reason":"backlog","states":{"cart":{"items":[],"total":-1},"session":{"token":"b7"}}}"#
        let journal = ShopJournal { lines in lines = Array(lines[..<7]) + [gap] }
        let run = journal.run("check", "J", "--invariant", "total=.cart.total >= 0")
        #expect(run.status == 1, "\(run)")
        #expect(run.messages.contains("which of the lost commits it was is not known"), "\(run)")
    }

    @Test("an invariant that held where it was judged is inconclusive where commits were lost")
    func heldAroundGap() throws {
        let gap =
            #"{"seq":5,"kind":"gap","time":"2026-11-21T12:00:04.000000Z","first":3,"lost":3,"reason":"backlog","states":{"cart":{"items":[],"total":1},"session":{"token":"b7"}}}"#
        let journal = ShopJournal { lines in lines = Array(lines[..<7]) + [gap] }
        let run = journal.run("check", "J", "--invariant", "total=.cart.total >= 0")
        #expect(run.status == 5, "\(run)")
        #expect(
            run.output
                == #"{"kind":"holds","journal":"\#(journal.path)","invariant":"total","positions":4,"unanswered":2}"#
                + "\n",
            "\(run)")
        #expect(run.messages.contains("2 positions of '\(journal.path)' have no state, the first is 3"), "\(run)")
        let people = journal.run("check", "J", "--invariant", "total=.cart.total >= 0", "--format", "human")
        #expect(people.output == "total  holds at 4 positions, 2 have no answer\n", "\(people)")
        let bisect = journal.run("bisect", "J", "--bad", ".cart.total < 0")
        #expect(bisect.status == 5 && bisect.output.contains(#""unanswered":2"#), "\(bisect)")
        let derived = journal.run("derived", "J", "--define", "x=.cart.total", "--summary")
        #expect(derived.status == 5, "\(derived)")
        #expect(
            derived.output.contains(
                #""name":"x","fired":2,"same":0,"unchanged":0,"untouched":1,"unanswered":2}"#), "\(derived)")
        #expect(journal.run("history", "J", "/cart/total").status == 5)
    }

    @Test("a violation that rests on what is not there yet is warned of, an invariant of what never is has no answer")
    func absent() throws {
        let late = ShopJournal { lines in
            lines[2] = lines[2].replacing(#","total":0"#, with: "")
            lines[4] = lines[4].replacing(
                #"{"op":"replace","path":"/total","value":12,"old":0}"#,
                with: #"{"op":"add","path":"/total","value":12}"#)
        }
        let run = late.run("check", "J", "--invariant", "x=.cart.total >= 0")
        #expect(run.status == 1, "\(run)")
        #expect(run.messages.contains("--invariant 'x=.cart.total == null or (.cart.total >= 0)'"), "\(run)")
        let never = journal.run("check", "J", "--invariant", "x=.cart.nothing >= 0")
        #expect(never.status == 4 && never.output.contains(#""kind":"failure""#), "\(never)")
        #expect(never.messages.contains("error: nothing was ever at '/cart/nothing'"), "\(never)")
    }

    @Test("a name that is no store's is warned of")
    func unknownStore() {
        let run = journal.run("check", "J", "--invariant", "total=.crat.total == null")
        #expect(run.status == 0 && run.messages.contains("there is no store 'crat'"), "\(run)")
    }
}
