import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One run of this program with other arguments, or of another program, in a process of its own whose output and messages are
/// thrown away.
struct CommandRun {
    /// How a run ended.
    struct Result {
        let status: Int32
        /// From the start of the process to its end.
        var time = Samples()
        /// The most memory that it held, in bytes.
        let peakMemory: Int
        /// How long it kept processors busy, in seconds.
        let processorTime: Double
    }

    enum Failure: Error {
        case notStarted(Int32)
        case ended(status: Int32, [String])
    }

    private let arguments: [String]
    private let program: String

    /// A run of a program; of this one unless another is named.
    init(_ arguments: [String], program: String? = nil) {
        self.arguments = arguments
        self.program = program ?? Bundle.main.executablePath ?? CommandLine.arguments[0]
    }

    /// The path of a program that can be found by its name; nil for none.
    static func program(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// What is run: the program's path and its arguments.
    var words: [String] { [program] + arguments }

    /// Runs and measures.
    ///
    /// - Parameter statuses: what is an answer, and no failure of the measurement.
    func measured(statuses: ClosedRange<Int32> = 0...1) throws -> Result {
        var usage = rusage()
        var status: Int32 = 0
        var time = Samples()
        try time.measure {
            let process = try start()
            while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        }
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        guard statuses.contains(code) else { throw Failure.ended(status: code, arguments) }
        return Result(
            status: code, time: time, peakMemory: ProcessUsage.peakMemory(in: usage),
            processorTime: ProcessUsage.processorTime(in: usage))
    }

    /// Runs, and fails unless the answer was yes.
    func checked() throws {
        let status = try measured().status
        if status != 0 { throw Failure.ended(status: status, arguments) }
    }

    private func start() throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 1...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        let words = words.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, program, &actions, nil, words, environ)
        if failure != 0 { throw Failure.notStarted(failure) }
        return process
    }
}
