package protocol Command: SendableMetatype {
    static var definition: CommandDefinition { get }

    init(_ typed: TypedArguments) throws

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
