import Platform

/// How a file is packed, as its first bytes show.
enum Packing: Sendable {
    case gzip
    case zstd

    private static let all: [Packing] = [.gzip, .zstd]

    /// RFC 1952 section 2.3.1, RFC 8878 section 3.1.1.
    private var magic: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        }
    }

    init?(magic: some Collection<UInt8>) {
        guard let packing = Self.all.first(where: { magic.starts(with: $0.magic) }) else { return nil }
        self = packing
    }

    /// How many of the first bytes show the packing.
    static let magicLength = 4

    /// Whether more than these first bytes are needed to see the packing: those of a text are not waited for.
    static func mayBegin(with bytes: [UInt8]) -> Bool {
        all.contains { bytes.count < $0.magic.count && $0.magic.starts(with: bytes) }
    }

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
    /// Nil once its end was waited for.
    private(set) var process: ChildProcess?

    /// Starts the program with the file as its standard input.
    static func start(
        _ packing: Packing, reading file: borrowing FileDescriptor, path: String, output: inout FileDescriptor?
    ) throws(JournalError) -> Unpacker {
        var input: FileDescriptor?
        do throws(SystemFailure) {
            try FileDescriptor.pipe(reading: &output, writing: &input)
            let process = try ChildProcess.start(
                [packing.program, "-dc"], environment: .ofProcess(), input: .descriptor(file.number),
                output: .descriptor(input?.number ?? -1), error: .nothing)
            return Unpacker(program: packing.program, process: process)
        } catch {
            throw error.code == Errno.noSuchFileOrDirectory
                ? JournalError(path: path, .programMissing(program: packing.program)) : JournalError(path: path, error)
        }
    }

    private init(program: String, process: ChildProcess) {
        self.program = program
        self.process = process
    }

    /// A program that is no longer read from is stopped and waited for, so that none is left over.
    deinit {
        process?.kill()
        _ = process?.wait()
    }

    /// Waits for the program's end, when everything was read.
    ///
    /// - Throws: ``JournalError`` where it ended with an error: the file is cut or damaged.
    mutating func finish(path: String) throws(JournalError) {
        guard let ended = process.take()?.wait(), ended != .status(0) else { return }
        let status: Int32 =
            switch ended {
            case .status(let status): status
            case .signal(let number): 128 + number
            }
        throw JournalError(path: path, .programFailed(program: program, status: status))
    }
}
