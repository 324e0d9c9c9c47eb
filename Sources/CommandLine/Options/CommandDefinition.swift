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
    /// The kinds of answers that it writes as JSON, in the order of the manual.
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

    /// A word that a session takes, as helps show it.
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

    /// One argument that is not an option.
    package struct Operand: Sendable {
        let name: String
        let isRequired: Bool
        package let completion: CompletionKind
        /// Whether any number more may follow; only of the last one.
        package var isRepeated = false

        /// An argument, alone or with others of its kind.
        package init(name: String, isRequired: Bool, completion: CompletionKind, isRepeated: Bool = false) {
            (self.name, self.isRequired) = (name, isRequired)
            (self.completion, self.isRepeated) = (completion, isRepeated)
        }

        var isJournal: Bool { name == "JOURNAL" || name == "BAD" }

        package static func required(_ name: String, _ completion: CompletionKind = .none) -> Operand {
            Operand(name: name, isRequired: true, completion: completion)
        }

        /// One and any number more.
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
