import Synchronization

/// Every command of the tool, in the order in which a help lists them.
///
/// The commands are declared in modules above this one, which hand them over once, before a command line is read.
package enum CommandTable {
    private static let declared = Mutex<[CommandName: any Command.Type]>([:])

    /// Takes the commands of the tool.
    ///
    /// - Precondition: there is one for each `CommandName`.
    static func declare(_ commands: [any Command.Type]) {
        let table = Dictionary(uniqueKeysWithValues: commands.map { ($0.definition.name, $0) })
        precondition(table.count == CommandName.allCases.count, "each 'CommandName' needs a command")
        declared.withLock { $0 = table }
    }

    static func type(of name: CommandName) -> any Command.Type {
        guard let type = declared.withLock({ $0[name] }) else {
            preconditionFailure("'CommandTable.declare' comes before the first command line")
        }
        return type
    }

    /// The declaration of a command.
    package static func definition(of name: CommandName) -> CommandDefinition { type(of: name).definition }

    /// Whether there is a command that answers.
    static func isAnswer(of name: CommandName?) -> Bool { name.map { definition(of: $0).isAnswer } ?? false }

    /// The declarations, one for each `CommandName`.
    package static let all: [CommandDefinition] = CommandName.allCases.map(definition)
    /// Every kind of answer, in the order in which the manual lists them: that of the commands.
    static let answers: [AnswerDefinition] = all.flatMap(\.answers)

    /// The commands by what one wants, as the short help lists them.
    static let groups: [(title: String, commands: [CommandName])] = [
        ("find", [.bisect, .check, .suspects, .learn]),
        (
            "look",
            [
                .info, .log, .marks, .show, .state, .history, .blame, .origin, .why, .grep, .derived, .stats,
            ]
        ),
        ("compare and walk", [.diff, .replay, .debug, .dap, .report]),
        ("cut and share", [.slice, .merge, .redact, .minimize, .verify]), ("convert", [.import, .export, .query]),
        ("connect", [.mcp, .cite, .completions, .help]),
    ]
}

/// A command of the tool, by the word that is typed; the order is that of the helps and the manual.
package enum CommandName: String, CaseIterable, Sendable {
    case info, log, marks, show, state, replay, diff, bisect, derived, blame, history, origin, why, grep, check
    case learn, suspects, cite
    case stats, verify
    case debug, dap, report
    case slice, merge, redact, minimize
    case `import`, export
    case query, mcp, completions, help
}

extension [Option] {
    package static let queryValues: [Option] = [.arg, .argjson, .definitions]

    package static let queryInput: [Option] = [
        .slurpfile, .rawfile, .args, .jsonargs, .fromFile, .nullInput, .rawInput, .slurp, .stream, .nan,
        .footprint,
    ]

    package static let queryOutput: [Option] = [
        .compactOutput, .colorOutput, .monochromeOutput, .tab, .indent, .sortKeys, .asciiOutput, .joinOutput,
        .rawOutput0, .seq,
    ]

    package static let filters: [Option] =
        [.range, .store, .path, .source, .function, .name, .action, .trace, .where]
}
