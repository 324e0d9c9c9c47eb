import Diagnostics
import Foundation
import Interchange
import JSONCore
import TestSupport
import Testing

@testable import CommandLine

@Suite("Words that people know from other programs")
struct TypedWordsTests {
    private let journal = ShopJournal()

    /// What is typed, and what works or what the answer says to type; `J` is a journal.
    private static let lines: [(String, String)] = [
        // git's
        ("log J", ""), ("log -p J", ""), ("log --stat J", ""), ("log -n 2 J", ""), ("log -2 J", ""), ("show J 3", ""),
        ("diff J 1 3", ""), ("diff J start end", ""), ("diff --stat J 1 3", ""), ("diff --name-only J 1 3", ""),
        ("blame J", ""), ("blame J /cart/total", ""), ("help log", ""), ("--version", ""), ("--help", ""),
        ("log J 1..3", ""), ("log J cart", ""), ("log 1..3 J", ""), ("show HEAD J", ""), ("show J HEAD~1", ""),
        ("blame J 3", ""), ("blame J cart.total 3", ""), ("blame 3 J /cart/total", ""), ("diff 1 3 J", ""),
        ("bisect start J", "state-inspect bisect J --interactive"),
        ("bisect good J 3", "state-inspect bisect J --interactive"),
        ("bisect start", "'state-inspect bisect JOURNAL --interactive'"), ("bisect run J x", "bisect J --run CMD"),
        ("bisect J 1..4 .cart.total<0", ""), ("J 3", ""), ("3 J", ""), ("J mark:total", ""), ("slice 1..2 J", ""),
        ("grep total J", ""), ("grep J -3", "state-inspect grep -- J -3"), ("show J -2", "write 'end-2'"),
        ("log J 3", "state-inspect show J 3"), ("log 3 J", "state-inspect log J --range ..3"),
        ("log --oneline J", "leave it out"), ("log --since 12:00 J", "--range TIME.."),
        ("log --until 12:00 J", "--range ..TIME"),
        ("log --author a J", "--function NAME"), ("log -S x J", "'grep JOURNAL TEXT'"),
        ("log --graph J", "'why JOURNAL POS'"), ("log --grep x J", "--name GLOB"),
        ("blame -L 1,2 J", "'blame JOURNAL /cart/items'"), ("diff --name-status J 1 3", "--name-only"),
        ("compare J J", "state-inspect diff J J"), ("annotate J", "state-inspect blame J"),
        ("whatchanged J", "state-inspect log -p J"), ("checkout J 3", "write 'state --at POS'"),
        ("reflog J", "state-inspect log J"), ("shortlog J", "state-inspect log J"), ("rev-parse J 3", "show J 3"),
        ("status J", "state-inspect info J"), ("tag J", "state-inspect marks J"), ("fsck J", "state-inspect verify J"),
        ("revert J 3", "--without LIST"), ("who J /cart/total", "state-inspect blame J /cart/total"),
        ("who J 3", "state-inspect show J 3"), ("when J /cart/total", "state-inspect history J /cart/total"),
        ("bisct J", "write 'bisect'"), ("-V", "write '--version'"), ("-v", "write '--version'"),
        ("version", "write '--version'"),
        ("log -1 J", ""), ("log --all J", ""), ("log HEAD~2..HEAD J", ""), ("diff J HEAD~1 HEAD", ""),
        ("log J /cart", ""), ("log --merges J", "no branches"), ("log -n1 J --name-only", "leave it out"),
        ("bisect J --good 1 --bad 3", "'--from POS' and '--to POS'"),
        ("show J 3:/cart/total", "'state JOURNAL 3 /cart/total'"),
        // a shell's
        ("tail J", "state-inspect log -n 10 --reverse J"), ("head J", "state-inspect log -n 10 J"),
        ("tail -f J", "state-inspect log -f J"), ("log J -f", ""), ("check J -f .cart|.total", ""),
        ("cat J", "state-inspect state J"), ("open J", "state-inspect debug J"), ("ls J", "state-inspect log J"),
        ("search J x", "state-inspect grep J x"), ("find J x", "state-inspect grep J x"), ("wc J", "info J"),
        ("stat J", "write 'state'"), ("stat J", "write 'stats'"), ("info none.jsonl", "there is no file"),
        ("none.jsonl", "there is no file 'none.jsonl'"), ("none.jsonl 3", "there is no file 'none.jsonl'"),
        // a guess's
        ("bisect J totl<0", "write '.cart.total'"),
        ("bisect J .cart.total<0", ""), ("bisect .cart.total<0 J", ""), ("bisect J /cart/total<0", ""),
        ("bisect J cart.total<0", ""), ("bisect J total<0", ""), ("bisect --bad J .cart.total<0", ""),
        ("bisect J -bad .cart.total<0", "write '--bad'"), ("bisect .cart.total<0", "'bisect' needs JOURNAL"),
        ("check J .cart.total>=0", "status 1"), ("check .cart.total<99 J", ""), ("check J J cart.total<99", ""),
        ("check J total>=0 --github", "status 1"), ("check J total<99 --junit", ""), ("check J total<99 --sarif", ""),
        ("check J --invariant total<99", ""), ("check J --markdown .cart.total<99 /cart/total<99", ""),
        ("minimize J .cart.total<0", ""), ("state J cart", ""), ("state J .cart.total", ""),
        ("state J /cart/total", ""),
        ("state J cart.total 3", ""), ("state J 3 /cart/items/0", ""), ("state 3 J", ""), ("state J cart --at 3", ""),
        ("derived J 1", ""), ("derived 1 J", ""), ("derived J 0..3", ""), ("stats J 1..3", ""), ("marks J 1..3", ""),
        ("history J total<0", ""), ("history J cart.total 1..3", ""), ("history J 3", "state-inspect show J 3"),
        ("origin J 3 /cart/total", ""), ("origin cart.total J", ""), ("replay J .cart.total", ""),
        ("why 3 J", ""), ("why J /cart/total", "state-inspect blame J /cart/total"), ("debug J 3 --batch", ""),
        ("bisect J 1 4 .cart.total<0", ""), ("log J Cart.swift:42", ""), ("diff J end J end", ""),
        ("--tui J", "state-inspect debug --tui J"), ("-p J", "state-inspect log -p J"), ("marks J red", "grep J red"),
        ("bisect", "state-inspect bisect JOURNAL QUERY"), ("state J .cart .session", "has no use for '.session'"),
        ("J --tui", "state-inspect debug J --tui"), ("J .cart.total", "state-inspect state J .cart.total"),
        ("J --bad .cart|.total", "state-inspect bisect J"), ("export J csv", ""), ("export J --csv", ""),
        ("export J --format csv", ""), ("export csv J .cart.total", ""), ("export J --perfetto", ""),
        ("history J /cart/total --to 12", "'.cart.total == 12'"),
        ("history J /cart/total --value 12", "'.cart.total == 12'"),
        ("log J --value 12", "'.cart.total == 12'"), ("derived J --wasted", "'--summary'"),
        ("stats J derived", "'derived JOURNAL --summary'"), ("report J out.html", "write '-o out.html'"),
        ("slice J 1..2 out.jsonl", "write '-o out.jsonl'"), ("minimize J", "it keeps the commits"),
        ("redact J --check x -o f", "'--check' alone"),
        // jq's
        ("query -c . J", ""), ("query -s length J", ""), ("query -r .kind J", ""), ("query -n 1", ""),
        ("query J .kind", ""), ("query J", ""), ("state J keys", ""), ("state J .", ""),
        ("state J -r .session.token", ""),
        ("state J ..|numbers", ""), ("state J cart|keys", ""), ("log J .cart.total<0", ""),
        ("query --argfile a b . J", "--slurpfile"), ("query -0 . J", "--raw-output0"),
        ("jq . J", "state-inspect query . J"), ("filter .kind J", "state-inspect query .kind J"),
        ("query -1|round", "-- '-1|round'"), ("query -(.a) J", "-- '-(.a)'"), ("query -- -1 J", ""),
        // another language's paths
        ("bisect J --bad cart.total<0", ""), ("bisect J --bad cart|.total<0", ""),
        ("log J --where not|cart", "'.cart'"),
        ("bisect J --store cart --bad total<0", ""), ("check J --invariant a=cart.total<99", ""),
        ("state J --select cart.total", ""), ("export csv J --select cart|.total", ""),
        ("query cart.total J", "write '.cart.total'"), ("bisect none.jsonl --bad cart.total<0", "write '.cart.total'"),
        // a debugger's
        ("break J Cart.swift:42", "state-inspect debug J"), ("reverse-continue J", "state-inspect debug J"),
        ("tbreak J add", "state-inspect debug J"), ("up J", "state-inspect debug J"),
        ("finish J", "state-inspect debug J"),
        ("rr replay J", "state-inspect debug J"), ("info J breakpoints", "state-inspect debug J"),
        ("debug -ex bt J", "-x FILE"), ("debug -q J --batch", "leave it out"), ("debug --args J", "leave it out"),
        ("gdb J", "state-inspect debug J"), ("rr J", "state-inspect debug J"), ("step J", "state-inspect debug J"),
        ("bt J 3", "state-inspect why J 3"), ("print J .cart", "state-inspect state J .cart"),
        ("watch J cart.total", "state-inspect history J cart.total"), ("goto J 3", "state-inspect show J 3"),
        ("where J 3", "state-inspect why J 3"), ("debug J end-1 --batch", ""),
        ("breakpoint J", "state-inspect debug J"),
        // those of stores and their tools
        ("action J", "state-inspect log J"), ("reducer J", "state-inspect log J"), ("diff J 3", ""),
        ("replay J --skip 3", "--without LIST"), ("log J --type x", "--action GLOB"),
        ("log J --filter cart", "--where QUERY"),
        ("state J cart.items.0", "write '[0]'"), ("state J -c .cart", "query -c ."),
        ("history J total -r", "query -r ."), ("state J --tab", "query --tab ."), ("replay J -r total", "query -r ."),
        ("actions J", "state-inspect log J"), ("stores J", "state-inspect info J"), ("getState J", "state J"),
        ("selectors J", "state-inspect derived J"), ("subscribe J", "state-inspect log --follow J"),
        ("devtools J", "state-inspect debug --tui J"), ("undo J 3", "--without LIST"), ("export redux J", ""),
        ("export J redux", ""), ("export J --redux", ""), ("timeline J", "state-inspect debug --tui J"),
        ("mutations J", "state-inspect log -p J"), ("dispatch J", "state-inspect log J"),
    ]

