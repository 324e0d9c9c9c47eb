import Diagnostics

/// The program: arguments in, an answer and a status out.
public struct Program {
    /// What `--version` prints.
    static let version = "0.1.0"

    private let streams: StandardStreams
    private let output: OutputWriter
    private let messages: MessageWriter

    /// A program between these streams.
    init(_ streams: StandardStreams) {
        self.streams = streams
        output = OutputWriter(streams.output, isPrompt: streams.terminal.isTerminal)
        messages = MessageWriter(streams.error, after: output)
    }

    /// Runs with this process's streams and environment, and ends the process.
    ///
    /// - Parameter arguments: what was typed after the program's name.
    public static func main(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> Never {
        Interruption.install()
        let outcome = LargeStack.run { Program(.ofProcess()).run(arguments) }
        switch outcome {
        case .exit(let status): Interruption.endProcess(status)
        case .outputClosed: Interruption.endOutputClosed()
        }
    }

    /// Runs one command line.
    ///
    /// - Parameter arguments: what was typed after the program's name.
    func run(_ arguments: [String]) -> ProgramOutcome {
        var parser = ArgumentParser(arguments)
        let problem: UsageError?
        do throws(UsageError) {
            try parser.readAll()
            problem = nil
        } catch {
            problem = error
        }
        do {
            try prepareMessages(parser.typed)
            if let problem { throw problem }
            let status = try answer(parser.typed)
            try output.flush()
            return .exit(status: status.rawValue)
        } catch {
            return fail(error)
        }
    }

    /// What a person sees as soon as something goes wrong depends on these, so they come first.
    private func prepareMessages(_ typed: TypedArguments) throws(UsageError) {
        messages.width = streams.errorTerminal.width
        let choice = ColorChoice(rawValue: typed.value(.color) ?? "") ?? .auto
        let isColored = choice.colors(streams.errorTerminal, streams.environment)
        messages.format = try typed.word(.messages, as: MessageFormat.self) ?? .text
        messages.style = Style(isColored: isColored && messages.format == .text)
    }

    private func answer(_ typed: TypedArguments) throws -> ExitStatus {
        if typed.has(.version) {
            try output.writeLine("state-inspect " + Self.version)
            return .done
        }
        if let spelling = typed.value(.help) {
            try output.write(HelpText(spelling == "-h" ? .short : .long).text(of: typed.command))
            return .done
        }
        guard let name = typed.command else {
            messages.write(HelpText(.short).text(of: nil))
            return .usage
        }
        try checkOperands(typed, of: CommandTable.definition(of: name))
        let command = try name.type.init(typed)
        let context = try CommandContext(streams, output, messages, typed)
        return try run(command, in: context, isPagerWanted: !typed.has(.noPager))
    }

    private func checkOperands(_ typed: TypedArguments, of command: CommandDefinition) throws(UsageError) {
        let required = command.operands.filter(\.isRequired)
        if typed.operands.count < required.count {
            throw .missingOperand(command.name, required[typed.operands.count].name)
        }
        if typed.operands.count > command.operands.count, command.operands.last?.isRepeated != true {
            throw .extraOperand(command.name, typed.operands[command.operands.count])
        }
    }

    private func run(_ command: any Command, in context: CommandContext, isPagerWanted: Bool) throws -> ExitStatus {
        let isPaged = isPagerWanted && command.isPaged && context.format == .human && context.terminal.isTerminal
        guard isPaged, let pager = Pager(context.environment) else { return try command.run(in: context) }
        output.redirect(to: pager)
        defer {
            try? output.flush()
            pager.finish()
            output.redirect(to: streams.output)
        }
        do {
            return try command.run(in: context)
        } catch OutputError.closed {
            return .done
        }
    }

    /// Tells what went wrong; what was written before it stands.
    private func fail(_ error: any Error) -> ProgramOutcome {
        if case OutputError.closed = error { return .outputClosed }
        do throws(OutputError) {
            if !(error is OutputError) { try output.flush() }
        } catch .closed {
            return .outputClosed
        } catch {
            messages.tell(error.diagnostic)
        }
        for diagnostic in ExitStatus.diagnostics(of: error) { messages.tell(diagnostic) }
        return .exit(status: ExitStatus.of(error).rawValue)
    }
}
