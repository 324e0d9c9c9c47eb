#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An open file that is closed exactly once, when its owner lets go of it.
struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32

    /// Takes over a descriptor that is open.
    init(owning number: Int32) { self.number = number }

    deinit { _ = close(number) }

    /// Opens a file; the descriptor is not handed to programs that this one starts.
    static func open(_ path: String, flags: Int32, mode: mode_t = 0) throws(SystemFailure) -> FileDescriptor {
        while true {
            #if canImport(Glibc)
            let number = Glibc.open(path, flags | O_CLOEXEC, mode)
            #elseif canImport(Musl)
            let number = Musl.open(path, flags | O_CLOEXEC, mode)
            #else
            let number = Darwin.open(path, flags | O_CLOEXEC, mode)
            #endif
            if number >= 0 { return FileDescriptor(owning: number) }
            if errno != EINTR { throw SystemFailure("open") }
        }
    }

    /// What the system knows of the open file.
    borrowing func status() throws(SystemFailure) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemFailure("fstat") }
        return status
    }

    /// Takes the advisory lock of the whole file, false where another process holds it.
    borrowing func lock() -> Bool {
        flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }
}

extension stat {
    /// Whether this is of a regular file.
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }

    /// Whether this is of a directory.
    var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
}