    @Test("each works, or the answer says what to type", arguments: lines)
    func words(line: String, answer: String) throws {
        let run = journal.run(line: line)
        if answer.isEmpty || answer == "status 1" {
            #expect((answer.isEmpty ? [0, 1] : [1]).contains(run.status) && !run.messages.contains("error:"), "\(run)")
            #expect(!run.output.isEmpty || run.messages.contains("note:"), "\(run)")
        } else {
            let shown = run.messages.replacing(journal.path, with: "J")
            #expect([2, 3].contains(run.status) && shown.contains(answer) && run.output.isEmpty, "\(run)")
        }
    }

    @Test(
        "every line that is suggested is understood",
        arguments: lines.filter { $0.1.contains("state-inspect ") && !$0.1.contains(" JOURNAL") })
    func suggested(line: String, answer: String) throws {
        let run = journal.run(line: line)
        let help = try #require(run.messages.split(separator: "\n").first { $0.contains("state-inspect ") })
        let words = help.split(separator: " ").map { word in String(word.filter { $0 != "'" }) }
        let typed = [String](words.drop { $0 != "state-inspect" }.dropFirst().prefix { $0 != "shows" && $0 != "says" })
        // A screen is not opened in a test, and nobody answers.
        let needsPerson = typed.contains("--tui") || typed.contains("--interactive")
        let again = ProgramRun(needsPerson ? typed + ["--help"] : typed)
        #expect([0, 1].contains(again.status) && !again.messages.contains("error:"), "\(run)\n\(again)")
    }

