/// Every command of the tool, in the order in which a help lists them.
enum CommandTable {
    /// The declarations, one for each `CommandName`.
    static let all: [CommandDefinition] = CommandName.allCases.map { $0.type.definition }

    /// The declaration of a command.
    static func definition(of name: CommandName) -> CommandDefinition { name.type.definition }
}

extension [OptionName] {
    /// The options that choose commits.
    static let filters: [OptionName] = [.range, .store, .path, .source, .function, .name, .action, .where]
}
