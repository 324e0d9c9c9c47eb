import Platform

@testable import StateInspectCLI

/// One run of the program, mostly inside of the test's process.
struct CommandRun {
    /// All that a run has of the environment.
    static let environment = Environment(["PATH": "/usr/bin:/bin"])

    let output: [UInt8]
    let messages: String
    let status: Int32

    init(_ arguments: [String]) {
        let (output, error) = (Kept(), Kept())
        let streams = StandardStreams(
            output: output, error: error, input: -1, childOutput: 2, terminal: Terminal(isTerminal: false, width: nil),
            errorTerminal: .none, environment: Self.environment)
        // As the program's own entry does: the deepest value that the limits allow needs more than a thread of ours has.
        let outcome = LargeStack.run { Program(streams).run(arguments) }
        self.output = output.bytes
        messages = String(decoding: error.bytes, as: UTF8.self)
        status = if case .exit(let status) = outcome { status } else { -1 }
    }

    /// What a run in another process left.
    init(output: [UInt8], messages: String, status: Int32) {
        (self.output, self.messages, self.status) = (output, messages, status)
    }

    private final class Kept: ByteSink {
        private(set) var bytes: [UInt8] = []
        func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) { self.bytes.append(contentsOf: bytes) }
    }
}
