import Diagnostics
import Platform

/// A command of the shell that is given some text; only ever one that was typed.
enum DebugPipe {
    /// Runs a command, whose output is ours.
    ///
    /// - Throws: `CommandFailure` where it cannot be started.
    static func run(
        _ command: String, input bytes: [UInt8], environment: Environment
    ) throws(CommandFailure) -> ChildProcess.Ending {
        var reading: FileDescriptor?
        var writing: FileDescriptor?
        do throws(SystemFailure) {
            try FileDescriptor.pipe(reading: &reading, writing: &writing)
            let process = try ChildProcess.start(
                ["/bin/sh", "-c", command], environment: environment, input: .descriptor(reading?.number ?? -1))
            reading = nil
            // One that does not read everything has read what it wanted.
            try? writing?.write(bytes)
            writing = nil
            return process.wait()
        } catch {
            throw CommandFailure(
                .unreadable, Diagnostic(code: "debug.pipe", "'\(command)' cannot be started: \(error.text)"))
        }
    }
}
