/// A command: what was typed becomes what it means, and then an answer.
package protocol Command: SendableMetatype {
    /// What it is for and what it takes.
    static var definition: CommandDefinition { get }

    /// Understands what was typed.
    ///
    /// - Throws: `UsageError` or another error of facts where it makes no sense.
    init(_ typed: TypedArguments) throws

    /// Whether a long answer may go through a pager.
    var isPaged: Bool { get }

    /// Writes the answer.
    ///
    /// - Returns: the status that the answer comes to.
    /// - Throws: a typed error if there is no answer; the exit status follows from its type (`ExitStatus.of`).
    func run(in context: CommandContext) throws -> ExitStatus
}

extension Command {
    package var isPaged: Bool { false }
}
