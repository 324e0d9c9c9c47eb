/// Declared once, as a static member, for the parser, both helps, the completions and the man page check.
///
/// A name that means different things to different commands is declared once for each.
package struct Option: Sendable {
    package let name: String
    package let short: Character?
    /// Nil for a switch.
    package private(set) var argument: Argument?
    package let second: Argument?
    /// Whether several add up; otherwise a second one is an error.
    package let isRepeatable: Bool
    /// Whether every argument after it belongs to it.
    let takesRest: Bool
    /// Whether every argument up to the next option is a value of it, as a shell's pattern gives several.
    package let takesSeveral: Bool
    /// One line for `-h` and the completions; lower case, no full stop.
    package let summary: String
    /// What `--help` adds to the summary; may be empty.
    package let details: String

    package struct Argument: Sendable {
        package let name: String
        package let completion: CompletionKind
    }

    package init(
        _ name: String, short: Character? = nil, argument: String? = nil, completion: CompletionKind = .none,
        second: Argument? = nil, isRepeatable: Bool = false, takesRest: Bool = false, takesSeveral: Bool = false,
        _ summary: String,
        details: String = ""
    ) {
        (self.name, self.short) = (name, short)
        self.argument = argument.map { Argument(name: $0, completion: completion) }
        (self.second, self.isRepeatable, self.takesRest) = (second, isRepeatable, takesRest)
        (self.takesSeveral, self.summary, self.details) = (takesSeveral, summary, details)
    }

    package var typed: String { "--" + name }

    var isCommon: Bool { OptionTable.common.contains(self) }

    func offering(_ choices: [String]) -> Option {
        var option = self
        option.argument = argument.map { Argument(name: $0.name, completion: .choices(choices)) }
        return option
    }

    /// The option with its value, as a help shows it: `--range A..B`.
    package var synopsis: String {
        ([typed] + [argument, second].compactMap { $0?.name }).joined(separator: " ")
    }
}

/// Equal by name: what a name means, a command knows.
extension Option: Hashable {
    package static func == (left: Option, right: Option) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

package enum OptionTable {
    package static let common: [Option] = [.format, .json, .full, .messages, .color, .noPager, .help, .version]

    /// The help lists them in this order; without a command, those that every one takes.
    package static func options(of command: CommandName?) -> [Option] {
        let own = command.map { CommandTable.definition(of: $0).options } ?? []
        return own + [.format.offering(ReportFormat.formats(of: command).map(\.rawValue))] + common.dropFirst()
    }

    /// Every option with the commands that take it; one that means different things, once for each.
    package static let all: [(option: Option, commands: Set<CommandName>)] = {
        var all: [(option: Option, commands: Set<CommandName>)] = []
        for command in CommandTable.all {
            for option in command.options {
                if let index = all.firstIndex(where: { $0.option == option && $0.option.summary == option.summary }) {
                    all[index].commands.insert(command.name)
                } else {
                    all.append((option, [command.name]))
                }
            }
        }
        return all + common.map { ($0, Set(CommandName.allCases)) }
    }()

    package static func commands(of name: String) -> Set<CommandName> {
        all.reduce(into: []) { if $1.option.name == name { $0.formUnion($1.commands) } }
    }
}

extension Option {
    package static let format = Option(
        "format", argument: "FORMAT", completion: .choices(ReportFormat.formats(of: nil).map(\.rawValue)),
        "'human' on a terminal and 'json' otherwise, unless given",
        details: """
            STATE_INSPECT_FORMAT is the format where standard output is not a terminal. \
            'json' is one object a line, each with a member 'kind'; the command 'state' prints the bare value. 'check' also has \
            'github', 'sarif', 'junit' and 'markdown', 'bisect' and 'suspects' all of these but 'junit'. 'github' writes annotations to \
            standard error, beside what a person reads, or beside JSON with '--json'; 'markdown' is for a job's summary. 'why' has \
            'markdown' and 'mermaid', a diagram.
            """)
    package static let json = Option("json", "short for '--format json'")
    static let full = Option(
        "full", "all of an answer that STATE_INSPECT_LIMIT makes short",
        details: """
            That variable has the bytes that an answer for people may have where standard output is not a terminal.
            """)
    package static let messages = Option(
        "messages", argument: "FORMAT", completion: .choices(MessageFormat.allCases.map(\.rawValue)),
        "'text', or 'json' for one line each on standard error")
    static let color = Option(
        "color", argument: "WHEN", completion: .choices(ColorChoice.allCases.map(\.rawValue)),
        "'auto', 'always' or 'never'",
        details: "It beats NO_COLOR, which beats TERM=dumb, which beats whether standard output is a terminal.")
    static let noPager = Option("no-pager", "do not run a pager on a terminal")
    package static let help = Option("help", short: "h", "a short help; '--help' is a long one")
    package static let version = Option("version", "the version of this program")
}
