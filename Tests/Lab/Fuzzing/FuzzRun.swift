import Foundation
import JSONCore
import Platform

@testable import CommandLine
@testable import StateInspectCLI

/// One run of the command inside of this process.
struct FuzzRun {
    let arguments: [String]
    let output: [UInt8]
    let messages: String
    /// -1 where the reader of the output had gone, which nobody had.
    let status: Int32

    static let declared: Void = CommandTable.declare(StateInspect.commands)

    /// Where the inputs are written; a folder in memory where there is one, for they are many.
    static let folder: String = {
        let parent = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let folder = "\(parent)/state-inspect-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }()

    init(_ arguments: [String]) {
        self.arguments = arguments
        let (kept, told) = (Kept(), Kept())
        let streams = StandardStreams(
            output: kept, error: told, input: -1, childOutput: 2, terminal: Terminal(isTerminal: false, width: nil),
            errorTerminal: .none, environment: Environment(["PATH": "/nowhere", "PAGER": "cat"]))
        Self.declared
        let outcome = LargeStack.run { Program(streams).run(arguments) }
        output = kept.bytes
        messages = String(decoding: told.bytes, as: UTF8.self)
        status = if case .exit(let status) = outcome { status } else { -1 }
        require((0...5).contains(status), "\(self)")
        require(!messages.contains("has no words"), "\(self)")
        require([0, 1].contains(status) || !messages.isEmpty || arguments[0] == "check", "no word: \(self)")
    }

    var lines: [ArraySlice<UInt8>] { output.split(separator: 0x0A) }

    /// Writes an input for a run.
    static func write(_ bytes: some Sequence<UInt8>, to name: String) -> String {
        let path = "\(folder)/\(name)"
        try? Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private final class Kept: ByteSink {
        private(set) var bytes: [UInt8] = []
        func write(_ bytes: ByteView) throws(OutputError) { self.bytes.append(contentsOf: bytes) }
    }
}

extension FuzzRun: CustomStringConvertible {
    var description: String { "\(arguments) → \(status)\n\(String(decoding: output, as: UTF8.self))\n\(messages)" }
}
