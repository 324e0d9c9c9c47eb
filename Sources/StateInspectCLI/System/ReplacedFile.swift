#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that takes another one's place when all of it is written.
///
/// Until then it lies beside it under a name of its own, and goes away when the work is given up or interrupted.
final class ReplacedFile {
    private let path: String
    private let temporary: String
    private let descriptor: Int32
    private let token: Interruption.Token
    private var isInPlace = false

    /// Makes the file beside `path`, readable by its owner only unless the one it replaces is readable by others.
    ///
    /// - Throws: `SystemError` where that cannot be, or `path` is no regular file.
    init(_ path: String) throws(SystemError) {
        // Without a name there is only a template, which would make a hidden file.
        guard !path.isEmpty else { throw SystemError(code: ENOENT) }
        var mode: mode_t?
        var status = stat()
        if stat(path, &status) == 0 {
            // A rename would put a file in the place of the folder or the device.
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw SystemError(code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENOTSUP)
            }
            mode = status.st_mode & 0o777
        }
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if let mode { _ = fchmod(descriptor, mode) }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.path = path
        self.temporary = temporary
        self.descriptor = descriptor
        token = Interruption.onInterrupt { unlink(temporary) }
    }

    deinit {
        close(descriptor)
        if !isInPlace { unlink(temporary) }
        Interruption.remove(token)
    }

    /// Adds bytes to its end.
    func append(_ bytes: [UInt8]) throws(SystemError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(OutputError) in try SystemCall.writeAll(bytes, to: descriptor) }
        }
        if case .failure(let error) = result {
            if case .refused(let code) = error { throw SystemError(code: code) }
            throw SystemError(code: EPIPE)
        }
    }

    /// Puts it in its place, once its bytes are on the disk.
    func replace() throws(SystemError) {
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw SystemError(code: errno) }
        isInPlace = true
    }

    /// Whether two paths lead to one file; `-` is standard input.
    static func isSame(_ path: String, _ input: String, standardInput: Int32) -> Bool {
        var left = stat()
        var right = stat()
        guard stat(path, &left) == 0 else { return false }
        guard input == "-" ? fstat(standardInput, &right) == 0 : stat(input, &right) == 0 else { return false }
        return left.st_dev == right.st_dev && left.st_ino == right.st_ino
    }
}
