import Diagnostics
import Foundation
import JSONCore
import Platform
import Testing

@testable import CommandLine

@Suite("The program's frame")
struct ProgramTests {
    @Test("no arguments: the short help on standard error, status 2")
    func noArguments() {
        let run = ProgramRun([])
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
        #expect(run.messages.hasPrefix("state-inspect: what a state was"))
    }

    @Test("'--version' prints the version", arguments: [["--version"], ["log", "--version"]])
    func version(_ arguments: [String]) {
        let run = ProgramRun(arguments)
        #expect(run.status == 0 && run.output == "state-inspect 0.1.0\n", "\(run)")
    }

    @Test("'-h' is short, '--help' and 'help' are long, whatever else is typed after it")
    func help() {
        let short = ProgramRun(["bisect", "-h"])
        let long = ProgramRun(["bisect", "--help"])
        #expect(short.status == 0 && long.status == 0)
        #expect(short.output.count < long.output.count)
        #expect(ProgramRun(["help", "bisect"]).output == long.output)
        #expect(ProgramRun(["-h"]).output == ProgramRun([]).messages)
        #expect(ProgramRun(["log", "-h", "--no-such-option"]).status == 0)
    }

    @Test("an unknown option is status 2 and names the nearest")
    func unknownOption() {
        let run = ProgramRun(["log", "--rnage", "1..2", "j"])
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
        #expect(
            run.messages == """
                state-inspect: error: 'log' has no option '--rnage'
                help: write '--range'
                help: 'state-inspect log -h' shows what it takes

                """)
    }

    @Test("a missing or superfluous argument is status 2")
    func operands() {
        #expect(ProgramRun(["show", "j"]).messages.hasPrefix("state-inspect: error: 'show' needs POS\n"))
        #expect(ProgramRun(["info"]).status == 2)
        let format = ProgramRun(["export", "run.jsonl"])
        #expect(
            format.messages.hasPrefix("state-inspect: error: FORMAT is 'run.jsonl', should be one of 'json-patch', "))
        let extra = ProgramRun(["info", "a", "b"])
        #expect(extra.status == 2 && extra.messages.hasPrefix("state-inspect: error: 'info' has no use for 'b'\n"))
    }

    @Test("'--messages json' makes each message one JSON line, that of a bad command line too")
    func jsonMessages() {
        let run = ProgramRun(["--messages", "json", "completions", "tcsh"])
        #expect(run.status == 2)
        #expect(
            run.messages
                == #"{"kind":"error","code":"usage.argument","message":"SHELL is 'tcsh', should be 'bash', 'zsh', 'fish'"}"#
                + "\n")
    }

    @Test("output that cannot be written is status 3 and is said, also when only the last flush fails")
    func fullDisk() {
        let run = ProgramRun(["completions", "fish"], output: MemorySink(limit: 0))
        #expect(run.status == 3, "\(run)")
        #expect(run.messages.hasPrefix("state-inspect: error: the output cannot be written: no space left on device\n"))
    }

    @Test("a reader that has gone ends the program quietly")
    func closedPipe() {
        let run = ProgramRun(["completions", "fish"], output: MemorySink(limit: 0, refusal: .closed))
        #expect(run.outcome == .outputClosed && run.messages.isEmpty, "\(run)")
    }

    @Test("the option beats NO_COLOR, which beats TERM=dumb, which beats the terminal")
    func colors() {
        let terminal = Terminal(isTerminal: true, width: 80)
        let none = Environment([:])
        let noColor = Environment(["NO_COLOR": "1"])
        #expect(ColorChoice.auto.colors(terminal, none))
        #expect(!ColorChoice.auto.colors(.none, none))
        #expect(!ColorChoice.auto.colors(terminal, noColor))
        #expect(!ColorChoice.auto.colors(terminal, Environment(["TERM": "dumb"])))
        #expect(ColorChoice.auto.colors(terminal, Environment(["NO_COLOR": "", "TERM": "xterm"])))
        #expect(ColorChoice.always.colors(.none, noColor))
        #expect(!ColorChoice.never.colors(terminal, none))
    }
}

