/// `completions SHELL`: a script that teaches a shell the commands and options.
struct CompletionsCommand: Command {
    private let shell: Shell

    init(_ typed: TypedArguments) throws {
        let word = typed.operands.first ?? ""
        guard let shell = Shell(rawValue: word) else {
            let known = Shell.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw UsageError.operand("SHELL", word, expected: known)
        }
        self.shell = shell
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        try context.output.write(shell.completionScript)
        return .done
    }
}
