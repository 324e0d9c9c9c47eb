import Diagnostics
package import Platform

package struct Program {
    package static let version = "0.1.0"

    private let streams: StandardStreams
    private let output: OutputWriter
    private let messages: MessageWriter
    private let statusLine: MessageSink

    package init(_ streams: StandardStreams) {
        self.streams = streams
        statusLine = MessageSink(streams.error)
        let isTerminal = streams.terminal.isTerminal
        output = OutputWriter(streams.output, isPrompt: isTerminal, above: isTerminal ? statusLine : nil)
        output.isPlain = PlainSigns.areWanted(streams.environment)
        statusLine.isPlain = output.isPlain
        messages = MessageWriter(statusLine, after: output)
    }

    package static func main(_ commands: [any Command.Type], _ arguments: [String]) -> Never {
        CommandTable.declare(commands)
        StandardDescriptors.fill()
        SignalHandling.install()
        let outcome = LargeStack.run { Program(.ofProcess()).run(arguments) }
        switch outcome {
        case .exit(let status): SignalHandling.endProcess(status)
        case .outputClosed: SignalHandling.endOutputClosed()
        }
    }

    package func run(_ arguments: [String]) -> ProgramOutcome {
        var parser = ArgumentParser(arguments)
        var problem = parser.problem()
        if case .unknownOption(let word, nil, _)? = problem {
            problem = CommandGuess(word, arguments).problem
        } else if case .unknownCommand(let word, _)? = problem {
            let guess = CommandGuess(word, arguments)
            if let meant = guess.arguments {
                parser = ArgumentParser(meant)
                problem = parser.problem()
                parser.typed.isJournalAlone = parser.typed.command == .info
            } else {
                problem = guess.problem
            }
        }
        do {
            try prepareMessages(parser.typed)
            if let problem { throw problem }
            let status = try answer(parser.typed, arguments)
            try finish()
            try output.flush()
            return .exit(status: status.rawValue)
        } catch {
            return fail(error, parser.typed)
        }
    }

    private func finish() throws(OutputError) {
        let limit = output.fit?.limit ?? 0
        guard let leftOut = try output.finish(), streams.agent == nil else { return }
        messages.note(
            "\(leftOut) left out to keep the answer within \(limit.grouped) bytes: "
                + "'\(Option.full.typed)' shows all")
    }

    /// What a person sees as soon as something goes wrong depends on these, so they come first.
    private func prepareMessages(_ typed: TypedArguments) throws(UsageError) {
        messages.width = streams.errorTerminal.width
        let choice = ColorChoice(rawValue: typed.value(.color) ?? "") ?? .auto
        let isColored = choice.colors(streams.errorTerminal, streams.environment)
        messages.format = try typed.word(.messages, as: MessageFormat.self) ?? .text
        messages.style = Style(isColored: isColored && messages.format == .text)
    }

    private func answer(_ typed: TypedArguments, _ arguments: [String]) throws -> ExitStatus {
        if typed.has(.version) {
            try output.writeLine("state-inspect " + Self.version)
            return .done
        }
        if let spelling = typed.value(.help) {
            output.protection = .lines
            try output.write(HelpText(spelling == "-h" ? .short : .long).text(of: typed.command))
            return .done
        }
        guard let name = typed.command else {
            messages.write(HelpText(.short).text(of: nil))
            return .usage
        }
        let definition = CommandTable.definition(of: name)
        let typed = try read(typed, of: definition, arguments)
        try checkOperands(typed, of: definition, arguments)
        let command = try CommandTable.type(of: name).init(typed)
        defer { statusLine.hide() }
        // What goes wrong from here on may quote a journal.
        messages.isRedacting = name == .redact || typed.has(.redact)
        let context = try CommandContext(streams, output, messages, statusLine, typed)
        output.fit?.rest = streams.agent.map(\.rest) ?? RestOfList(typed, arguments)?.command
        let status = try run(command, in: context, isPagerWanted: !typed.has(.noPager))
        // An empty answer could be mistaken for none.
        if output.fit?.isEmpty == true, let searched = context.searched?() {
            try output.writeLine("nothing " + searched)
        }
        if context.format == .human, let citation = context.citations?.last {
            try output.writeLine(citation.text, at: .citation)
        }
        return status
    }

    private func read(
        _ typed: TypedArguments, of command: CommandDefinition, _ arguments: [String]
    ) throws(UsageError) -> TypedArguments {
        do {
            return try OperandReading(typed, command).arguments()
        } catch .missingOperand(let name, let operand, _) {
            throw .missingOperand(name, operand, line: lineOfInput(command, arguments))
        }
    }

    /// The line that reads standard input, where something may come from there and no journal was typed; nil elsewhere.
    private func lineOfInput(_ command: CommandDefinition, _ arguments: [String]) -> String? {
        guard streams.input >= 0, !Terminal(descriptor: streams.input, environment: streams.environment).isTerminal,
            (try? FileStatus(descriptor: streams.input).identity) != (try? FileStatus("/dev/null").identity),
            let word = arguments.firstIndex(of: command.name.rawValue),
            let place = command.operands.firstIndex(where: \.isJournal)
        else { return nil }
        var words = arguments
        words.insert("-", at: min(words.count, word + 1 + place))
        // What is suggested works.
        var parser = ArgumentParser(words)
        guard (try? parser.readAll()) != nil, (try? OperandReading(parser.typed, command).arguments()) != nil else {
            return nil
        }
        return Advice.line(words)
    }

    private func checkOperands(
        _ typed: TypedArguments, of command: CommandDefinition, _ arguments: [String]
    ) throws {
        let required = command.operands.filter(\.isRequired)
        if typed.operands.count < required.count {
            try checkWords(typed, of: command)
            let missing = required[typed.operands.count]
            throw UsageError.missingOperand(
                command.name, missing.name, line: missing.isJournal ? lineOfInput(command, arguments) : nil)
        }
        if command.name == .import, let failure = ImportAdvice.severalFiles(typed, arguments) { throw failure }
        if typed.operands.count > command.operands.count, command.operands.last?.isRepeated != true {
            let journal = command.operands.firstIndex(where: \.isJournal)
            throw UsageError.extraOperand(
                command.name, typed.operands[command.operands.count], journal: journal.map { typed.operands[$0] })
        }
        if typed.operands.count(where: JournalFiles.isStandardInput) > 1 {
            throw UsageError.standardInputTwice
        }
    }

    /// Where an operand is missing, one that can be none of the words of its place shows that it is the one left out.
    private func checkWords(_ typed: TypedArguments, of command: CommandDefinition) throws(UsageError) {
        for (operand, word) in zip(command.operands, typed.operands) {
            guard case .choices(let words) = operand.completion, !words.contains(word) else { continue }
            throw .operand(operand.name, word, expected: "one of " + UsageError.quoted(words))
        }
    }

    private func run(_ command: any Command, in context: CommandContext, isPagerWanted: Bool) throws -> ExitStatus {
        let isPaged = isPagerWanted && command.isPaged && context.format == .human && context.terminal.isTerminal
        guard isPaged, let pager = Pager(context.environment, before: streams.output) else {
            return try command.run(in: context)
        }
        output.redirect(to: pager)
        defer { output.redirect(to: streams.output) }
        let result = Result { try command.run(in: context) }
        do {
            try output.flush()
            try pager.finish()
            return try result.get()
        } catch OutputError.closed {
            // A person who leaves the pager early has seen enough, which is not an error.
            try pager.finish()
            return .done
        }
    }

    /// Reports what went wrong; what was written before it stands.
    private func fail(_ error: any Error, _ typed: TypedArguments) -> ProgramOutcome {
        if case OutputError.closed = error { return .outputClosed }
        do throws(OutputError) {
            if !(error is OutputError) { try finish() }
            if !(error is OutputError) { try output.flush() }
        } catch .closed {
            return .outputClosed
        } catch {
            messages.report(error.diagnostic)
        }
        let diagnostics = ExitStatus.diagnostics(
            of: error, in: typed.command, recovers: typed.has(.recover))
        for diagnostic in diagnostics { messages.report(diagnostic) }
        return .exit(status: ExitStatus.of(error).rawValue)
    }
}

package struct StandardStreams {
    package var output: any ByteSink
    package var error: any ByteSink
    package var input: Int32
    package var childOutput: Int32
    package var terminal: Terminal
    package var errorTerminal: Terminal
    package var environment: Environment
    package var patience = Progress.patience
    /// Nil for a shell.
    package var agent: Agent?

    /// What a server has in the place of options and of a status line.
    package struct Agent: Sendable {
        package let hint: String
        /// Nil for what ``hint`` says.
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
