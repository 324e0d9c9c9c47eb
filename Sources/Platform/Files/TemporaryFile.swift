#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A file without a name: it is gone when its descriptor is closed, however the process ends.
package enum TemporaryFile {
    /// Makes an empty one, open for reading and writing.
    ///
    /// - Parameter folder: where it takes up room; `/tmp` where that is nil or empty.
    package static func make(in folder: String? = Environment.variable("TMPDIR")) throws(SystemFailure)
        -> FileDescriptor
    {
        let folder = folder.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(folder)/state-inspect-XXXXXX".utf8CString)
        let number = unsafe mkstemp(&template)
        guard number >= 0 else {
            let code = errno
            // The folder comes from the environment, so the message has to name it.
            throw SystemFailure("mkstemp in \(folder)", code: code)
        }
        unsafe unlink(template)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return FileDescriptor(owning: number)
    }
}
