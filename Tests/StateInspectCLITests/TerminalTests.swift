import Diagnostics
import JSONCore
import Testing

@testable import StateInspectCLI

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
