import Diagnostics
import Foundation
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

@testable import CommandLine
@testable import Debugger

@Suite("A line typed to the debugger")
struct DebugLineTests {
    init() { _ = tool }

    @Test("each command is known by its name and by each of its abbreviations, and no two share one")
    func names() throws {
        #expect(Set(DebugVerbTable.all.map(\.verb)) == Set(DebugVerb.allCases))
        #expect(DebugVerbTable.all.count == DebugVerb.allCases.count)
        var shorts: [String: DebugVerb] = [:]
        for definition in DebugVerbTable.all {
            #expect(try DebugLine.verb(definition.verb.rawValue) == definition.verb)
            for short in definition.short {
                #expect(try DebugLine.verb(short) == definition.verb)
                #expect(shorts.updateValue(definition.verb, forKey: short) == nil, "\(short)")
                #expect(DebugVerb(rawValue: short) == nil)
            }
        }
    }

    @Test("an abbreviation that only one command begins with is taken; of several, all are named")
    func abbreviations() throws {
        #expect(try DebugLine(parsing: "cont 3") == DebugLine(parsing: "continue 3"))
        #expect(try DebugLine(parsing: "  check  here ")?.rest == "here")
        #expect(try DebugLine(parsing: "reverse-stepi")?.verb == .reverseStepi)
        let error = #expect(throws: CommandFailure.self) { try DebugLine(parsing: "un") }
        #expect(error?.diagnostic.message == "'un' may be any of 'until', 'undisplay', 'unskip'")
    }

    @Test("a command that is not there is told with the nearest")
    func unknown() throws {
        let error = #expect(throws: CommandFailure.self) { try DebugLine(parsing: "wacth /cart") }
        #expect(error?.diagnostic.message == "there is no command 'wacth'")
        #expect(error?.diagnostic.help == ["write 'watch'"])
        #expect(error?.status == .usage)
    }

