#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file without a name: it is gone when it is closed, whatever happens to the program.
struct TemporaryFile: ~Copyable {
    /// Open for reading and writing.
    let descriptor: Int32

    /// Makes an empty file in the folder that the environment names for such files.
    init(_ environment: Environment) throws(SystemError) {
        let folder = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array((folder + "/state-inspect.XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit { close(descriptor) }

    /// Writes these bytes and goes back to the first of them.
    func replaceContent(with bytes: [UInt8]) throws(SystemError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemError(code: errno) }
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(OutputError) in try SystemCall.writeAll(bytes, to: descriptor) }
        }
        if case .failure(.refused(let code)) = result { throw SystemError(code: code) }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemError(code: errno) }
    }
}