    @Test("a path is one however it is written, and a query that is valid as it stands keeps its meaning")
    func paths() throws {
        for (texts, value) in [
            ([".cart.total", "cart.total", "/cart/total", "total", "cart/total"], "-9\n"),
            ([".cart.total / 3", "/cart/total / 3", "cart.total/3", "total/3"], "-3\n"),
            ([".cart.items | length", "/cart/items | length", "cart.items | length", "items|length"], "0\n"),
            ([".session.token", "/session/token", "session.token", "token"], "\"b7\"\n"),
            (["[.cart.total, .session.token]", "[/cart/total, token]"], "[-9,\"b7\"]\n"),
            ([".cart.total < 0 and (.session.token | length) > 1", "total<0 and (token|length) > 1"], "true\n"),
            // Words of the language are functions, and so is a slash between two terms a division.
            (["length", ". | length"], "2\n"), ([".cart | .total", "cart | .total"], "-9\n"),
        ] {
            for text in texts {
                let run = ProgramRun(["state", journal.path, text])
                #expect(run.status == 0 && run.output == value && run.messages.isEmpty, "\(run)")
            }
        }
        let inner = ProgramRun(["state", journal.path, ".cart | total"])
        #expect(inner.status == 2 && inner.messages.contains("write '.cart.total'"), "\(inner)")
    }

