import Foundation
import TestSupport
import Testing

@testable import CommandLine

/// What a reader that pays for every word gets.
@Suite("Answers that fit")
struct AnswerFitTests {
    private let journal = ShopJournal()

    private static let environment = agents

    /// What an agent sets.
    static let agents = [OutputFormat.variable: "human", OutputFormat.limitVariable: "6000"]

    /// A command line for each command that reads journals; `J` is the journal, `P` a path in it.
    static let commands: [[String]] = [
        ["info", "J"], ["log", "J"], ["log", "J", "-p"], ["log", "J", "--stat"], ["log", "J", "--all"],
        ["log", "J", "--reverse", "-n", "500"], ["marks", "J"], ["show", "J", "1..end"], ["show", "J", "end"],
        ["state", "J"], ["state", "J", "--select", ".[]"], ["state", "J", "-r", "--select", ".cart.text"],
        ["replay", "J"], ["replay", "J", "--without", "3"], ["diff", "J", "0", "end"], ["diff", "J", "K"],
        ["diff", "J", "0", "end", "--name-only"], ["bisect", "J", "--bad", "[.. | numbers] | max > 30"],
        ["derived", "J", "--define", "all=."], ["derived", "J", "--define", "all=.", "--at", "end"],
        ["blame", "J"], ["history", "J", "P"], ["origin", "J", "P"], ["why", "J", "end"],
        ["grep", "J", "e"], ["grep", "J", "-e", "[0-9]"], ["log", "J", "--by-place"],
        ["check", "J", "--invariant", "small=[.. | numbers] | max < 30"], ["learn", "J"],
        ["suspects", "J", "--bad", "[.. | numbers] | max > 30"], ["suspects", "J", "--bad", ".", "--good", "K"],
        ["check", "J", "K", "--invariant", "empty=. == {}"], ["stats", "J"], ["verify", "J"], ["J"],
    ]

    @Test("every command's answer fits, on any journal", arguments: sampled(LargeJournal.allCases))
    func fits(_ large: LargeJournal) throws {
        let journal = ShopJournal(text: large.text)
        let other = ShopJournal()
        let covered = Set(Self.commands.compactMap { CommandName(rawValue: $0[0]) })
        let others: Set<CommandName> = [
            .help, .completions, .query, .mcp, .debug, .dap, .report, .slice, .merge, .redact, .minimize, .import,
            .export,
        ]
        #expect(covered.union(others).union([.cite]) == Set(CommandName.allCases))
        for command in Self.commands {
            let typed = command.map { ["J": journal.path, "K": other.path, "P": large.path][$0] ?? $0 }
            let run = ProgramRun(typed, environment: Self.environment)
            #expect((0...5).contains(run.status), "\(command): \(run.messages.prefix(500))")
            #expect(
                run.output.utf8.count <= AnswerFit.usualLimit, "\(large) \(command): \(run.output.utf8.count) bytes")
            for line in run.output.split(separator: "\n") {
                #expect(DisplayWidth.of(String(line)) <= AnswerFit.columns, "\(large) \(command): \(line.prefix(300))")
            }
            let saysSo = run.output.contains(#/… [0-9,]+ more: /#)
            #expect(saysSo == run.messages.contains("left out to keep the answer within"), "\(large) \(command)")
            if ProcessInfo.processInfo.environment["PRINT_ANSWER_SIZES"] != nil {
                print(large.rawValue, command.joined(separator: " "), run.output.utf8.count)
            }
        }
    }

