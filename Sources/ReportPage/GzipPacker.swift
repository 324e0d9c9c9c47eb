import CommandLine
import Diagnostics
package import Platform

/// Packs bytes by `gzip`, the same bytes always to the same.
package struct GzipPacker {
    /// Bytes that a program is at work on.
    final class Job {
        fileprivate let process: ChildProcess
        fileprivate let output: FileDescriptor

        fileprivate init(_ process: ChildProcess, _ output: consuming FileDescriptor) {
            self.process = process
            self.output = output
        }
    }

    /// Without a name and a time, as small as it gets.
    private static let arguments = ["gzip", "-9n"]

    private let environment: Environment

    /// A packer; nil where there is no `gzip` on `PATH`.
    package init?(_ environment: Environment) {
        guard ExecutableLookup(environment).problem(with: Self.arguments[0]) == nil else { return nil }
        self.environment = environment
    }

    /// Begins to pack; other work can be done meanwhile.
    ///
    /// Files stand on both sides of the program: with pipes, neither side may wait for the other.
    func begin(_ bytes: [UInt8]) throws(CommandFailure) -> Job {
        do throws(SystemFailure) {
            let input = try TemporaryFile.make()
            try input.write(bytes)
            try input.rewind()
            let output = try TemporaryFile.make()
            let process = try ChildProcess.start(
                Self.arguments, environment: environment, input: .descriptor(input.number),
                output: .descriptor(output.number), error: .nothing)
            return Job(process, output)
        } catch {
            throw Self.failed(error.text)
        }
    }

    /// Waits for what was begun.
    func finish(_ job: Job) throws(CommandFailure) -> [UInt8] {
        guard job.process.waitTogether() == .status(0) else { throw Self.failed("it ended with an error") }
        do throws(SystemFailure) {
            let count = try job.output.status().byteCount
            var bytes: [UInt8] = []
            var block = [UInt8](repeating: 0, count: count)
            while bytes.count < count {
                var room = block.mutableSpan
                let read = try job.output.read(into: &room, at: bytes.count)
                if read == 0 { break }
                bytes += block[..<read]
            }
            return bytes
        } catch {
            throw Self.failed(error.text)
        }
    }

    private static func failed(_ reason: String) -> CommandFailure {
        CommandFailure(.unreadable, Diagnostic(code: "report.gzip", "'gzip' cannot pack the page: \(reason)"))
    }
}