    @Test("a member of several stores is none of them, and the answer lists them")
    func ambiguousMember() throws {
        let journal = ShopJournal { lines in
            lines[1] = lines[1].replacing(#""token":"a1""#, with: #""token":"a1","total":1"#)
        }
        let run = ProgramRun(["bisect", journal.path, "total < 0"])
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
        #expect(
            run.messages.contains("write '.cart.total'") && run.messages.contains("write '.session.total'"), "\(run)")
    }

    @Test("a format is taken by the names of the tools that read and write it, and a slip of one is answered")
    func formats() throws {
        for (name, format) in [("perfetto", "chrome-trace"), ("Redux", "redux-devtools"), ("jsonpatch", "json-patch")] {
            let run = ProgramRun(["export", name, journal.path])
            #expect(run.status == 0 && run.output == ProgramRun(["export", format, journal.path]).output, "\(run)")
        }
        for (words, help) in [
            (["export", "perfeto"], "write 'chrome-trace'"), (["export", "chrom-trace"], "write 'chrome-trace'"),
            (["import", "rdux"], "write 'redux-devtools'"), (["import", "jsnol"], "write 'jsonl'"),
        ] {
            let run = ProgramRun(words + [journal.path])
            #expect(run.status == 2 && run.messages.contains(help), "\(run)")
        }
    }

    @Test("a file that is not there is missed as a file, not as a format", arguments: ["nothing.json", "logs/nothing"])
    func missingFile(_ path: String) {
        let run = ProgramRun(["import", path])
        #expect(run.status == 3 && run.messages.contains("there is no file '\(path)'"), "\(run)")
    }
}

