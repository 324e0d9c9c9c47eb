#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A program that we started and wait for.
package struct ChildProcess: Sendable {
    package enum Ending: Sendable, Equatable {
        case status(Int32)
        case signal(Int32)
    }

    /// What becomes one of a program's standard descriptors.
    package enum Stream: Sendable {
        /// Ours.
        case shared
        /// A descriptor of this process.
        case descriptor(Int32)
        /// What is written is forgotten.
        case nothing
    }

    package let number: Int32

    /// Starts a program, found on `PATH`.
    ///
    /// It gets the signals that this process, or only the calling thread, blocks, and SIGPIPE, without which it would
    /// not notice that its output has no reader.
    ///
    /// - Parameters:
    ///   - arguments: the program and its arguments; at least one.
    ///   - environment: all of its environment.
    package static func start(
        _ arguments: [String], environment: Environment, input: Stream = .shared, output: Stream = .shared,
        error: Stream = .shared
    ) throws(SystemFailure) -> ChildProcess {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (place, stream) in [(Int32(0), input), (1, output), (2, error)] {
            switch stream {
            case .shared: break
            case .descriptor(let number): unsafe posix_spawn_file_actions_adddup2(&actions, number, place)
            case .nothing: unsafe posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDWR, 0)
            }
        }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var blocked = sigset_t()
        var restored = sigset_t()
        unsafe sigemptyset(&blocked)
        unsafe sigemptyset(&restored)
        unsafe sigaddset(&restored, SIGPIPE)
        unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
        unsafe posix_spawnattr_setsigdefault(&attributes, &restored)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var process = pid_t()
        let code = unsafe withStrings(arguments) { arguments in
            unsafe withStrings(environment.assignments) { variables in
                guard let program = unsafe arguments.first ?? nil else { return ENOENT }
                return unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, variables)
            }
        }
        guard code == 0 else { throw SystemFailure("posix_spawn", code: code) }
        return ChildProcess(number: process)
    }

    /// Waits until the program has ended; to be called once.
    package func wait() -> Ending {
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0 {
            guard errno == EINTR else { return .status(127) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
    }

    /// Waits for the program to end; a signal that ends this program meanwhile ends that one too.
    package func waitTogether() -> Ending {
        let token = SignalHandling.beforeEnd { terminate() }
        defer { SignalHandling.remove(token) }
        return wait()
    }

    package func terminate() { send(SIGTERM, to: number) }

    package func kill() { send(SIGKILL, to: number) }

    private static func withStrings<Value>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies + [nil])
    }
}

private func send(_ signal: Int32, to process: pid_t) { kill(process, signal) }
