#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that whole lines are added to.
final class AppendedFile {
    /// Whether it was empty when it was opened.
    let isNew: Bool

    private let descriptor: Int32

    /// Opens a file, or makes it.
    init(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        self.descriptor = descriptor
        isNew = lseek(descriptor, 0, SEEK_END) == 0
    }

    deinit { close(descriptor) }

    /// Adds bytes to its end.
    func append(_ bytes: [UInt8]) throws(SystemError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(OutputError) in try SystemCall.writeAll(bytes, to: descriptor) }
        }
        if case .failure(.refused(let code)) = result { throw SystemError(code: code) }
    }
}
