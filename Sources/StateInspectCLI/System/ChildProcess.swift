#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that we started and wait for.
struct ChildProcess {
    /// How a program ended.
    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    private let process: pid_t

    /// Starts a program, found on `PATH`.
    ///
    /// - Parameters:
    ///   - arguments: the program and its arguments; at least one.
    ///   - environment: all of its environment.
    ///   - input: what becomes its standard input; nil shares ours.
    ///   - output: what becomes its standard output; nil shares ours.
    /// - Returns: the running program, or why it could not be started.
    static func start(
        _ arguments: [String], environment: Environment, input: Int32? = nil, output: Int32? = nil
    ) -> Result<ChildProcess, SystemError> {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
        var process = pid_t()
        let code = withStrings(arguments) { arguments in
            withStrings(environment.assignments) { variables in
                guard let program = arguments.first ?? nil else { return ENOENT }
                return posix_spawnp(&process, program, &actions, nil, arguments, variables)
            }
        }
        guard code == 0 else { return .failure(SystemError(code: code)) }
        return .success(ChildProcess(process: process))
    }

    /// Waits until the program has ended.
    func wait() -> Ending {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return .status(127) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
    }

    /// The strings as a null-terminated array of C strings.
    private static func withStrings<Value>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
