import CommandLine

struct HelpCommand: Command {
    static let definition = CommandDefinition(
        name: .help, summary: "what a command does and takes", synopsis: ["[COMMAND|WORD]"],
        operands: [.optional("COMMAND|WORD", .command)],
        details: [
            """
            Prints the long help of a command, or of the whole program. Of another word it lists the commands, options, answers \
            and topics that have it: 'positions', 'paths', 'operands' and 'status' are topics.
            """
        ],
        examples: [
            .init(line: "state-inspect help bisect", purpose: "all about bisect"),
            .init(line: "state-inspect help csv", purpose: "what there is about tables"),
        ],
        isAnswer: false)

    private let text: String

    init(_ typed: TypedArguments) throws {
        let help = HelpText(.long)
        guard let word = typed.operands.first, !word.isEmpty else {
            text = help.text(of: nil)
            return
        }
        if let name = CommandName(rawValue: word) {
            text = help.text(of: name)
        } else if let found = help.text(about: word) {
            text = found
        } else {
            throw UsageError.unknownCommand(word)
        }
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        try context.output.write(text)
        return .done
    }
}
