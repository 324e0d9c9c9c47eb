import Foundation
import Testing

@testable import CommandLine

@Suite("bisect")
struct BisectCommandTests {
    private let journal = ShopJournal()

    @Test("the JSON answer names the commits whole, and how often the state turned")
    func json() {
        let run = journal.run("bisect", "J", "--bad", ".cart.total < 0")
        #expect(run.status == 0, "\(run)")
        let expected =
            #"{"kind":"bisect","firstBad":\#(ShopJournal.lines[7]),"lastGood":2,"lastFlip":\#(ShopJournal.lines[10]),"#
            + #""flips":3,"monotone":false,"badAtStart":false,"badAtEnd":true,"tested":"#
        #expect(run.output.hasPrefix(expected), "\(run)")
    }

    @Test("for people it is a story, with both bad ranges")
    func story() {
        let run = journal.run("bisect", "J", "--bad", ".cart.total < 0", "--color", "never", width: 80)
        let path = ShellQuoting.quoted(journal.path)
        #expect(
            run.output == """
                first bad commit  3 of 6   cart   Shop/Cart.swift:42   applyDiscount(_:)
                                  12:00:03.482

                  /cart/total   12 → -3

                  caused by   2  session  Shop/Session.swift:20  refresh()
                  good up to 2, bad from 3; 3 flips in 6 commits
                  it did not stay bad: the bad range that is still there at the end began with 5
                    cart  Shop/Cart.swift:61  Refund

                look further:  state-inspect show \(path) 3
                               state-inspect diff \(path) 2 3
                               state-inspect log \(path) -p --path /cart/total

                """, "\(run)")
    }

    @Test(
        "all forms name the same commit",
        arguments: [
            ["--bad", ".cart.total < 0"], ["--good", ".cart.total >= 0"], ["--bad", ".cart.total < 0", "--monotone"],
            ["--store", "cart", "--bad", ".total < 0"], ["--path", "/cart/total", "--bad", ".cart.total < 0"],
            ["--run", "sh", "-c", "! grep -q '\"total\":-'"],
        ])
    func forms(_ options: [String]) {
        let run = ProgramRun(["bisect", journal.path, "--to", "3"] + options)
        #expect(run.status == 0 && run.output.contains(#""firstBad":{"seq":3,"#), "\(run)")
        #expect(run.output.contains(#""lastGood":2,"#), "\(run)")
    }

    @Test("a program sees the position and its source in the environment")
    func environment() {
        let script =
            #"test "$STATE_INSPECT_SEQ" -lt 3 || { test "$STATE_INSPECT_FILE:$STATE_INSPECT_LINE $STATE_INSPECT_STORE $STATE_INSPECT_FUNCTION" = "Shop/Cart.swift:42 cart applyDiscount(_:)" && exit 1; exit 200; }"#
        let run = journal.run("bisect", "J", "--to", "3", "--run", "sh", "-c", script)
        #expect(run.status == 0 && run.output.contains(#""firstBad":{"seq":3,"#), "\(run)")
    }

    @Test("a program that does not read its input blocks nothing")
    func unreadInput() throws {
        let large = ShopJournal { lines in
            lines[2] = lines[2].replacing(
                #""items":[]"#, with: #""items":[],"big":"\#(String(repeating: "x", count: 300_000))""#)
        }
        let run = large.run("bisect", "J", "--run", "sh", "-c", "test $STATE_INSPECT_SEQ -lt 4")
        #expect(run.status == 0 && run.output.contains(#""firstBad":{"seq":4,"#), "\(run.messages)")
    }

    @Test(
        "a program that goes wrong ends the search with a status that says so",
        arguments: [
            (["no-such-program-here"], 2, "'no-such-program-here' cannot be started: no such file or directory"),
            (["/dev/null"], 2, "'/dev/null' cannot be started: permission denied"),
            (["sh", "-c", "kill -9 $$"], 5, "'sh' ended the search at 0: it was ended by signal 9"),
            (["sh", "-c", "exit 130"], 5, "'sh' ended the search at 0: it has status 130"),
            (["sh", "-c", "exit 127"], 5, "'sh' has status 127 on the good end too"),
        ])
    func programs(_ command: [String], _ status: Int32, _ message: String) {
        let run = ProgramRun(["bisect", journal.path, "--run"] + command)
        #expect(run.status == status && run.output.isEmpty, "\(run)")
        #expect(run.messages.hasPrefix("state-inspect: error: \(message)\n"), "\(run)")
    }

    @Test("an end that is not what it should be is status 5, and is said")
    func ends() {
        let run = journal.run("bisect", "J", "--monotone", "--to", "4", "--bad", ".cart.total < 0")
        #expect(run.status == 5, "\(run)")
        #expect(run.messages.hasPrefix("state-inspect: warning: the bad end, position 4, is good, should be bad\n"))
    }

    @Test("nothing bad, or bad from the start, is status 1")
    func nothing() {
        let never = journal.run("bisect", "J", "--bad", ".cart.total > 1000")
        #expect(never.status == 1 && never.output.contains(#""firstBad":null"#), "\(never)")
        let always = journal.run("bisect", "J", "--bad", "true")
        #expect(always.status == 1 && always.output.contains(#""badAtStart":true"#), "\(always)")
    }

    @Test("an interrupted search goes on from its log, and no other journal's is taken")
    func resuming() throws {
        let log = journal.path + ".log"
        let judge = ["--run", "sh", "-c", "test $STATE_INSPECT_SEQ -lt 4"]
        let first = ProgramRun(["bisect", journal.path, "--log", log] + judge)
        let again = ProgramRun(["bisect", journal.path, "--resume", log, "--run", "sh", "-c", "exit 99"])
        #expect(first.status == 0 && again.output == first.output, "\(again)")
        let other = ShopJournal { $0[0] = $0[0].replacing("run-1", with: "run-2") }
        #expect(ProgramRun(["bisect", other.path, "--resume", log] + judge).status == 2)
        #expect(ProgramRun(["bisect", journal.path, "--resume", journal.path] + judge).status == 3)
    }

    @Test("a log is never written over what is none of this journal's")
    func otherLogs() throws {
        let log = journal.path + ".log"
        let judge = ["--run", "sh", "-c", "test $STATE_INSPECT_SEQ -lt 4"]
        #expect(ProgramRun(["bisect", journal.path, "--log", log] + judge).status == 0)
        let before = try String(contentsOfFile: log, encoding: .utf8)
        let other = ShopJournal { $0[0] = $0[0].replacing("run-1", with: "run-2") }
        let refused = ProgramRun(["bisect", other.path, "--log", log] + judge)
        #expect(refused.status == 2 && refused.messages.contains("another journal's bisection"), "\(refused)")
        let lines = try String(contentsOfFile: journal.path, encoding: .utf8)
        let itself = ProgramRun(["bisect", journal.path, "--log", journal.path] + judge)
        #expect(itself.status == 2 && itself.messages.contains("is the journal itself"), "\(itself)")
        #expect(ProgramRun(["bisect", journal.path, "--log", other.path] + judge).status == 2)
        #expect(try String(contentsOfFile: log, encoding: .utf8) == before)
        #expect(try String(contentsOfFile: journal.path, encoding: .utf8) == lines)
    }

    @Test("a search by halves whose ends are alike says that nothing between was asked")
    func endsAlike() {
        let run = journal.run("bisect", "J", "--format", "human", "--run", "true")
        #expect(run.status == 5, "\(run)")
        #expect(run.output == "good at both ends, 0 and 6; nothing between was asked\n", "\(run)")
        let skipped = journal.run("bisect", "J", "--format", "human", "--run", "sh", "-c", "exit 125")
        #expect(skipped.status == 5, "\(skipped)")
        #expect(skipped.output.hasPrefix("without a verdict at both ends, 0 and 6; nothing"), "\(skipped)")
    }

    @Test(
        "positions without an answer are no good ones",
        arguments: [
            "if $seq > 0 then error(\"x\") else false end", "error", "if .cart.total < 0 then error else false end",
        ])
    func unanswered(_ query: String) {
        for options in [[], ["--monotone"]] where options.isEmpty || !query.contains("$seq") {
            let run = ProgramRun(["bisect", journal.path, "--bad", query] + options)
            #expect(run.status == 5 && run.output.contains(#""unanswered":"#), "\(run)")
            #expect(run.messages.contains("state-inspect: warning: "), "\(run)")
        }
    }

    @Test("a run that begins bad, is mended and goes bad again is told with all three ranges")
    func mended() {
        let run = journal.run("bisect", "J", "--bad", ".cart.total <= 0", "--format", "human")
        #expect(run.output.contains("  bad from the start up to 0, good up to 2, bad from 3; "), "\(run)")
    }

    @Test("of a path's commits the first bad one is told with who turned the state bad before it")
    func pathBehindBad() {
        let run = journal.run("bisect", "J", "--bad", ".cart.total > 0", "--path", "/session")
        #expect(run.status == 0 && run.output.contains(#""firstBad":{"seq":2,"#), "\(run)")
        #expect(run.output.contains(#""lastGood":0,"#), "\(run)")
        #expect(run.messages.contains("the state was bad already before 2\nnote: 1 made it so"), "\(run)")
        let several = journal.run("bisect", "J", "--bad", ".cart.total > 0", "--path", "/session", "--path", "/cart/*")
        #expect(several.output.contains(#""firstBad":{"seq":1,"#) && several.messages.isEmpty, "\(several)")
    }

    @Test(
        "what cannot be meant is refused before the search",
        arguments: [
            (["--bad", ".a", "--skip", "9999"], 4, "positions 0 to 6 are searched"),
            (["--bad", ".a", "--from", "4", "--skip", "2..3"], 4, "'2..3' of '--skip'"), ([], 2, "'--interactive'"),
            (["--bad", ".a", "--source-root", "/no/such"], 2, "a folder that can be read"),
            (["--bad", ".cart.total < 0", "--path", "/crt"], 4, "nothing is at '/crt'"),
            (["--bad", ".a", "--log", "x"], 2, "'--log'"), (["--bad", ".a", "--interactive"], 2, "'--interactive'"),
        ])
    func refused(_ options: [String], _ status: Int32, _ said: String) {
        let run = ProgramRun(["bisect", journal.path] + options)
        #expect(run.status == status && run.messages.contains(said) && run.output.isEmpty, "\(run)")
    }

    @Test("under '--store' every suggested command has it, and a query that names the store again is warned of")
    func storeScope() {
        let run = journal.run("bisect", "J", "--store", "cart", "--bad", ".total < 0", "--format", "human")
        let commands = run.output.split(separator: "\n").filter { $0.contains("state-inspect ") }
        #expect(commands.count == 3 && commands.allSatisfy { $0.hasSuffix(" --store cart") }, "\(run)")
        let twice = journal.run("bisect", "J", "--store", "cart", "--bad", ".cart.total<0")
        #expect(twice.messages.contains("help: write '.total<0'"), "\(twice)")
    }

    @Test("a query about an empty array is warned of, with the guarded query")
    func emptyArray() {
        let run = journal.run("bisect", "J", "--bad", ".cart.items[0].price < 0")
        #expect(
            run.messages.contains("help: --bad '(.cart.items | length) > 0 and (.cart.items[0].price < 0)'"), "\(run)")
    }

    @Test("an answer that rests on what is not there is warned of, with the guarded query")
    func absentPath() throws {
        let closing = ShopJournal { lines in
            lines[7] = lines[7].replacing(
                #"{"op":"replace","path":"/total","value":-3,"old":12}"#,
                with: #"{"op":"remove","path":"/total","old":12}"#)
        }
        let run = closing.run("bisect", "J", "--to", "3", "--bad", ".cart.total < 0")
        #expect(run.status == 0 && run.output.contains(#""firstBad":{"seq":3,"#), "\(run)")
        #expect(
            run.messages == """
                state-inspect: warning: '/cart/total' is not there in the first bad state, so the answer may be about that
                note: a path that is not there is null, and in jq null is less than every number
                help: --bad '.cart.total != null and (.cart.total < 0)'

                """, "\(run)")
    }

    @Test("what is not there where a run is bad from the start is warned of")
    func absentFromTheStart() throws {
        let late = ShopJournal { lines in
            lines[2] = lines[2].replacing(#","total":0"#, with: "")
            lines[4] = lines[4].replacing(
                #"{"op":"replace","path":"/total","value":12,"old":0}"#,
                with: #"{"op":"add","path":"/total","value":12}"#)
        }
        let run = late.run("bisect", "J", "--to", "1", "--bad", ".cart.total < 1")
        #expect(run.status == 1 && run.output.contains(#""badAtStart":true"#), "\(run)")
        #expect(run.messages.contains("help: --bad '.cart.total != null and (.cart.total < 1)'"), "\(run)")
    }

    @Test("a name that is no store is refused, with the nearest one")
    func noStore() {
        let run = journal.run("bisect", "J", "--bad", ".carts.total > 0")
        #expect(run.status == 4 && run.output.isEmpty, "\(run)")
        #expect(
            run.messages.hasPrefix(
                """
                state-inspect: error: there is no store 'carts' at any position
                 --> --bad:1:1
                1 | .carts.total > 0
                  | ^^^^^^ no such store
                note: the stores are 'cart', 'session'
                help: write '.cart'

                """), "\(run)")
    }
}
