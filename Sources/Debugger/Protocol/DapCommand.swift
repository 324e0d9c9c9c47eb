package import CommandLine
import Diagnostics
import Platform

/// `dap`: the Debug Adapter Protocol on standard input and output.
package struct DapCommand: Command {
    package static let definition = CommandDefinition(
        name: .dap, summary: "serve a run to an editor's debugger",
        synopsis: ["[--log FILE]"], operands: [], options: [.dapLog],
        details: [
            """
            Speaks the Debug Adapter Protocol on standard input and output: the editor's own buttons go back in time. A run \
            is the program, a commit a step, a store a thread, a cause a frame, the state the variables. The editor starts it; \
            'launch' opens a journal, 'attach' one that is still written.
            """,
            """
            Where an editor has no button for a way back, 'restart frame' goes to a cause, 'goto' to the commits of a line, and \
            the console takes every line of 'debug': 'exec-direction reverse' turns the other buttons around.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect log samples/checkout.jsonl --by-place",
                purpose: "the lines at which breakpoints stop")
        ],
        isAnswer: false)

    private let log: String?

    package init(_ typed: TypedArguments) throws {
        log = typed.value(.dapLog)
        if typed.has(.format), typed.value(.format) != OutputFormat.human.rawValue {
            throw UsageError.value(.format, typed.value(.format) ?? "", expected: "left out: the editor has a protocol")
        }
    }

    package func run(in context: CommandContext) throws -> ExitStatus {
        let file: FileDescriptor?
        do throws(SystemFailure) {
            file = if let log { try FileDescriptor.appending(log) } else { nil }
        } catch {
            throw CommandFailure(
                .unreadable, Diagnostic(code: "dap.log", "'\(log ?? "")' cannot be written: \(error.text)"))
        }
        let server = DapServer(input: context.input, output: 1, log: file) { text in
            context.messages.report(Diagnostic(code: "dap.message", text))
        }
        return try server.run(context.environment) ? .done : .unreadable
    }
}
