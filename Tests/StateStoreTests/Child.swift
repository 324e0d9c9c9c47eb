import Dispatch
import Foundation

/// Runs programs as children of the test.
enum Child {
    /// Runs one to its end.
    ///
    /// - Parameters:
    ///   - variable: is set in its environment beside this process's own.
    ///   - output: where its standard output and error go.
    /// - Returns: its exit status; nil where a signal ended it, as one does after half an hour.
    static func run(
        _ program: String, _ arguments: [String], adding variable: (name: String, value: String), output: String
    ) throws -> Int32? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program).resolvingSymlinksInPath()
        process.arguments = arguments
        // Without what tells a child that it is the body of an exit test.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SWT_") }
            .merging([variable.name: variable.value]) { $1 }
        try Data().write(to: URL(fileURLWithPath: output))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, file, file)
        let isOver = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in isOver.signal() }
        try process.run()
        if isOver.wait(timeout: .now() + 1_800) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
            isOver.wait()
        }
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
