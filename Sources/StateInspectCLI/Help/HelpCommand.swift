/// `help [COMMAND]`: the long help.
struct HelpCommand: Command {
    static let definition = CommandDefinition(
        name: .help, summary: "what a command does and takes", synopsis: ["[COMMAND]"],
        operands: [.optional("COMMAND", .command)],
        details: ["Prints the long help of a command, or of the whole program."],
        examples: [.init(line: "state-inspect help bisect", purpose: "all about bisect")])

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
