import Diagnostics
import Foundation
import Platform

@testable import StateInspectCLI

/// One run of the program inside the test's process: what it printed and how it ended.
struct ProgramRun: CustomStringConvertible {
    let arguments: [String]
    let output: String
    let messages: String
    let outcome: ProgramOutcome

    /// Runs a command line; as a person at a terminal of `width` columns if one is given, as a script otherwise.
    ///
    /// - Parameter errorWidth: the columns of a terminal that messages go to, on which a work tells at once how far it is.
    init(
        _ arguments: [String], width: Int? = nil, errorWidth: Int? = nil, input: Int32 = -1,
        environment: [String: String] = [:],
        output sink: MemorySink = MemorySink()
    ) {
        Self.writesFail
        let error = MemorySink()
        let terminal = Terminal(isTerminal: width != nil, width: width)
        let streams = StandardStreams(
            output: sink, error: error, input: input, childOutput: 2, terminal: terminal,
            errorTerminal: Terminal(isTerminal: errorWidth != nil, width: errorWidth),
            environment: Environment(environment.merging(["PAGER": "cat", "PATH": "/usr/bin:/bin"]) { own, _ in own }),
            patience: errorWidth == nil ? Progress.patience : .zero)
        self.arguments = arguments
        outcome = Program(streams).run(arguments)
        output = sink.text
        messages = error.text
    }

    /// A write to a pager that has gone fails, as it does in the program, and does not end the test's process.
    private static let writesFail: Void = { signal(SIGPIPE) { _ in } }()

    /// The status; -1 where the reader of the output had gone.
    var status: Int32 {
        guard case .exit(let status) = outcome else { return -1 }
        return status
    }

    /// Everything, for a test that does not hold.
    var description: String {
        """
        state-inspect \(ShellQuoting.line(arguments)) → \(outcome)
        --- standard output
        \(output)
        --- standard error
        \(messages)
        """
    }
}

/// Keeps what is written to it; refuses from a given number of bytes on, if told to.
final class MemorySink: ByteSink {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private let refusal: OutputError
    private let onWrite: () -> Void

    /// - Parameter onWrite: is called at each write.
    init(limit: Int = .max, refusal: OutputError = .refused(28), onWrite: @escaping () -> Void = {}) {
        self.limit = limit
        self.refusal = refusal
        self.onWrite = onWrite
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
        guard self.bytes.count + bytes.count <= limit else { throw refusal }
        self.bytes.append(contentsOf: bytes)
        onWrite()
    }
}
