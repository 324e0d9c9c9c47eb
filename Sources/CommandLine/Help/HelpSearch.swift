import Interchange
import JSONCore

struct HelpSearch {
    private let word: String

    init(_ word: String) { self.word = word.lowercased() }

    var sections: [(title: String, rows: [(String, String)])] {
        [
            ("commands:", commands), ("formats:", formats), ("options:", options), ("answers in JSON:", answers),
            (
                "commands of the debugger:",
                CommandTable.all.flatMap(\.verbs).filter { has($0.synopsis, $0.summary, $0.details) }
                    .map { ($0.synopsis, $0.summary) }
            ),
        ].filter { !$0.rows.isEmpty }
    }

    var topics: [HelpTopic] {
        HelpTopic.all.filter { topic in
            topic.names.contains { UTF8Order.begins($0, with: word) } || topic.lines.contains { has($0) }
        }
    }

    private func has(_ texts: String...) -> Bool { texts.contains { $0.lowercased().contains(word) } }

    private var commands: [(String, String)] {
        CommandTable.all.filter { command in
            has(command.name.rawValue, command.summary) || command.synopsis.contains { has($0) }
                || command.details.contains { has($0) } || command.examples.contains { has($0.purpose) }
        }.map { ($0.name.rawValue, $0.summary) }
    }

    private var formats: [(String, String)] {
        ImportFormat.allCases.filter { has($0.rawValue, $0.form) }.map { ("import \($0.rawValue)", $0.form) }
            + ExportFormat.allCases.filter { has($0.rawValue) }.map {
                ("export \($0.rawValue)", "see 'state-inspect help export'")
            }
            + ReportFormat.allCases.filter { has($0.rawValue) }.map {
                ("--format \($0.rawValue)", Option.format.summary)
            }
    }

    private var options: [(String, String)] {
        OptionTable.all.filter { has($0.option.name, $0.option.summary, $0.option.details) }.map { option, commands in
            let first = CommandName.allCases.first(where: commands.contains)?.rawValue ?? ""
            let name = option.isCommon ? "" : first + (commands.count > 1 ? " ... " : " ")
            return (name + option.synopsis, option.summary)
        }
    }

    /// A name that more kinds of answers have says nothing of one of them.
    private static let kindLimit = 3

    /// The kind of that name with its members, the kinds below it, and the members of that name.
    private var answers: [(String, String)] {
        var rows: [(String, String)] = []
        var named: [(String, String)] = []
        for answer in CommandTable.answers {
            let kind = answer.kind.lowercased()
            if kind == word || UTF8Order.begins(kind, with: word + ".") { rows.append((answer.kind, answer.summary)) }
            let members = answer.members.map { member in
                (member.name, member.meaning + (member.mayBeMissing ? " (optional)" : ""))
            }
            if kind == word { rows += members.map { ("  " + $0, $1) } }
            named += members.filter { $0.0.lowercased() == word }.map { ("\(answer.kind) \($0)", $1) }
        }
        return rows + (named.count > Self.kindLimit ? [] : named)
    }
}

struct HelpTopic: Sendable {
    let names: [String]
    let lines: [String]

    static let all = [positions, paths, operands, status]
    static let manual = [positions, status]

    private static let positions = HelpTopic(
        names: ["positions", "ranges", "pos", "times", "time"],
        lines: [
            "positions:",
            "  12            the state after commit 12",
            "  start, end    before the first commit, after the last",
            "  end-3         three commits before the end",
            "  TIME          after the last commit or gap not after it: '12:00:03', '2026-11-21T12:00:03Z'",
            "  mark:TEXT     at the first mark that contains TEXT; 'mark:TEXT#2' is the second",
            "  A..B          the commits after A up to B; either side may be left out",
        ])

    private static let paths = HelpTopic(
        names: ["paths", "pointers", "queries"],
        lines: [
            "paths and queries:",
            "  /cart/total   a place in the state, in a query too: '/cart/total < 0'",
            "  cart.total    the same, where 'cart' names no function of the language",
            "  .cart.total   the same, as jq writes it",
            "  total < 0     in a query, where one store has a member 'total'",
            "  /items/*/id   '*' is every member or element, '**' in a path any number of steps",
            "  state-query(7) has the language, which is jq's",
        ])

    private static let operands = HelpTopic(
        names: ["operands", "arguments", "journals"],
        lines: [
            "operands, in any order:",
            "  a file that is there is a journal, '-' is standard input;",
            "  what reads as a position is one; anything else is a path or a query",
        ])

    private static let status = HelpTopic(
        names: ["status", "exit"],
        lines: ["exit status:"] + ExitStatus.allCases.map { "  \($0.rawValue)  \($0.meaning)" })
}
