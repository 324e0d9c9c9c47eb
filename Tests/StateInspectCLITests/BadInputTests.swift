import Foundation
import TestSupport
import Testing

/// What is wrong with a journal, a position or a query: the status, and the first line of the message.
@Suite("Bad input")
struct BadInputTests {
    private let journal = ShopJournal()

    @Test(
        "a file that is no journal",
        arguments: [
            ("", "' is empty"), ("hello\n", "' is not a journal"), ("{\"a\":1}\n", "' is not a journal"),
            ("\u{FEFF}" + ShopJournal.lines[0] + "\n", "' is not a journal"),
            (ShopJournal.lines[1] + "\n", "' is not a journal"),
            (
                ShopJournal.lines[0].replacing(#""version":1"#, with: #""version":2"#) + "\n",
                "' is of version 2, this program reads version 1"
            ),
        ])
    func notAJournal(_ text: String, _ message: String) throws {
        let file = ShopJournal(text: text)
        for command in [["info"], ["log"], ["state"], ["replay"], ["verify"], ["bisect", "--bad", "."], ["derived"]] {
            let run = ProgramRun([command[0], file.path] + command.dropFirst())
            #expect(run.status == 3 && run.output.isEmpty, "\(run)")
            #expect(run.messages.hasPrefix("state-inspect: error: '\(file.path)\(message)"), "\(run)")
        }
    }

    @Test(
        "a file that is not there is status 3, named, for every command; a folder is told as one",
        arguments: [
            "info X", "log X", "log X -n 0", "history X .a -n 0", "state X", "blame X", "history X .a", "why X 1",
            "diff X J", "diff J X", "stats X",
            "check X --invariant a=true", "derived X --check", "slice X 1..2", "merge J X", "redact X --path /a",
            "minimize X --bad true",
        ])
    func noFile(_ line: String) throws {
        let words = line.split(separator: " ").map { $0 == "J" ? journal.path : $0 == "X" ? "nowhere.jsonl" : "\($0)" }
        let run = ProgramRun(words)
        #expect(run.status == 3 && run.output.isEmpty, "\(run)")
        #expect(run.messages.contains("there is no file 'nowhere.jsonl'"), "\(run)")
        for message in ProgramRun(words + ["--messages", "json"]).messages.split(separator: "\n") {
            #expect(message.hasPrefix(#"{"kind":"#), "\(message)")
        }
        #expect(ProgramRun(["info", "/"]).messages.hasPrefix("state-inspect: error: '/' is a directory\n"))
    }

    @Test("a torn last record is a warning, and the rest is answered")
    func torn() throws {
        let text = ShopJournal.lines.joined(separator: "\n")
        let file = ShopJournal(text: String(text.prefix(text.count - 300)))
        for command in [
            ["log"], ["state"], ["replay"], ["bisect", "--bad", ".cart.total < 0"], ["stats"], ["diff", file.path],
            ["check", "--invariant", "a=true"], ["redact", "--path", "/cart/total"],
        ] {
            let run = ProgramRun([command[0], file.path] + command.dropFirst())
            #expect(run.status == 0 && !run.output.isEmpty, "\(run)")
            #expect(run.messages.contains("warning: the last record of '"), "\(run)")
        }
        // These read no further than they need to, or say that the run was cut.
        for command in [["blame"], ["history", "/cart"], ["why", "3"], ["slice", "1..3"], ["merge"]] {
            let run = ProgramRun([command[0], file.path] + command.dropFirst())
            #expect(run.status == 0 && !run.messages.contains("error:"), "\(run)")
        }
        #expect(file.run("verify", "J").status == 1)
    }

    @Test("damage in the middle is status 3 with line and byte; what stands before it is printed")
    func damage() throws {
        let file = ShopJournal { $0[6] = #"{"seq":2,"kind":"commit","store":"session""# }
        let run = file.run("log", "J")
        #expect(run.status == 3 && run.output == ShopJournal.lines[4] + "\n", "\(run)")
        #expect(run.messages.contains("\n --> \(file.path):7 (byte "), "\(run)")
        let human = file.run("log", "J", width: 80)
        #expect(human.status == 3 && human.output.contains("add(_:)"), "\(human)")
        #expect(file.run("bisect", "J", "--bad", ".cart.total < 0").status == 3)
        #expect(file.run("stats", "J").status == 3 && file.run("verify", "J").status == 1)
    }

    @Test(
        "a position that is not there is status 4, one that makes no sense status 2",
        arguments: [
            ("900", 4), ("end-50", 4), ("mark:nothing", 4), ("2020-01-01T00:00:00Z", 4), ("x", 2), ("-1", 2), ("", 2),
            ("end-x", 2), ("99999999999999999999", 4),
        ])
    func positions(_ position: String, _ status: Int32) throws {
        let file = ShopJournal()
        let run = file.run("state", "J", "--at", position)
        #expect(run.status == status && run.output.isEmpty && run.messages.contains("help: "), "\(run)")
    }

    @Test(
        "what is no position is told by every command that takes one, wherever it takes it",
        arguments: [
            "state J --at x", "show J x", "show J 1 x", "show J --at x", "diff J x 1", "diff J 1 x",
            "diff J x y", "blame J --at x", "why J x", "debug J --at x", "export swift-test J --at x",
            "bisect J --bad . --from x", "bisect J --bad . --to x", "derived J --all --at x", "log J --range x..",
            "replay J --range ..x", "stats J --range x", "history J . --range x..y",
            "check J --invariant t=. --range x..",
            "derived J --range x..", "marks J --range x..", "report J --range x..", "export csv J --range x..",
            "slice J x..", "minimize J --bad . --from x", "replay J --without x", "blame J --ignore 1,x",
            "bisect J --bad . --skip x", "bisect J --bad . --skip 1..2,3..x",
        ])
    func noPosition(_ line: String) throws {
        let run = journal.run(line: line)
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
        #expect(run.messages.hasPrefix("state-inspect: error: '"), "\(run)")
    }

    @Test("a query that does not parse is status 2 before anything is read")
    func query() {
        for arguments in [
            ["state", "/none", "--select", ".a |"], ["bisect", "/none", "--bad", "(.a"], ["query", ".a ]"],
            ["replay", "/none", "--select", "nosuchfunction"], ["derived", "/none", "--define", "x=.["],
        ] {
            let run = ProgramRun(arguments)
            #expect(run.status == 2 && run.messages.contains("\n1 | "), "\(run)")
        }
    }

    @Test("options that make no sense together or alone are status 2")
    func options() {
        for arguments in [
            ["bisect", "j"], ["bisect", "j", "--bad", ".", "--good", "."], ["log", "j", "-p", "--stat"],
            ["log", "j", "-n", "x"], ["log", "j", "--range", "3"], ["log", "j", "--path", ".cart/a"],
            ["bisect", "j", "--bad", ".", "--skip", "5..3"], ["bisect", "j", "--bad", ".", "--log", "f"],
            ["replay", "j", "--pace", "0"], ["log", "-", "--follow", "--range", "1.."],
            ["log", "j", "--format", "xml"], ["state", "j", "3", "--at", "4"],
            ["log", "j", "--color", "red"], ["derived", "j", "--define", "x=$seq"],
            ["derived", "j", "--at", "1", "--range", "1..2"],
        ] {
            let run = ProgramRun(arguments)
            #expect(run.status == 2 && run.output.isEmpty, "\(run)")
        }
    }

    private static let sample = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path

    @Test(
        "what is mistyped names what is near",
        arguments: [
            ("blame J /cart/totl", 4, "help: write '/cart/total'"),
            ("blame J /crat/items/0/prise", 4, "help: write '/cart/items/0/price'"),
            ("blame J /total", 4, "help: write '/cart/total'"),
            ("blame J /cart/items/9/price", 4, "'/cart/items' has 2 elements"),
            ("blame J --store cart /totl", 4, "help: write '/total'"),
            ("blame J cart/totl", 4, "help: write '/cart/total'"),
            ("history J /cart/totl", 4, "help: write '/cart/total'"),
            ("history J .crat.total", 4, "help: write '/cart/total'"), ("blame J --store crat", 4, "'cart'"),
            ("derived J --why totl", 4, "write 'total'"),
            ("redact J --path /cart/totl", 4, "nothing is at '/cart/totl' anywhere in the journal"),
            ("why J 413", 4, "position '413' is past the end"), ("why J start", 4, "no commit"),
            ("show J 0", 4, "no commit '0'"), ("slice J 9..3", 2, ""), ("slice J 9..900", 4, "past the end"),
            ("check J --invariant total=.cart.total>=", 2, "^"), ("check J", 2, "--invariant"),
            ("check --invariant x=.a", 2, "'check' needs JOURNAL"),
            ("stats J --where .cart[", 2, "^"), ("minimize J --bad (", 2, "^"), ("log J --revers", 2, "--reverse"),
            ("diff J", 2, ""), ("merge", 2, ""), ("state", 2, "JOURNAL"),
        ])
    func mistyped(_ line: String, _ status: Int32, _ says: String) {
        let run = ProgramRun(line.split(separator: " ").map { $0 == "J" ? Self.sample : String($0) } + ["--json"])
        #expect(run.status == status && (says.isEmpty || run.messages.contains(says)), "\(run)")
    }
}
