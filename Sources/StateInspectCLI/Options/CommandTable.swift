/// Every command of the tool, in the order in which a help lists them.
enum CommandTable {
    /// The declarations, one for each `CommandName`.
    static let all: [CommandDefinition] = CommandName.allCases.map { $0.type.definition }

    /// The declaration of a command.
    static func definition(of name: CommandName) -> CommandDefinition { name.type.definition }
}

extension [OptionName] {
    /// What a command that takes queries takes for them.
    static let queryValues: [OptionName] = [.arg, .argjson, .definitions]

    /// How 'query' reads, and what else its query may name.
    static let queryInput: [OptionName] = [
        .slurpfile, .rawfile, .args, .jsonargs, .fromFile, .nullInput, .rawInput, .slurp, .stream, .footprint,
    ]

    /// How 'query' prints.
    static let queryOutput: [OptionName] = [
        .compactOutput, .tab, .indent, .sortKeys, .asciiOutput, .joinOutput, .rawOutput0, .seq,
    ]

    /// The options that choose commits.
    static let filters: [OptionName] =
        [.range, .store, .path, .source, .function, .name, .action, .where] + queryValues
}
