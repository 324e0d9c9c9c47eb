/// Every option of the tool, each declared once; an option that means another thing to another command, once for each.
///
/// Which commands take an option is said by their own definitions; the order here is that of the helps and the manual.
enum OptionTable {
    /// The options in the order in which a help lists them.
    static let all: [OptionDefinition] = {
        // One look at each table: every run of the program waits for this.
        var takers: [OptionName: Set<CommandName>] = [:]
        for command in CommandTable.all {
            for name in command.options { takers[name, default: []].insert(command.name) }
        }
        for option in common { takers[option.name] = Set(CommandName.allCases) }
        var meant: [OptionName: Set<CommandName>] = [:]
        for option in declared { meant[option.name, default: []].formUnion(option.meantBy ?? []) }
        return declared.map { option in
            var option = option
            option.commands = option.meantBy ?? (takers[option.name] ?? []).subtracting(meant[option.name] ?? [])
            return option
        }
    }()

    /// The declarations of an option, no two for one command.
    static func definitions(of name: OptionName) -> [OptionDefinition] {
        guard let definitions = byName[name] else { preconditionFailure("'\(name.typed)' is not in the table") }
        return definitions
    }

    /// The commands that know an option.
    static func commands(of name: OptionName) -> Set<CommandName> {
        definitions(of: name).reduce(into: []) { $0.formUnion($1.commands) }
    }

    /// The options that a command takes, in the order of the table; without a command, those that every one takes.
    static func options(of command: CommandName?) -> [OptionDefinition] {
        guard let command else { return ofEveryCommand }
        return byCommand[command] ?? []
    }

    private static let declared =
        questions + searches + derivedValues + invariants + filters + sessions + answers + journals + imports
        + queryValues + queryInput
        + queryOutput + common

    private static let byName = Dictionary(grouping: all, by: \.name)

    private static let byCommand: [CommandName: [OptionDefinition]] = Dictionary(
        uniqueKeysWithValues: CommandName.allCases.map { command in
            (command, all.filter { $0.commands.contains(command) })
        })

    private static let ofEveryCommand = all.filter(\.isCommon)

    /// What every command takes.
    private static let common: [OptionDefinition] = [
        OptionDefinition(
            .format, argument: "FORMAT", completion: .choices(ReportFormat.allCases.map(\.rawValue)),
            "'human' on a terminal and 'json' otherwise, unless given",
            details: """
                'json' is one object a line, each with a member 'kind'; 'state' prints the bare value. 'check' also has \
                'github', 'sarif', 'junit' and 'markdown', 'bisect' all of these but 'junit'. 'github' writes annotations to \
                standard error, beside what a person reads, or beside JSON with '--json'; 'markdown' is for a job's summary.
                """),
        OptionDefinition(.json, "short for '--format json'"),
        OptionDefinition(
            .messages, argument: "FORMAT", completion: .choices(MessageFormat.allCases.map(\.rawValue)),
            "'text', or 'json' for one line each on standard error"),
        OptionDefinition(
            .color, argument: "WHEN", completion: .choices(ColorChoice.allCases.map(\.rawValue)),
            "'auto', 'always' or 'never'",
            details: "It beats NO_COLOR, which beats TERM=dumb, which beats whether standard output is a terminal."),
        OptionDefinition(.noPager, "do not run a pager on a terminal"),
        OptionDefinition(.help, short: "h", "a short help; '--help' is a long one"),
        OptionDefinition(.version, "the version of this program"),
    ]
}
