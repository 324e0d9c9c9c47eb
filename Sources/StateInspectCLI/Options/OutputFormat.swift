/// How an answer is written.
enum OutputFormat: String, CaseIterable, Sendable {
    case human, json

    /// The format that the options ask for; without one, people get `human` and programs get `json`.
    ///
    /// - Throws: `UsageError` where `--format` names none.
    static func chosen(by typed: TypedArguments, isTerminal: Bool) throws(UsageError) -> OutputFormat {
        try typed.word(.format, as: OutputFormat.self) ?? (isTerminal ? .human : .json)
    }
}
