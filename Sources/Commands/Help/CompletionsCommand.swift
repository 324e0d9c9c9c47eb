import CommandLine

/// `completions SHELL`: a script that teaches a shell the commands and options.
struct CompletionsCommand: Command {
    static let definition = CommandDefinition(
        name: .completions, summary: "a completion script for a shell", synopsis: ["SHELL"],
        operands: [.required("SHELL", .choices(Shell.allCases.map(\.rawValue)))],
        details: ["Prints a script that teaches bash, zsh or fish the commands and options."],
        examples: [
            .init(
                line: "state-inspect completions fish",
                purpose: "the script, for ~/.config/fish/completions/state-inspect.fish")
        ])

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
        context.output.protection = .none
        try context.output.write(shell.completionScript)
        return .done
    }
}

/// A shell that completions can be made for.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The completion script of this shell, made from the tables.
    var completionScript: String {
        switch self {
        case .bash: BashCompletions.script
        case .zsh: ZshCompletions.script
        case .fish: FishCompletions.script
        }
    }
}
