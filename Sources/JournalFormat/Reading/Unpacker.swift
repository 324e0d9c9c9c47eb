#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How a file is packed, told by its first bytes.
enum Packing: Sendable {
    case gzip
    case zstd

    /// RFC 1952 section 2.3.1, RFC 8878 section 3.1.1.
    init?(magic: some Collection<UInt8>) {
        if magic.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if magic.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            self = .zstd
        } else {
            return nil
        }
    }

    /// How many bytes tell.
    static let magicLength = 4

    var program: String {
        switch self {
        case .gzip: "gzip"
        case .zstd: "zstd"
        }
    }
}

/// The program that unpacks a file, running: it reads the file and writes to a pipe.
struct Unpacker: ~Copyable, Sendable {
    let program: String
    /// 0 once its end was waited for.
    private(set) var process: pid_t

    /// Starts the program with the file as its standard input.
    ///
    /// - Parameter output: gets the pipe's end to read from.
    static func start(
        _ packing: Packing, reading file: borrowing FileDescriptor, path: String, output: inout FileDescriptor?
    ) throws(JournalError) -> Unpacker {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw JournalError(path: path, SystemFailure("pipe")) }
        output = FileDescriptor(owning: ends[0])
        let input = FileDescriptor(owning: ends[1])
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        _ = fcntl(input.number, F_SETFD, FD_CLOEXEC)
        var process: pid_t = 0
        let status = spawn(packing.program, input: file.number, output: input.number, &process)
        guard status == 0 else {
            throw status == ENOENT
                ? JournalError(path: path, .programMissing(program: packing.program))
                : JournalError(path: path, SystemFailure("posix_spawn", code: status))
        }
        return Unpacker(program: packing.program, process: process)
    }

    private init(program: String, process: pid_t) {
        self.program = program
        self.process = process
    }

    /// A program that nobody reads from any more is stopped and waited for, so that none is left behind.
    deinit {
        guard process > 0 else { return }
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    private static func spawn(_ program: String, input: Int32, output: Int32, _ process: inout pid_t) -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        allowSignals(&attributes)
        let words: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup("-dc"), nil]
        defer { for word in words { free(word) } }
        return words.withUnsafeBufferPointer { arguments in
            guard let base = arguments.baseAddress else { return ENOMEM }
            return posix_spawnp(&process, program, &actions, &attributes, base, nil)
        }
    }

    #if canImport(Darwin)
    private typealias SpawnAttributes = posix_spawnattr_t?
    #else
    private typealias SpawnAttributes = posix_spawnattr_t
    #endif

    /// Lets the program have the signals that this process, or only this thread of it, blocks or ignores: without SIGPIPE it
    /// would not notice that nobody reads.
    private static func allowSignals(_ attributes: inout SpawnAttributes) {
        var none = sigset_t()
        var pipe = sigset_t()
        sigemptyset(&none)
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    /// Waits for the program's end, when everything was read.
    ///
    /// - Throws: ``JournalError`` where it ended with an error: the file is cut or damaged.
    mutating func finish(path: String) throws(JournalError) {
        guard process > 0 else { return }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { break }
        }
        process = 0
        let signal = status & 0x7F
        let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        if code != 0 { throw JournalError(path: path, .programFailed(program: program, status: code)) }
    }
}
