import Synchronization

/// What a command is for and what it takes, said once for the parser, both helps, the completions and the man page check.
package struct CommandDefinition: Sendable {
    package let name: CommandName
    /// One line for lists of commands; lower case, no full stop.
    package let summary: String
    /// The ways to call it, each without `state-inspect` and the command's name.
    package let synopsis: [String]
    package let operands: [Operand]
    /// The options that it takes besides those of every command; `OptionTable` declares them.
    package var options: [Option] = []
    /// What `--help` says above the options: paragraphs.
    package let details: [String]
    package let examples: [Example]
    /// Whether it answers: it writes neither a journal nor another file, and is not a session.
    package var isAnswer = true
    /// The manual lists them in this order.
    package var answers: [AnswerDefinition] = []

    package init(
        name: CommandName, summary: String, synopsis: [String], operands: [Operand], options: [Option] = [],
        details: [String], examples: [Example], isAnswer: Bool = true, answers: [AnswerDefinition] = [],
        verbs: [Verb] = []
    ) {
        (self.name, self.summary, self.synopsis, self.operands) = (name, summary, synopsis, operands)
        (self.options, self.details, self.examples) = (options, details, examples)
        (self.isAnswer, self.answers, self.verbs) = (isAnswer, answers, verbs)
    }

    package var verbs: [Verb] = []

    package struct Verb: Sendable {
        let names: [String]
        let synopsis: String
        let summary: String
        let details: String

        package init(names: [String], synopsis: String, summary: String, details: String) {
            (self.names, self.synopsis, self.summary, self.details) = (names, synopsis, summary, details)
        }
    }

    package struct Example: Sendable {
        let line: String
        let purpose: String

        package init(line: String, purpose: String) { (self.line, self.purpose) = (line, purpose) }
    }

    package struct Operand: Sendable {
        let name: String
        let isRequired: Bool
        package let completion: CompletionKind
        /// Only of the last operand.
        package var isRepeated = false

        package init(name: String, isRequired: Bool, completion: CompletionKind, isRepeated: Bool = false) {
            (self.name, self.isRequired) = (name, isRequired)
            (self.completion, self.isRepeated) = (completion, isRepeated)
        }

        var isJournal: Bool { name == "JOURNAL" || name == "BAD" }

        package static func required(_ name: String, _ completion: CompletionKind = .none) -> Operand {
            Operand(name: name, isRequired: true, completion: completion)
        }

        package static func repeated(_ name: String, _ completion: CompletionKind = .none) -> Operand {
            Operand(name: name, isRequired: true, completion: completion, isRepeated: true)
        }

        package static func anyNumber(_ name: String, _ completion: CompletionKind = .none) -> Operand {
            Operand(name: name, isRequired: false, completion: completion, isRepeated: true)
        }

        package static func optional(_ name: String, _ completion: CompletionKind = .none) -> Operand {
            Operand(name: name, isRequired: false, completion: completion)
        }
    }
}

/// What a shell offers where a value is typed.
package enum CompletionKind: Sendable, Equatable {
    case none
    case file
    case command
    case choices([String])
    /// What the journal on the command line has: the name of a store, a position, a path.
    case store, position, path
}

/// The commands are declared in modules above this one, which set them once, before a command line is read.
package enum CommandTable {
    private static let declared = Mutex<[CommandName: any Command.Type]>([:])

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

    package static func definition(of name: CommandName) -> CommandDefinition { type(of: name).definition }

    static func isAnswer(of name: CommandName?) -> Bool { name.map { definition(of: $0).isAnswer } ?? false }

    package static let all: [CommandDefinition] = CommandName.allCases.map(definition)
    /// The manual lists them in this order.
    static let answers: [AnswerDefinition] = all.flatMap(\.answers)

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

/// The word that is typed; the order is that of the helps and the manual.
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
