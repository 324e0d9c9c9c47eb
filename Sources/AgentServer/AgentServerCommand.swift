package import CommandLine
import Diagnostics
import JSONCore
import Platform

/// `mcp DIR…`: serves the Model Context Protocol on standard input and output.
package struct AgentServerCommand: Command {
    package static let definition = CommandDefinition(
        name: .mcp, summary: "answer a language model's tools about journals", synopsis: ["DIR..."],
        operands: [.repeated("DIR", .file)],
        details: [
            """
            Serves the Model Context Protocol on standard input and output, a message a line: the revisions from \
            2024-11-05 to 2025-11-25 and that of 2026-07-28. Its tools 'info', 'find', 'state', 'diff', 'bisect', 'origin', \
            'why' and 'check' answer as the commands do, with '--cite', and only read.
            """,
            """
            They answer about the journals below the folders and nothing else: a name with '..' is refused, and so is a \
            link that leads out.
            """,
        ],
        examples: [.init(line: "state-inspect mcp samples", purpose: "tools about the journals of a folder")],
        isAnswer: false)

    private let folders: JournalFolders

    package init(_ typed: TypedArguments) throws { folders = try JournalFolders(typed.operands) }

    package func run(in context: CommandContext) throws -> ExitStatus {
        context.output.protection = .none
        let server = AgentServerLoop(folders, context)
        let input = InputFile(standardInput: context.input)
        var lines = MessageLines()
        var bytes: [UInt8] = []
        while try input.read(into: &bytes) {
            for line in lines.take(bytes) { try server.take(line) }
            bytes = []
        }
        if let last = lines.finish() { try server.take(last) }
        return try server.finish()
    }
}

/// Unchecked: all that changes, the output too, is touched under the lock of `state` only.
final class AgentServerLoop: @unchecked Sendable {
    private struct ServedCalls {
        var server = ProtocolServer()
        var waiting: [ToolCall] = []
        var threads = 0
        var running: [RequestID: StopRequest] = [:]
        var failure: OutputError?
    }

    /// How many calls run at a time; further ones wait.
    private static let threadLimit = 4

    private let folders: JournalFolders
    private let output: OutputWriter
    private let environment: Environment
    private let state = ThreadCondition(ServedCalls())

    init(_ folders: JournalFolders, _ context: CommandContext) {
        self.folders = folders
        output = context.output
        environment = context.environment
    }

    func take(_ line: MessageLines.Line) throws {
        var failure: OutputError?
        state.change { state in
            switch line {
            case .whole(let bytes): perform(state.server.take(bytes), &state)
            case .overlong: perform(state.server.takeOverlong(), &state)
            }
            failure = state.failure
        }
        if let failure { throw failure }
    }

    func finish() throws -> ExitStatus {
        let failure = state.wait { state -> OutputError?? in state.threads == 0 ? .some(state.failure) : nil }
        if let failure { throw failure }
        return .done
    }

    private func perform(_ effects: [ProtocolServer.Instruction], _ state: inout ServedCalls) {
        for effect in effects {
            switch effect {
            case .send(let message): send(message, &state)
            case .call(let call): start(call, &state)
            case .cancel(let id):
                state.waiting.removeAll { $0.id == id }
                state.running.removeValue(forKey: id)?.make()
            }
        }
    }

    private func send(_ message: [UInt8], _ state: inout ServedCalls) {
        guard state.failure == nil else { return }
        do throws(OutputError) {
            try output.writeLine(message)
            try output.flush()
        } catch {
            state.failure = error
        }
    }

    private func start(_ call: ToolCall, _ state: inout ServedCalls) {
        state.waiting.append(call)
        guard state.threads < Self.threadLimit else { return }
        let thread = try? SystemThread.start(stackSize: LargeStack.size) { [self] in work() }
        guard let thread else {
            // A thread that runs takes the call later.
            if state.threads > 0 { return }
            state.waiting.removeLast()
            return perform(state.server.finish(call.id, .failure("the system has no thread for the call")), &state)
        }
        state.threads += 1
        thread.detach()
    }

    private func work() {
        while let (call, stop) = next() {
            let run = ToolRun(call, folders, environment, until: stop) { [self] bytes, total in
                state.change { perform($0.server.progress(of: call.id, bytes: bytes, total: total), &$0) }
            }
            let answer = run.answer()
            state.change { state in
                guard !stop.isMade else { return }
                state.running.removeValue(forKey: call.id)
                perform(state.server.finish(call.id, answer), &state)
            }
        }
    }

    private func next() -> (ToolCall, StopRequest)? {
        var found: (ToolCall, StopRequest)?
        state.change { state in
            guard !state.waiting.isEmpty else {
                state.threads -= 1
                return
            }
            let call = state.waiting.removeFirst()
            let stop = StopRequest()
            state.running[call.id] = stop
            found = (call, stop)
        }
        return found
    }
}
