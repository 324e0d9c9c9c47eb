#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The calls of the system that more than one part needs, with interruptions and short counts taken care of.
enum SystemCall {
    /// What the system says about an `errno`.
    static func message(_ code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text).lowercased()
    }

    /// Writes every byte, however often `write(2)` takes only a part.
    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(OutputError) {
        var rest = bytes[...]
        while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            let count = write(descriptor, base, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN, waitUntilWritable(descriptor) { continue }
                throw errno == EPIPE ? .closed : .refused(errno)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads a descriptor to its end.
    ///
    /// - Returns: the bytes, or the `errno` of the read that was refused.
    static func readAll(_ descriptor: Int32) -> Result<[UInt8], SystemError> {
        var bytes: [UInt8] = []
        let chunk = 1 << 16
        while true {
            let filled = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: chunk))
            let count = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { read(descriptor, $0 + filled, chunk) } ?? 0
            }
            let code = errno
            bytes.removeLast(chunk - max(0, count))
            if count == 0 { return .success(bytes) }
            if count < 0, code != EINTR { return .failure(SystemError(code: code)) }
        }
    }

    /// Opens a file for reading and reads all of it.
    static func readFile(_ path: String) -> Result<[UInt8], SystemError> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(SystemError(code: errno)) }
        defer { close(descriptor) }
        return readAll(descriptor)
    }

    /// Lets time pass, at most a day.
    static func sleep(microseconds: Double) {
        let whole = Int(min(max(0, microseconds), 86_400e6))
        var rest = timespec(tv_sec: whole / 1_000_000, tv_nsec: whole % 1_000_000 * 1000)
        var left = timespec()
        while nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
    }

    /// Whether a person may be at the other end.
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The columns of a terminal; nil where it does not tell.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static func waitUntilWritable(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, -1) >= 0 || errno == EINTR
    }
}

/// What the system said no with.
struct SystemError: Error, Equatable {
    /// The `errno`.
    let code: Int32
}
