/// One option, declared once, as a static member.
///
/// The commands that take it list it; the parser, both helps, the completions and the man page check read it there. A name that
/// means different things to different commands is declared once for each.
package struct Option: Sendable {
    package let name: String
    package let short: Character?
    /// The value that it takes; nil for a switch.
    package private(set) var argument: Argument?
    /// The second value, of an option that takes two.
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
        self.name = name
        self.short = short
        self.argument = argument.map { Argument(name: $0, completion: completion) }
        self.second = second
        self.isRepeatable = isRepeatable
        self.takesRest = takesRest
        self.takesSeveral = takesSeveral
        self.summary = summary
        self.details = details
    }

    /// The name as it is typed and as messages quote it.
    package var typed: String { "--" + name }

    /// Whether every command takes it.
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

/// Two options are equal where their names are: what a name means, a command knows.
extension Option: Hashable {
    package static func == (left: Option, right: Option) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