    @Test("an empty line and a comment are no commands")
    func nothing() throws {
        for line in ["", "  ", "# step", "\t# step"] { #expect(try DebugLine(parsing: line) == nil) }
    }

    @Test("a sign within quotes or brackets does not split a line")
    func splitting() {
        let parts = DebugLine.split(#"[.a | .b, "|\"|"] | wc -l | cat"#, at: "|")
        #expect(parts?.0 == #"[.a | .b, "|\"|"]"#)
        #expect(parts?.1 == "wc -l | cat")
        #expect(DebugLine.split("(.a | .b)", at: "|") == nil)
    }

    /// How many random lines are tried; more by the environment.
    static let count = ProcessInfo.processInfo.environment["STATE_INSPECT_DEBUG_LINES"].flatMap { Int($0) } ?? 300

    @Test("no bytes trap or end a session, whatever they are", arguments: [1, 2] as [UInt64])
    func anyBytes(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, commits: 30)
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
        let interpreter = DebugInterpreter(
            try Session(journal), DebugInterpreter.Surroundings(), width: 80
        ) { line in
            #expect(!line.text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 })
        }
        let completion = DebugCompletion(session: interpreter.session, definitions: [])
        var random = SeededGenerator(seed: seed)
        for _ in 0..<DebugLineTests.count {
            let line = Self.line(&random)
            guard (try? DebugLine(parsing: line))?.verb != .shell else { continue }
            _ = completion.completion(of: line)
            do { _ = try interpreter.execute(line) } catch { try interpreter.report(error) }
        }
    }

    /// A line of words that mean something, and of bytes that do not.
    private static func line(_ random: inout SeededGenerator) -> String {
        let verbs = DebugVerb.allCases.filter { $0 != .pipe && $0 != .shell && $0 != .source && $0 != .list }.map(
            \.rawValue)
        let words = [
            "/cart", ".cart", "$old", "if", "1", "-1", "99999999999999999999", "5", "end-3", "mark:", "mark:tap",
            "derived",
            "mark", "violation", "File.swift:1", "run", "|", "(", "\"", "/**", "/*/a", "3..9", "$seq > 3", "\u{1B}[31m",
            "é",
        ]
        var bytes: [UInt8] = []
        if Int.random(in: 0..<10, using: &random) > 0 { bytes += Array(verbs.randomElement(using: &random)!.utf8) }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            bytes.append(0x20)
            if Int.random(in: 0..<6, using: &random) == 0 {
                bytes += (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
            } else {
                bytes += Array(words.randomElement(using: &random)!.utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite("The debugger's words are those of gdb and rr")
struct DebugWordsTests: DebuggerSuite {
    /// What each line prints at commit 118, among other things.
    static let words = [
        ("s", "commit 119"), ("step 2", "commit 120"), ("n", "commit 119"), ("next", "commit 119"),
        ("finish", "commit 119"), ("fin", "commit 119"), ("ni", "commit 119"), ("nexti", "commit 119"),
        ("stepi", "commit 119"),
        ("rs", "commit 117"), ("rn", "commit 117"), ("reverse-next", "commit 117"), ("reverse-finish", "commit 117"),
        ("rsi", "1 of 2 changes made"), ("c", "the end of the run"), ("continue", "the end of the run"),
        ("rc", "the start of the run"), ("run", "the end of the run"), ("r", "the end of the run"), ("start", "start"),
        ("up", "commit 117"), ("frame 1", "commit 117"), ("f 1", "commit 117"), ("frame", "#0\ncommit 118"),
        ("bt", "#1  117"), ("backtrace", "#1  117"), ("where", "#1  117"), ("b", "Breakpoint 1: shop/Cart.swift:37"),
        ("tbreak applyDiscount", "Temporary breakpoint 1"), ("info b", "nothing stops the run"),
        ("info watchpoints", "nothing stops the run"), ("i stores", "cart       {"), ("p .cart.total", "-6"),
        ("print /cart/total", "-6"), ("p cart.total", "-6"), ("inspect .cart.total", "-6"), ("call .cart.total", "-6"),
        ("display cart.total", #".["cart"]["total"] = -6"#), ("watch cart.total", "Watchpoint 1: /cart/total"),
        ("last cart.total", "New value = -6"), ("list 3", "     3"), ("list Cart.swift:37", "→   37"),
        ("shell exit 3", "ended with status 3"), ("!exit 3", "ended with status 3"), ("? watch", "watch PATH"),
        ("help", "motions"), ("set exec-direction reverse", ""), ("exec-direction", "exec-direction is forward"),
        ("set pagination off", ""), ("set print elements 3", ""), ("search tapped Buy", "commit 118"),
        ("/SPRING", "the search passed the end"), ("history cart.total", "12 → -6"),
        ("until .cart.total > 1000", "end"), ("checkpoint", "Checkpoint 1"), ("when", "commit 118 of 412"),
        // A position alone, and after the words that go somewhere.
        ("117", "commit 117"), ("end-3", "commit 409"), ("run 117", "commit 117"), ("until 117", "commit 117"),
        ("u end", "commit 412"), ("mark:Buy", "commit 1"),
        // What gdb takes besides.
        ("print/x .cart.total", "-6"), ("p/d cart.total", "-6"), ("watch -l cart.total", "Watchpoint 1: /cart/total"),
        ("apropos value", "watch"), ("help changes", "stepi, si"),
        // A path is one however it is written, in a condition too.
        ("print cart.total < 0", "true"), ("p /cart/total + 1", "-5"), ("p total - 1", "-7"),
        ("print /cart/items/0/id", "teapot"),
        ("until /cart/total >= 0", "end"), ("watch /cart/total < 0", "Watchpoint 1: /cart/total < 0"),
        ("break applyDiscount if total < 0", "Breakpoint 1"), ("catch violation total >= 0", "Catchpoint 1"),
    ]

    @Test("a word that gdb or rr knows does what it does there", arguments: words)
    func works(_ line: String, _ shown: String) {
        let samples = SharedFolder.packageRoot.appendingPathComponent("samples").path
        let run = run(["goto 118", line], ["--source-root", samples])
        #expect(run.status == 0, "\(run)")
        #expect(shown.isEmpty || run.output.contains(shown), "\(run)")
    }

    /// What is typed instead of each word.
    static let advice = [
        ("x/4x .cart", "write 'print'"), ("ptype .cart", "write 'print'"), ("printf \"%d\"", "write 'print'"),
        ("thread 2", "write 'info stores': a run has stores, not threads"),
        ("set var x = 1", "'skip N' leaves a commit out"), ("jump Cart.swift:37", "write 'goto POS'"),
        ("advance Cart.swift:37", "write 'tbreak FILE:LINE' and 'continue'"),
        ("clear", "write 'delete'"), ("rwatch /cart", "write 'watch': a run has no reads"),
        ("rbreak .", "write 'break'"), ("commands 1", "write 'display'"), ("return", "write 'finish'"),
        ("kill", "write 'quit'"), ("show version", "write 'info'"), ("layout src", "debug --tui"),
        ("attach 1", "open the other journal"), ("disassemble", "write 'list'"),
        ("forward-search TEXT", "write 'search TEXT'"),
        ("record", "cannot be changed"), ("python 1", "write 'source FILE'"), ("cd /", "write 'shell"),
        ("jump 118", "write 'goto 118'"), ("show 118", "write 'goto 118'"), ("advance 118", "write 'goto 118'"),
        ("info 118", "write 'goto 118'"), ("info locals", "write 'print'"), ("info source", "write 'list'"),
        ("info threads", "write 'info stores'"), ("info functions", "write 'info stores'"),

        ("echo hello", "write 'shell echo hello'"), ("save breakpoints f", "'source FILE'"),
        ("undo", "write 'reverse-step'"), ("dispatch x", "cannot be changed"), ("who /cart", "write 'blame PATH'"),
        ("nxet", "write 'next'"), ("wacth /cart", "write 'watch'"),
    ]

    @Test("one that means nothing here is answered with the word that does", arguments: advice)
    func isAdvised(_ line: String, _ help: String) {
        let run = run([line])
        #expect(run.status == 2, "\(run)")
        #expect(run.messages.contains(help), "\(run)")
    }

    @Test("'up' and 'down' go along the chain of causes of the commit at which they began")
    func causes() {
        let run = run(["goto 118", "up", "down", "up", "bt", "down 2"])
        #expect(run.output.contains("  #0  118") && run.output.contains("→ #1  117"), "\(run)")
        #expect(run.status == 4 && run.messages.contains("the chain of causes begins here"), "\(run)")
        let end = self.run(["goto 118", "up 9"])
        #expect(end.status == 4 && end.messages.contains("the chain of causes ends here"), "\(end)")
    }

    @Test("with 'exec-direction reverse' a motion goes back, and the reverse of one is refused, as in gdb")
    func direction() {
        let run = run([
            "goto 118", "set exec-direction reverse", "next", "watch /cart/total", "continue", "reverse-step",
        ])
        #expect(run.output.contains("commit 117 ") && run.output.contains("commit 71 "), "\(run)")
        #expect(run.status == 2 && run.messages.contains("the session goes backward already"), "\(run)")
    }

    @Test("a query may have a condition after 'if', and one of its own")
    func conditions() {
        let run = run([
            "start", "watch .cart.total if .cart.total < 0", "watch if .cart.total < 0 then 1 else 2 end", "c",
        ])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("Watchpoint 1: .cart.total if .cart.total < 0\n"), "\(run)")
        #expect(run.output.contains("Watchpoint 2: if .cart.total < 0 then 1 else 2 end\n"), "\(run)")
        #expect(run.output.contains("commit 118 "), "\(run)")
    }

    @Test("behind a pipe a bare path is answered with the dot that it lacks, not with a function of a similar name")
    func bareInQuery() {
        for (line, help) in [
            ("until .cart | total < 0", "write '.cart.total'"), ("print map(cart.total)", "write '.cart.total'"),
            ("condition 1 .a | . == cart.items[0].id", "write '.cart.items[0].id'"),
        ] {
            let run = run(["break applyDiscount", line])
            #expect(run.status == 2 && run.messages.contains(help), "\(run)")
            #expect(!run.messages.contains("cbrt"), "\(run)")
        }
    }
}
