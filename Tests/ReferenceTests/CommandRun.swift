import Platform

@testable import StateInspectCLI

/// One run of the program inside of the test's process.
struct CommandRun {
    let output: [UInt8]
    let messages: String
    let status: Int32

    init(_ arguments: [String]) {
        let (output, error) = (Kept(), Kept())
        let streams = StandardStreams(
            output: output, error: error, input: -1, childOutput: 2, terminal: Terminal(isTerminal: false, width: nil),
            errorTerminal: .none, environment: Environment(["PATH": "/usr/bin:/bin"]))
        let outcome = Program(streams).run(arguments)
        self.output = output.bytes
        messages = String(decoding: error.bytes, as: UTF8.self)
        status = if case .exit(let status) = outcome { status } else { -1 }
    }

    private final class Kept: ByteSink {
        private(set) var bytes: [UInt8] = []
        func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) { self.bytes.append(contentsOf: bytes) }
    }
}
