import CommandLine
import Diagnostics
import JSONCore
import Platform

/// The command's own code, run in this process with its output kept.
struct ToolRun {
    private let call: ToolCall
    private let folders: JournalFolders
    private let environment: Environment
    private let stop: StopRequest
    private let onProgress: @Sendable (Int, Int?) -> Void

    /// More bytes of what is said about an answer are not passed on.
    private static let messageLimit = 2_000

    /// `environment` gives a command only what it needs to read files; `stop` ends it wherever it reads or writes;
    /// `onProgress` gets the bytes read, and of how many.
    init(
        _ call: ToolCall, _ folders: JournalFolders, _ environment: Environment,
        until stop: StopRequest = StopRequest(),
        onProgress: @escaping @Sendable (Int, Int?) -> Void = { _, _ in }
    ) {
        self.call = call
        self.folders = folders
        self.stop = stop
        self.onProgress = onProgress
        var own = Environment([
            OutputFormat.variable: OutputFormat.human.rawValue,
            OutputFormat.limitVariable: "\(AnswerFit.usualLimit)",
        ])
        for name in ["PATH", "TMPDIR", JournalOpener.spoolLimitVariable] { own[name] = environment[name] }
        self.environment = own
    }

    func answer() -> ToolAnswer {
        do throws(ToolRefusal) {
            let line = try ToolCommandLine(call, folders)
            guard call.tool.command == .info, line.journals.isEmpty else { return run(line) }
            return list(line)
        } catch {
            return .failure(error.message, insteadCall: error.insteadCall)
        }
    }

    // MARK: One command

    private func run(_ line: ToolCommandLine) -> ToolAnswer {
        let page = AnswerPage(after: line.skipped, until: stop)
        let (status, messages) = run(line.words(asJSON: true), to: page)
        var answer = ToolAnswer(texts: [], lines: page.lines)
        if page.hasMore { answer.cursor = "\(line.skipped + page.lines.count)" }
        let isFailed = !page.hasMore && (status == .usage || status == .unreadable || status == .notThere)
        if isFailed, page.lines.isEmpty {
            let instead = insteadCall(status, messages, line).map { "\n" + $0 } ?? ""
            return ToolAnswer(texts: [messages + instead], isError: true)
        }
        answer.isError = isFailed
        answer.texts = [text(of: line, page, answer.cursor), messages]
        if isFailed, let instead = insteadCall(status, messages, line) { answer.texts.append(instead) }
        return answer
    }

    /// The answer for people; of a page after the first its lines, which are cut to fit.
    private func text(of line: ToolCommandLine, _ page: AnswerPage, _ cursor: String?) -> String {
        let more = cursor.map { ToolAnswer.call(call.tool.name, call.arguments.adding("cursor", .string($0))) }
        guard line.skipped == 0 else {
            var fit = AnswerFit(hint: more ?? AnswerFit.askForLess)
            var bytes: [UInt8] = []
            for line in page.lines { bytes += fit.take(line + [UInt8(ascii: "\n")]) }
            bytes += fit.finish()
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        }
        let sink = TextSink(limit: 1 << 16, until: stop)
        _ = run(line.words(asJSON: false), to: sink, hint: more)
        return sink.text
    }

    /// - Returns: nil for the status where the reader, a page, was full.
    private func run(_ words: [String], to sink: any ByteSink, hint: String? = nil) -> (ExitStatus?, String) {
        let error = TextSink(limit: Self.messageLimit)
        var streams = StandardStreams(
            output: sink, error: error, input: -1, childOutput: 2, terminal: .none, errorTerminal: .none,
            environment: environment)
        streams.agent = StandardStreams.Agent(
            hint: hint.flatMap { $0.utf8.count < AnswerFit.columns - 30 ? $0 : nil } ?? AnswerFit.askForLess,
            rest: restOfList, stop: stop, onProgress: onProgress)
        let outcome = Program(streams).run(words)
        guard case .exit(let status) = outcome else { return (nil, error.text) }
        return (ExitStatus(rawValue: status), error.text)
    }

    private var restOfList: (@Sendable (Int) -> String)? {
        let arguments = call.arguments
        let tool = call.tool.name
        guard tool == "find", arguments[Option.reverse.name] == nil, arguments[Option.maxCount.name] == nil else {
            return nil
        }
        return { ToolAnswer.call(tool, arguments.adding("from", .number(max(0, $0 - 1)))) }
    }

    private func insteadCall(_ status: ExitStatus?, _ messages: String, _ line: ToolCommandLine) -> String? {
        // Damage is the one reason for which the command suggests this option.
        let recover = Option.recover.name
        if status == .unreadable, messages.contains(Option.recover.typed), call.arguments[recover] == nil,
            call.tool.arguments.contains(where: { $0.name == recover })
        {
            return ToolAnswer.call(call.tool.name, call.arguments.adding(recover, true))
        }
        guard status == .notThere, let journal = line.journals.first else { return nil }
        var arguments = JSONObject()
        arguments["journal"] = .string(journal)
        guard call.tool.name == "origin" else { return ToolAnswer.call("info", arguments) }
        arguments["at"] = call.arguments["at"]
        return ToolAnswer.call("state", arguments)
    }

    // MARK: All journals

    private func list(_ line: ToolCommandLine) -> ToolAnswer {
        let journals = folders.journals
        guard !journals.isEmpty else { return .failure("there is no '.jsonl' file below the folders") }
        var answer = ToolAnswer(texts: [])
        var fit = AnswerFit(hint: AnswerFit.askForLess)
        var (text, messages) = ([UInt8](), [String]())
        let end = min(journals.count, line.skipped + AnswerPage.lineCount)
        if end < journals.count { answer.cursor = "\(end)" }
        for name in journals.dropFirst(line.skipped).prefix(AnswerPage.lineCount) where !stop.isMade {
            var arguments = JSONObject()
            arguments["journal"] = .string(name)
            guard let one = try? ToolCommandLine(ToolCall(id: call.id, tool: call.tool, arguments: arguments), folders)
            else {
                continue
            }
            let found = run(one)
            answer.lines += found.lines
            guard !found.isError else {
                messages += found.texts
                continue
            }
            // The last line cites what the others rest on.
            let lines = found.texts[0].split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                fit.place = index == lines.count - 1 ? .citation : .row
                text += fit.take((line + "\n").utf8)
            }
            text += fit.take("\n".utf8)
        }
        text += fit.finish()
        while text.last == UInt8(ascii: "\n") { text.removeLast() }
        answer.texts = [
            String(decoding: text, as: UTF8.self), String(messages.joined(separator: "\n").prefix(Self.messageLimit)),
        ]
        return answer
    }
}

extension JSONObject {
    func adding(_ name: String, _ value: JSONValue) -> JSONObject {
        var object = self
        object[name] = value
        return object
    }
}
