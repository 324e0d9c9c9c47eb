/// One option, declared once, as a static member.
///
/// The commands that take it list it; the parser, both helps, the completions and the man page check read it there. A name that
/// means different things to different commands is declared once for each.
struct Option: Sendable {
    /// The long name, as it is typed after `--`.
    let name: String

    /// The letter that stands for it after a single `-`.
    let short: Character?

    /// The value that it takes; nil for a switch.
    private(set) var argument: Argument?

    /// The second value, of an option that takes two.
    let second: Argument?

    /// Whether several add up; otherwise a second one is an error.
    let isRepeatable: Bool

    /// Whether every argument after it belongs to it.
    let takesRest: Bool

    /// Whether every argument up to the next option is a value of it, as a shell's pattern gives several.
    let takesSeveral: Bool

    /// One line for `-h` and the completions; lower case, no full stop.
    let summary: String

    /// What `--help` adds to the summary; may be empty.
    let details: String

    /// The value of an option.
    struct Argument: Sendable {
        let name: String
        let completion: CompletionKind
    }

    init(
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
    var typed: String { "--" + name }

    /// Whether every command takes it.
    var isCommon: Bool { OptionTable.common.contains(self) }

    /// The option with a choice of values.
    func offering(_ choices: [String]) -> Option {
        var option = self
        option.argument = argument.map { Argument(name: $0.name, completion: .choices(choices)) }
        return option
    }

    /// The option with its value, as a help shows it: `--range A..B`.
    var synopsis: String {
        ([typed] + [argument, second].compactMap { $0?.name }).joined(separator: " ")
    }
}

/// Two options are equal where their names are: what a name means, a command knows.
extension Option: Hashable {
    static func == (left: Option, right: Option) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