@Suite("Commands that answers suggest")
struct AdviceTests {
    @Test("a command is written so that it can be pasted")
    func commands() {
        let advice = Advice("my shop.jsonl", StoreScope(store: "cart"))
        #expect(advice.command(.show, ["118"]) == "state-inspect show 'my shop.jsonl' 118 --store cart")
        #expect(advice.command(.why, ["118"]) == "state-inspect why 'my shop.jsonl' 118")
        #expect(
            advice.command(.log, [], [(.patch, nil), (.path, "/a b")])
                == "state-inspect log 'my shop.jsonl' -p --path '/a b' --store cart")
        #expect(Advice("-x.jsonl").command(.state, [], [(.at, "3")]) == "state-inspect state --at 3 -- -x.jsonl")
        #expect(
            Advice("a.jsonl", StoreScope(store: "-s")).command(.show, ["1"])
                == "state-inspect show a.jsonl 1 --store=-s")
        #expect(
            Advice("a.jsonl", StoreScope(store: nil, recovers: true)).command(.log)
                == "state-inspect log a.jsonl --recover")
        #expect(Advice("a\nb").command(.info) == #"state-inspect info "$(printf 'a\012b')""#)
        #expect(Advice("a.jsonl").command(.blame, ["/##x"]) == "state-inspect blame a.jsonl '/#''#x'")
        #expect(Advice("-").help(.verify, to: "lists all damage").isEmpty)
        #expect(!Advice("-").isPossible)
    }

    @Test("a command about a file that is no journal is written so that it can be pasted")
    func imports() throws {
        let state = ["--state", ".x y"]
        #expect(
            ImportAdvice("a b;c.log").command(.jsonl, state) == "state-inspect import jsonl 'a b;c.log' --state '.x y'")
        #expect(
            ImportAdvice("-a.log").command(.jsonl, state, output: "-a.jsonl")
                == "state-inspect import --state '.x y' --output=-a.jsonl -- jsonl -a.log")
        let watch = try #require(ImportFormat(rawValue: "kubernetes"))
        #expect(ImportAdvice("-").command(watch) == "state-inspect import kubernetes")
        #expect(
            ImportAdvice("a b").help(for: .encoding("UTF-16")) == ["this writes it so: iconv -f UTF-16 -t UTF-8 'a b'"])
        #expect(ImportAdvice("-").help(for: .encoding("UTF-16")) == ["put 'iconv -f UTF-16 -t UTF-8' before it"])
    }

    @Test("a file of another format is named once quoted in a sentence, and as a shell takes it in a command")
    func importOfAnotherFormat() throws {
        let folder = TemporaryFolder()
        let pods = folder.write(
            #"{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}}"#,
            to: "my pods;x.log")
        let refused = ProgramRun(["import", "trrack", pods])
        #expect(
            refused.status == 3 && refused.messages.contains("help: state-inspect import kubernetes '\(pods)' -o "),
            "\(refused)")
        let guessed = ProgramRun(["import", "jsonl", pods, "--suggest"])
        #expect(guessed.messages.contains("note: '\(pods)' looks like 'kubernetes', what "), "\(guessed)")
        #expect(
            guessed.output == "state-inspect import kubernetes '\(pods)' -o 'my pods;x.jsonl'\n", "\(guessed)")
    }

    @Test("several outputs are a warning, a time on no line is status 5, and '--strict' makes each an error")
    func importWarnings() throws {
        let folder = TemporaryFolder()
        let log = folder.write(#"{"time":1,"l":[1,2]}"#, to: "a.log")
        let runs: [([String], Int32, String)] = [
            (["--state", ".l[]", "--time", ".time"], 0, "warning: '--state' gives several outputs on 1 line"),
            (
                ["--state", ".l[]", "--time", ".time", "--strict"], 5,
                "error: '--state' gives several outputs on 1 line"
            ),
            (["--state", ".l", "--time", ".tiem"], 5, "help: write '.time'"),
            (["--state", ".l", "--cause", ".tiem"], 0, "help: write '.time'"),
            (["--state", ".l", "--cause", ".tiem", "--strict"], 5, "error: '--cause' gives nothing"),
            (["--each", ".l[]", "--state", "."], 0, "2 commits"),
        ]
        for (options, status, message) in runs {
            let run = ProgramRun(["import", "jsonl", log] + options)
            let isThere = run.messages.contains(message) || message == "2 commits"
            #expect(run.status == status && isThere && run.output.contains("\"kind\":\"end\""), "\(run)")
        }
    }

    @Test("'--recover' is only offered by a command that has it")
    func recover() throws {
        let journal = ShopJournal { $0[6] = "damage" }
        for (command, isOffered) in [
            (["state", "J"], true), (["show", "J", "2"], false), (["log", "J"], true), (["merge", "J"], false),
        ] {
            let run = journal.run(command)
            #expect(run.status == 3 && run.messages.contains("--recover") == isOffered, "\(run)")
        }
    }
}
