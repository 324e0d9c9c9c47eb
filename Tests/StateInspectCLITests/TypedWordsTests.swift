import Diagnostics
import Foundation
import Interchange
import Testing

@testable import StateInspectCLI

@Suite("Words that people know from other programs")
struct TypedWordsTests {
    /// What is typed, and what works or what the answer says to type; `J` is a journal.
    private static let lines: [(String, String)] = [
        // git's
        ("log J", ""), ("log -p J", ""), ("log --stat J", ""), ("log -n 2 J", ""), ("log -2 J", ""), ("show J 3", ""),
        ("diff J 1 3", ""), ("diff J start end", ""), ("diff --stat J 1 3", ""), ("diff --name-only J 1 3", ""),
        ("blame J", ""), ("blame J /cart/total", ""), ("help log", ""), ("--version", ""), ("--help", ""),
        ("log --oneline J", "leave it out"), ("log --since 12:00 J", "--range TIME.."),
        ("log --until 12:00 J", "--range ..TIME"),
        ("log --author a J", "--function NAME"), ("log -S x J", "'grep JOURNAL TEXT'"),
        ("log --graph J", "'why JOURNAL POS'"),
        ("blame -L 1,2 J", "'blame JOURNAL /cart/items'"), ("diff --name-status J 1 3", "--name-only"),
        ("compare J J", "write 'diff'"), ("annotate J", "write 'blame'"), ("whatchanged J", "write 'log -p'"),
        ("reflog J", "write 'log'"), ("shortlog J", "write 'log'"), ("checkout J 3", "write 'state --at POS'"),
        ("status J", "write 'info'"), ("tag J", "write 'marks'"), ("fsck J", "write 'verify'"),
        ("revert J 3", "--without LIST"),
        ("bisct J", "write 'bisect'"), ("-V", "write '--version'"), ("-v", "write '--version'"),
        ("version", "write '--version'"),
        // a shell's
        ("tail J", "write 'log -n 10 --reverse'"), ("head J", "write 'log -n 10'"), ("cat J", "write 'state'"),
        ("open J", "write 'debug'"), ("ls J", "write 'log'"), ("search J x", "write '"), ("find J x", "write '"),
        // a guess's
        ("history J /cart/total --to 12", "'.cart.total == 12'"),
        ("history J /cart/total --value 12", "'.cart.total == 12'"),
        ("log J --value 12", "'.cart.total == 12'"), ("derived J --wasted", "'--summary'"),
        ("stats J derived", "'derived JOURNAL --summary'"), ("export J --perfetto", "'export chrome-trace JOURNAL'"),
        // jq's
        ("query -c . J", ""), ("query -s length J", ""), ("query -r .kind J", ""), ("query -n 1", ""),
        ("query --argfile a b . J", "--slurpfile"), ("query -0 . J", "--raw-output0"), ("jq . J", "write 'query'"),
        ("query -1|round", "-- '-1|round'"), ("query -(.a) J", "-- '-(.a)'"), ("query -- -1 J", ""),
        // another language's paths
        ("bisect J --bad cart.total<0", "write '.cart.total'"), ("bisect J --bad cart|.total<0", "write '.cart'"),
        ("log J --where not|cart", "write '.cart'"), ("bisect J --store cart --bad total<0", "write '.total'"),
        ("check J --invariant a=cart.total>=0", "write '.cart.total'"),
        ("state J --select cart.total", "write '.cart.total'"),
        ("export csv J --select cart|.total", "write '.cart'"), ("query cart.total J", "write '.cart.total'"),
        ("bisect none.jsonl --bad cart.total<0", "write '.cart.total'"),
        // a debugger's
        ("gdb J", "write 'debug'"), ("rr J", "write 'debug'"), ("step J", "write 'debug'"),
    ]

    @Test("each works, or the answer says what to type", arguments: lines)
    func words(line: String, answer: String) throws {
        let journal = try ShopJournal()
        defer { journal.delete() }
        let run = ProgramRun(line.split(separator: " ").map { $0 == "J" ? journal.path : String($0) })
        if answer.isEmpty {
            #expect([0, 1].contains(run.status) && run.messages.isEmpty, "\(run)")
        } else {
            #expect(run.status == 2 && run.messages.contains(answer) && run.output.isEmpty, "\(run)")
        }
    }

    @Test("every word that is answered with a command names one that there is, with options that it has")
    func commands() throws {
        for (line, answer) in Self.lines where !answer.isEmpty {
            guard let word = line.split(separator: " ").first.map(String.init), CommandName(rawValue: word) == nil,
                let command = CommandWords.command(for: word)
            else { continue }
            let words = command.split(separator: " ").map { $0 == "QUERY" ? "." : $0 == "POS" ? "1" : String($0) }
            var parser = ArgumentParser(words)
            #expect(parser.problem() == nil, "\(command)")
        }
    }

    @Test("the journal comes first, and what is suggested instead runs")
    func order() throws {
        let journal = try ShopJournal()
        defer { journal.delete() }
        for line in [
            "show 3 J", "diff 1 3 J", "blame /cart/total J", "history /cart/total J", "why 3 J", "state 3 J",
            "slice 1..2 J",
            "export J csv", "history --store cart /total J",
        ] {
            let run = ProgramRun(line.split(separator: " ").map { $0 == "J" ? journal.path : String($0) })
            #expect(run.status == 2 && run.output.isEmpty && run.messages.contains("the journal comes"), "\(run)")
            let help = try #require(run.messages.split(separator: "\n").first { $0.hasPrefix("help: write '") })
            let typed = help.dropFirst("help: write '".count).dropLast()
            let again = ProgramRun(typed.split(separator: " ").dropFirst().map(String.init))
            #expect([0, 1].contains(again.status) && !again.output.isEmpty, "\(run)\n\(again)")
        }
        for (line, help) in [
            ("log 3 J", "'state-inspect show JOURNAL 3'"), ("log J 3", "'state-inspect show JOURNAL 3'"),
            ("report J out.html", "write '-o out.html'"), ("slice J 1..2 out.jsonl", "write '-o out.jsonl'"),
            ("replay J .cart.total", "write '--select .cart.total'"),
            ("log J .cart.total", "write '--path .cart.total'"),
            ("minimize J", "it keeps the commits"), ("redact J --check x -o f", "'--check' alone"),
        ] {
            let run = ProgramRun(line.split(separator: " ").map { $0 == "J" ? journal.path : String($0) })
            #expect(run.status == 2 && run.output.isEmpty && run.messages.contains(help), "\(run)")
        }
    }

    @Test("a format is taken by the names of the tools that read and write it, and a slip of one is answered")
    func formats() throws {
        let journal = try ShopJournal()
        defer { journal.delete() }
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
}
