#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import JournalFormat

/// What a program that is asked reads from its standard input: a file without a name, written anew for each question.
struct QuestionFile: ~Copyable {
    /// Open for reading and writing.
    let descriptor: Int32

    /// Makes an empty file in the folder that the environment names for such files.
    init(_ environment: Environment) throws(SystemError) {
        let descriptor = TemporaryFile.open(in: environment["TMPDIR"])
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        self.descriptor = descriptor
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
