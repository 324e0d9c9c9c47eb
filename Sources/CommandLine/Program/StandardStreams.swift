import Platform

/// The three streams of a process and what is known about them.
struct StandardStreams {
    /// Where the answer goes.
    var output: any ByteSink

    /// Where messages go.
    var error: any ByteSink

    /// The descriptor that standard input is read from.
    var input: Int32

    /// The descriptor that started programs write to.
    var childOutput: Int32

    /// Who reads the answer.
    var terminal: Terminal

    /// Who reads the messages.
    var errorTerminal: Terminal

    /// The environment variables.
    var environment: Environment

    /// How long the work runs before its progress is shown.
    var patience = Progress.patience

    /// The server that asks for the answer; nil for a shell.
    var agent: Agent?

    /// What a server has in the place of options and of a status line.
    struct Agent: Sendable {
        /// What is asked for the rest of an answer that is cut.
        let hint: String

        /// What is asked for the rest of a list of commits from one on; nil for what ``hint`` says.
        let rest: (@Sendable (Int) -> String)?

        /// Ends the call.
        let stop: StopRequest

        /// Is passed the bytes that were read, and of how many.
        let onProgress: @Sendable (Int, Int?) -> Void
    }

    /// The streams of this process.
    static func ofProcess() -> StandardStreams {
        let environment = Environment.ofProcess()
        return StandardStreams(
            output: DescriptorSink(1), error: DescriptorSink(2), input: 0, childOutput: 2,
            terminal: Terminal(descriptor: 1, environment: environment),
            errorTerminal: Terminal(descriptor: 2, environment: environment), environment: environment)
    }
}