    @Test(
        "an answer fits with what it rests on, too, which is whole where it is there",
        arguments: sampled(LargeJournal.allCases))
    func cited(_ large: LargeJournal) throws {
        let journal = ShopJournal(text: large.text)
        for command in [["state", "J"], ["log", "J", "--range", "..60"], ["origin", "J", "P"], ["blame", "J"]] {
            let typed = command.map { ["J": journal.path, "P": large.path][$0] ?? $0 } + ["--cite"]
            let run = ProgramRun(typed, environment: Self.environment)
            #expect(
                run.output.utf8.count <= AnswerFit.usualLimit, "\(large) \(command): \(run.output.utf8.count) bytes")
            for line in run.output.split(separator: "\n") where line.hasPrefix(Citation.label) {
                let found = CitationReader.citations(in: String(line))
                #expect(found.map(\.text) == [String(line)], "\(line.prefix(300))")
            }
            #expect(large == .longNames || run.output.contains(Citation.label), "\(large) \(command)")
        }
    }

    @Test("a list that is cut ends in the command that shows the rest, and the two are the whole list")
    func restOfList() throws {
        let journal = ShopJournal(text: LargeJournal.manyCommits.text)
        func numbers(_ text: String) -> [Int] {
            text.split(separator: "\n").compactMap { Int($0.prefix { $0 != " " }) }
        }
        for command in [["log"], ["log", "-p"], ["history"]] {
            let typed =
                [command[0], journal.path] + (command[0] == "history" ? ["/cart/total"] : ["--no-marks"])
                + command.dropFirst()
            let all = numbers(ProgramRun(typed + ["--full"], environment: Self.environment).output)
            #expect(all.count == LargeJournal.many)
            let run = ProgramRun(typed, environment: Self.environment)
            let shown = numbers(run.output)
            let last = try #require(run.output.split(separator: "\n").last)
            let rest = try #require(last.wholeMatch(of: /… ([0-9,]+) more: state-inspect (.*)/), "\(last)")
            #expect(Int(rest.1.filter { $0 != "," }) == LargeJournal.many - shown.count)
            #expect(run.messages.contains("rows left out to keep the answer within 6,000 bytes"))
            let words = rest.2.split(separator: " ").map { $0.filter { $0 != "'" } }
            let following = numbers(ProgramRun(words + ["--full"], environment: Self.environment).output)
            #expect(shown + following == all)
        }
    }

    @Test("the variable is the format of pipes only, a flag beats it, and no other value is taken")
    func format() throws {
        let typed = ["log", journal.path]
        let human = ProgramRun(typed + ["--format", "human"])
        #expect(ProgramRun(typed, environment: Self.environment).output == human.output)
        #expect(ProgramRun(typed + ["--json"], environment: Self.environment).output == ProgramRun(typed).output)
        #expect(ProgramRun(typed, environment: [OutputFormat.variable: "json"]).output == ProgramRun(typed).output)
        #expect(ProgramRun(typed, environment: [OutputFormat.variable: ""]).output == ProgramRun(typed).output)
        let screen = ProgramRun(typed, width: 100)
        #expect(ProgramRun(typed, width: 100, environment: [OutputFormat.variable: "json"]).output == screen.output)
        let wrong = ProgramRun(typed, environment: [OutputFormat.variable: "jsno"])
        #expect(wrong.status == 2 && wrong.output.isEmpty)
        #expect(wrong.messages.contains("'STATE_INSPECT_FORMAT' is 'jsno', should be 'human' or 'json'"))
        #expect(wrong.messages.contains("write 'json'"))
        #expect(ProgramRun(typed + ["--format", "json"], environment: [OutputFormat.variable: "jsno"]).status == 0)
    }

    @Test("what another program reads is the same whatever the variable says")
    func data() throws {
        let journal = ShopJournal { lines in
            lines = lines.map { $0.replacingOccurrences(of: "refund()", with: "##refund()") }
        }
        let texts = ShopJournal(text: "\"##[a]\"\n")
        for command in [
            ["slice", journal.path, "..end"], ["export", "csv", journal.path], ["export", "json-patch", journal.path],
            ["completions", "bash"], ["query", ".", texts.path], ["redact", journal.path, "--path", "/cart/total"],
            ["report", journal.path],
        ] {
            let plain = ProgramRun(command)
            #expect(plain.status == 0 && !plain.output.isEmpty, "\(plain.messages)")
            let run = ProgramRun(command, environment: Self.environment)
            #expect(command[0] == "redact" ? run.status == 0 : run.output == plain.output, "\(command)")
            #expect(!run.output.contains("u0023"), "\(command)")
        }
    }

    @Test("an answer fits into any number of bytes that is asked for", arguments: [500, 2_500])
    func anyLimit(_ limit: Int) throws {
        for large in [LargeJournal.hugeValues, .longNames] {
            let journal = ShopJournal(text: large.text)
            for command in [
                ["info", "J"], ["log", "J", "-p"], ["state", "J"], ["blame", "J"], ["show", "J", "end"],
            ] {
                let typed = command.map { $0 == "J" ? journal.path : $0 } + ["--format", "human"]
                let run = ProgramRun(typed, environment: [OutputFormat.limitVariable: "\(limit)"])
                #expect(run.output.utf8.count <= limit, "\(large) \(command): \(run.output.utf8.count) bytes")
                let saysSo = run.output.contains(#/… [0-9,]+ more: /#)
                #expect(
                    saysSo == run.messages.contains("left out to keep the answer within \(limit.grouped) bytes"),
                    "\(large) \(command): \(run)")
            }
        }
    }

    @Test("the format alone cuts nothing: every row is there, to be counted")
    func formatAlone() throws {
        let journal = ShopJournal(text: LargeJournal.manyCommits.text)
        let typed = ["log", journal.path, "--no-marks"]
        let run = ProgramRun(typed, environment: [OutputFormat.variable: "human"])
        #expect(run.output.split(separator: "\n").count == LargeJournal.many && run.messages.isEmpty)
        #expect(run.output == ProgramRun(typed + ["--format", "human"]).output)
        #expect(
            ProgramRun(["marks", journal.path], environment: [OutputFormat.variable: "human"]).output
                == ProgramRun(["marks", journal.path, "--format", "human"]).output)
        // Nor is what a program reads cut by the limit.
        let json = ProgramRun(typed, environment: [OutputFormat.limitVariable: "500"])
        #expect(json.output == ProgramRun(typed).output && json.messages.isEmpty)
    }

    @Test(
        "a limit that is no number of bytes is refused where it would count", arguments: ["x", "-1", "0", "499", "6k"])
    func wrongLimit(_ limit: String) throws {
        let environment = [OutputFormat.limitVariable: limit]
        let run = ProgramRun(["log", journal.path, "--format", "human"], environment: environment)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(
            run.messages.contains("'STATE_INSPECT_LIMIT' is '\(limit)', should be a number of bytes from 500"), "\(run)"
        )
        #expect(ProgramRun(["log", journal.path], environment: environment).status == 0)
        #expect(ProgramRun(["log", journal.path, "--format", "human", "--full"], environment: environment).status == 0)
        #expect(ProgramRun(["log", journal.path], width: 80, environment: environment).status == 0)
    }

    @Test("an empty answer says what it looked through")
    func empty() throws {
        let journal = ShopJournal { $0.removeAll { $0.contains(#""kind":"mark""#) } }
        func output(_ typed: String...) -> String {
            ProgramRun(typed.map { $0 == "J" ? journal.path : $0 }, environment: Self.environment).output
        }
        #expect(output("marks", "J") == "nothing in 6 commits\n")
        #expect(output("log", "J", "--range", "2..5", "--store", "session") == "nothing in 3 commits\n")
        #expect(output("state", "J", "3", "--select", "empty") == "nothing at commit 3\n")
        #expect(ProgramRun(["marks", journal.path, "--format", "human"]).output.isEmpty)
    }

    @Test("a value that is cut has its size, and the commands at the end of a story are kept")
    func values() throws {
        let journal = ShopJournal(text: LargeJournal.hugeValues.text)
        let shown = ProgramRun(["show", journal.path, "1"], environment: Self.environment)
        #expect(shown.output.contains("(60.0 kB)"), "\(shown)")
        let found = ProgramRun(["origin", journal.path, "/cart/text"], environment: Self.environment)
        #expect(found.output.contains("look further:"), "\(found)")
    }
}
