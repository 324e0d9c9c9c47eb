/// What a command is for and what it takes, said once for the parser, both helps, the completions and the man page check.
struct CommandDefinition: Sendable {
    /// The word that is typed.
    let name: CommandName

    /// One line for lists of commands; lower case, no full stop.
    let summary: String

    /// The ways to call it, each without `state-inspect` and the command's name.
    let synopsis: [String]

    /// What it takes besides options, in order.
    let operands: [Operand]

    /// The options that it takes besides those of every command; `OptionTable` declares them.
    var options: [Option] = []

    /// What `--help` says above the options: paragraphs.
    let details: [String]

    /// Command lines to start from, each with what it does.
    let examples: [Example]

    /// The kinds of answers that it writes as JSON, in the order of the manual.
    var answers: [AnswerDefinition] = []

    /// What is typed inside of it, for a session.
    var verbs: [Verb] = []

    /// A word that a session takes, as helps show it.
    struct Verb: Sendable {
        /// The word and what else is typed for it.
        let names: [String]
        let synopsis: String
        let summary: String
        let details: String
    }

    /// A line that is typed, and what it is for.
    struct Example: Sendable {
        let line: String
        let purpose: String
    }

    /// One argument that is not an option.
    struct Operand: Sendable {
        let name: String
        let isRequired: Bool
        let completion: CompletionKind
        /// Whether any number more may follow; only of the last one.
        var isRepeated = false

        /// Whether a journal is named here.
        var isJournal: Bool { name == "JOURNAL" || name == "BAD" }

        static func required(_ name: String, _ completion: CompletionKind = .none) -> Operand {
            Operand(name: name, isRequired: true, completion: completion)
        }

        /// One and any number more.
        static func repeated(_ name: String, _ completion: CompletionKind = .none) -> Operand {
            Operand(name: name, isRequired: true, completion: completion, isRepeated: true)
        }

        /// Any number, none too.
        static func anyNumber(_ name: String, _ completion: CompletionKind = .none) -> Operand {
            Operand(name: name, isRequired: false, completion: completion, isRepeated: true)
        }

        static func optional(_ name: String, _ completion: CompletionKind = .none) -> Operand {
            Operand(name: name, isRequired: false, completion: completion)
        }
    }
}

/// What a shell offers where a value is typed.
enum CompletionKind: Sendable, Equatable {
    case none
    case file
    case command
    case choices([String])
    /// What the journal on the command line has: the name of a store, a position, a path.
    case store, position, path
}
