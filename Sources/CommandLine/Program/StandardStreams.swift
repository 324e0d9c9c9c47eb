package import Platform

/// The three streams of a process and what is known about them.
package struct StandardStreams {
    /// Where the answer goes.
    package var output: any ByteSink

    /// Where messages go.
    package var error: any ByteSink

    /// The descriptor that standard input is read from.
    package var input: Int32

    /// The descriptor that started programs write to.
    package var childOutput: Int32

    /// Who reads the answer.
    package var terminal: Terminal

    /// Who reads the messages.
    package var errorTerminal: Terminal

    /// The environment variables.
    package var environment: Environment

    /// How long the work runs before its progress is shown.
    package var patience = Progress.patience

    /// The server that asks for the answer; nil for a shell.
    package var agent: Agent?

    /// What a server has in the place of options and of a status line.
    package struct Agent: Sendable {
        /// What is asked for the rest of an answer that is cut.
        package let hint: String

        /// What is asked for the rest of a list of commits from one on; nil for what ``hint`` says.
        package let rest: (@Sendable (Int) -> String)?

        /// Ends the call.
        package let stop: StopRequest

        /// Is passed the bytes that were read, and of how many.
        package let onProgress: @Sendable (Int, Int?) -> Void

        /// A server's side of a call.
        package init(
            hint: String, rest: (@Sendable (Int) -> String)?, stop: StopRequest,
            onProgress: @escaping @Sendable (Int, Int?) -> Void
        ) {
            (self.hint, self.rest, self.stop, self.onProgress) = (hint, rest, stop, onProgress)
        }
    }

    /// Streams of another kind than a process's.
    package init(
        output: any ByteSink, error: any ByteSink, input: Int32, childOutput: Int32, terminal: Terminal,
        errorTerminal: Terminal, environment: Environment, patience: Duration = Progress.patience, agent: Agent? = nil
    ) {
        (self.output, self.error, self.input, self.childOutput) = (output, error, input, childOutput)
        (self.terminal, self.errorTerminal, self.environment) = (terminal, errorTerminal, environment)
        (self.patience, self.agent) = (patience, agent)
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
