package import Platform

package struct StandardStreams {
    package var output: any ByteSink
    package var error: any ByteSink
    package var input: Int32
    /// The descriptor that started programs write to.
    package var childOutput: Int32
    package var terminal: Terminal
    package var errorTerminal: Terminal
    package var environment: Environment
    package var patience = Progress.patience
    /// The server that asks for the answer; nil for a shell.
    package var agent: Agent?

    /// What a server has in the place of options and of a status line.
    package struct Agent: Sendable {
        package let hint: String
        /// What is asked for the rest of a list of commits from one on; nil for what ``hint`` says.
        package let rest: (@Sendable (Int) -> String)?
        package let stop: StopRequest
        package let onProgress: @Sendable (Int, Int?) -> Void

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

    static func ofProcess() -> StandardStreams {
        let environment = Environment.ofProcess()
        return StandardStreams(
            output: DescriptorSink(1), error: DescriptorSink(2), input: 0, childOutput: 2,
            terminal: Terminal(descriptor: 1, environment: environment),
            errorTerminal: Terminal(descriptor: 2, environment: environment), environment: environment)
    }
}
