package import Diagnostics
package import Platform

package protocol Command: SendableMetatype {
    static var definition: CommandDefinition { get }

    init(_ typed: TypedArguments) throws

    var isPaged: Bool { get }

    /// - Throws: a typed error if there is no answer; the exit status follows from its type (`ExitStatus.of`).
    func run(in context: CommandContext) throws -> ExitStatus
}

extension Command {
    package var isPaged: Bool { false }
}

/// Everything outside of a command, so that a test can bring its own.
package final class CommandContext {
    package let output: OutputWriter
    package let messages: MessageWriter
    package let format: OutputFormat
    package let report: ReportFormat?
    package let style: Style
    package let terminal: Terminal
    package let environment: Environment
    package let input: Int32
    /// The descriptor that a started program gets as its standard output: our standard error, since ours is the answer's.
    package let childOutput: Int32
    package let progress: Progress
    package let journals: JournalOpener
    package let citations: Citations?
    /// What was looked through for the answer, as `in 412 commits`, for one that is empty.
    package var searched: (() -> String?)?

    package init(
        _ streams: StandardStreams, _ output: OutputWriter, _ messages: MessageWriter, _ statusLine: MessageSink,
        _ typed: TypedArguments
    ) throws(UsageError) {
        (self.output, self.messages) = (output, messages)
        environment = streams.environment
        input = streams.input
        childOutput = streams.childOutput
        format = try OutputFormat.chosen(by: typed, isTerminal: streams.terminal.isTerminal, streams.environment)
        report = try ReportFormat.chosen(by: typed)
        let limit = try format.limit(typed, streams.terminal, streams.environment)
        output.fit = limit.map { AnswerFit(limit: $0, hint: streams.agent?.hint ?? AnswerFit.sameWithFull) }
        terminal =
            limit == nil
            ? streams.terminal
            : Terminal(isTerminal: false, width: min(streams.terminal.width ?? .max, AnswerFit.columns))
        output.protection =
            format == .human || report == .github ? .lines : streams.terminal.isTerminal ? .screen : .none
        let choice = try typed.word(.color, as: ColorChoice.self) ?? .auto
        // Of what programs read, only a query's outputs have colours, for a pager, where they are asked for.
        let takesColors = format == .human || choice == .always && typed.command == .query && !terminal.isTerminal
        style = Style(isColored: takesColors && choice.colors(streams.terminal, streams.environment))
        let isShown =
            streams.errorTerminal.isTerminal && messages.format == .text && streams.environment["TERM"] != "dumb"
        progress = Progress(
            typed.command?.rawValue ?? "", on: isShown ? statusLine : nil, width: streams.errorTerminal.width,
            patience: streams.patience, stop: streams.agent?.stop, observer: streams.agent?.onProgress)
        journals = JournalOpener(environment, progress)
        citations = typed.has(.cite) ? Citations(journals) : nil
    }
}

package struct CommandFailure: Error {
    package let status: ExitStatus
    package let diagnostic: Diagnostic

    package init(_ status: ExitStatus, _ diagnostic: Diagnostic) {
        (self.status, self.diagnostic) = (status, diagnostic)
    }

    package init(
        _ status: ExitStatus, code: String, _ message: String, place: Place? = nil, notes: [String] = [],
        help: [String] = []
    ) {
        self.init(status, Diagnostic(code: code, message, place: place, notes: notes, help: help))
    }
}
