/// `help [COMMAND]`: the long help.
struct HelpCommand: Command {
    private let command: CommandName?

    init(_ typed: TypedArguments) throws {
        guard let word = typed.operands.first else {
            command = nil
            return
        }
        guard let name = CommandName(rawValue: word) else { throw UsageError.unknownCommand(word) }
        command = name
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        try context.output.write(HelpText(.long).text(of: command))
        return .done
    }
}