@Suite("How far a work is, told on a terminal")
struct ProgressTests {
    /// A journal of a few megabytes, which any command needs several looks at.
    private static let large = ShopJournal { lines in
        let head = Array(lines[...3])
        lines = head
        for seq in 1...4000 {
            lines.append(
                #"{"seq":\#(seq),"kind":"commit","store":"cart","version":\#(seq),"time":"2026-11-21T12:00:01.000000Z","at":{"file":"Shop/Cart.swift","line":\#(seq % 50 + 1),"column":9,"function":"add(_:)"},"patch":[{"op":"replace","path":"/total","value":\#(seq),"old":\#(seq - 1)}]}"#
            )
        }
        lines.append(#"{"seq":4000,"kind":"end","time":"2026-11-21T12:00:07.000000Z"}"#)
    }

    @Test(
        "every command that reads much tells of it, and takes the line away",
        arguments: [
            ["log", "J", "--source", "Cart.swift:77", "--store", "cart"], ["log", "J", "--where", ".cart.total < 0"],
            ["log", "J", "--reverse", "--where", ".cart.total < 0"],
            ["blame", "J", "/session"], ["blame", "J", "--reverse", "/session"], ["info", "J"],
            ["check", "J", "--invariant", "a=.cart.total >= 0"],
            ["check", "J", "J", "--jobs", "2", "--invariant", "a=.cart.total >= 0"],
            ["replay", "J", "--final", "--without", "3"], ["bisect", "J", "--bad", ".cart.total == 7777"],
            ["history", "J", "/session"], ["derived", "J", "--define", "a=.cart.total > 5", "--summary"],
            ["stats", "J"], ["verify", "J"], ["diff", "J", "J"], ["slice", "J", "1.."],
            ["redact", "J", "--check", "nowhere"], ["redact", "J", "--path", "/session/token", "--check", "nowhere"],
            ["minimize", "J", "--bad", ".cart.total == 7777"], ["marks", "J"],
        ])
    func everyCommand(_ arguments: [String]) throws {
        let journal = Self.large
        let run = ProgramRun(arguments.map { $0 == "J" ? journal.path : $0 }, errorWidth: 60)
        let shown = run.messages.components(separatedBy: "\r").filter { $0.hasPrefix(arguments[0] + "  ") }
        #expect(!shown.isEmpty, "\(run)")
        for line in shown { #expect(line.hasSuffix("\u{1B}[K") && line.count < 63, "\(run)") }
        #expect(run.messages.components(separatedBy: "\r").contains { $0.hasPrefix("\u{1B}[K") }, "\(run)")
        // Nothing of it is seen where messages go to a file.
        #expect(!journal.run(arguments).messages.contains("\r"))
    }

    @Test("the total is that of all journals, also where several are read at a time")
    func total() throws {
        let journal = Self.large
        let size = try #require(try FileManager.default.attributesOfItem(atPath: journal.path)[.size] as? Int)
        let run = ProgramRun(
            ["check", journal.path, journal.path, "--jobs", "2", "--invariant", "a=.cart.total >= 0"], errorWidth: 90)
        #expect(run.messages.contains(" of " + Progress.size(Double(2 * size))), "\(run)")
    }

    @Test("messages as JSON, and terminals that cannot move their cursor, are left alone")
    func left() throws {
        let journal = Self.large
        for (arguments, environment) in [(["--messages", "json"], [:]), ([], ["TERM": "dumb"])] {
            let run = ProgramRun(["stats", journal.path] + arguments, errorWidth: 80, environment: environment)
            #expect(!run.messages.contains("\r"), "\(run)")
        }
    }
}

@Suite("What reaches a terminal")
struct TerminalTests {
    /// A journal whose token may not be shown as it is.
    private func journal() throws -> ShopJournal {
        ShopJournal { lines in
            lines = lines.map {
                $0.split(separator: "\"b7\"", omittingEmptySubsequences: false).joined(
                    separator: "\"\u{9B}31m\u{202E}\u{200B}\"")
            }
        }
    }

    @Test(
        "JSON on a terminal has nothing that acts on it, and the same meaning",
        arguments: [["log", "J", "--json"], ["state", "J", "--json"], ["history", "J", "/session/token", "--json"]])
    func json(_ arguments: [String]) throws {
        let journal = try journal()
        let typed = arguments.map { $0 == "J" ? journal.path : $0 }
        let (shown, plain) = (ProgramRun(typed, width: 80), ProgramRun(typed))
        #expect(plain.output.contains("\u{9B}"))
        #expect(
            ControlCharacters.escapedJSON(shown.output) == shown.output
                && shown.output.contains(#"\u009b31m\u202e\u200b"#))
        for (left, right) in zip(shown.output.split(separator: "\n"), plain.output.split(separator: "\n")) {
            #expect(try JSONParser.parse(Array(left.utf8)) == JSONParser.parse(Array(right.utf8)))
        }
    }

    @Test("messages as JSON hold nothing that acts on a terminal")
    func messages() {
        let run = ProgramRun(["info", "no\u{9B}31m\u{202E}where", "--messages", "json"])
        #expect(run.status == 3 && run.messages.contains(#"\u009b31m\u202e"#), "\(run)")
    }

    @Test(
        "a pager that fails is done without: the answer and the status are the same",
        arguments: ["nosuchpager", "false", "exit 3", "head -c 0 >/dev/null; exit 1"])
    func failingPager(_ pager: String) throws {
        let journal = try journal()
        let arguments = ["diff", journal.path, "0", "5", "--color", "never"]
        let plain = ProgramRun(arguments, width: 80)
        let run = ProgramRun(arguments, width: 80, environment: ["PAGER": pager])
        #expect(!plain.output.isEmpty && run.output == plain.output, "\(run)")
        #expect(run.status == plain.status, "\(run)")
    }

    @Test("no pager is run on a terminal that cannot move its cursor")
    func dumb() throws {
        let journal = try journal()
        let run = ProgramRun(
            ["log", journal.path], width: 80, environment: ["TERM": "dumb", "PAGER": "cat >/dev/null"])
        #expect(run.output.contains("applyDiscount(_:)"), "\(run)")
    }

    @Test(
        "standard input is named once",
        arguments: [["diff", "-", "-"], ["merge", "-", "-"], ["check", "-", "-", "--invariant", "a=true"]])
    func standardInputTwice(_ arguments: [String]) {
        let run = ProgramRun(arguments)
        #expect(run.status == 2 && run.messages.contains("standard input can be read only once"), "\(run)")
    }

    @Test(
        "where the locale has no more than ASCII, nothing else is written for people, and programs get every character",
        arguments: [
            ["bisect", "J", ".cart.total < 0"], ["log", "J", "-p"], ["show", "J", "3"], ["why", "J", "3"],
            ["state", "J"],
            ["debug", "J", "3", "--batch"], ["stats", "J"], ["history", "J", "/session/token"], ["blame", "J"],
            ["log", "J", "--nonesuch=é"], ["help", "operands"], ["-h"],
        ])
    func plainLocale(_ arguments: [String]) throws {
        let journal = ShopJournal { lines in lines = lines.map { $0.replacing("b7", with: "é→😀") } }
        let typed = arguments.map { $0 == "J" ? journal.path : $0 }
        for (variable, locale) in [("LC_ALL", "C"), ("LANG", "POSIX"), ("LC_CTYPE", "de_DE.ISO-8859-1")] {
            let run = ProgramRun(typed, width: 80, environment: [variable: locale])
            #expect((run.output + run.messages).utf8.allSatisfy { $0 < 0x80 }, "\(run)")
        }
        let (plain, utf8) = (
            ProgramRun(typed, width: 80), ProgramRun(typed, width: 80, environment: ["LC_ALL": "C.UTF-8"])
        )
        #expect(plain.output == utf8.output)
        let (one, other) = (ProgramRun(typed), ProgramRun(typed, environment: ["LC_ALL": "C"]))
        if arguments[0] == "state" || arguments[0] == "log" { #expect(one.output == other.output) }
    }
}
