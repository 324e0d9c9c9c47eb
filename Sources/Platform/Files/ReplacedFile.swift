#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A file that takes another one's place when all of it is written.
///
/// Until then it lies beside it under a name of its own, and goes away when the work is given up or a signal ends the
/// program. A device or a pipe is written to.
package final class ReplacedFile {
    private let path: String
    /// The file beside the other; nil for a device, in whose place nothing is put.
    private let temporary: String?
    private let descriptor: FileDescriptor
    private let token: SignalHandling.Token?
    private var isInPlace = false

    /// Makes the file beside `path`, readable by its owner only unless the one it replaces is readable by others.
    ///
    /// - Throws: `SystemFailure` where that cannot be, or `path` is a folder.
    package init(_ path: String) throws(SystemFailure) {
        // Without a name there is only a template, which would make a hidden file.
        guard !path.isEmpty else { throw SystemFailure("open", code: ENOENT) }
        let replaced = try? FileStatus(path)
        // A rename would put a file in the place of the folder or the device.
        if replaced?.kind == .directory { throw SystemFailure("open", code: EISDIR) }
        if replaced?.kind == .other {
            let number = unsafe open(path, O_WRONLY | O_CLOEXEC)
            guard number >= 0 else { throw SystemFailure("open") }
            descriptor = FileDescriptor(owning: number)
            (self.path, temporary, token) = (path, nil, nil)
            return
        }
        let (made, token) = try SignalHandling.making { () throws(SystemFailure) in
            var template = Array((path + ".XXXXXX").utf8CString)
            let number = unsafe mkstemp(&template)
            guard number >= 0 else { throw SystemFailure("mkstemp") }
            let name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return ((name: name, number: number), { unsafe unlink(name) })
        }
        descriptor = FileDescriptor(owning: made.number)
        _ = fcntl(made.number, F_SETFD, FD_CLOEXEC)
        if let replaced { _ = fchmod(made.number, mode_t(replaced.permissions)) }
        self.path = path
        temporary = made.name
        self.token = token
    }

    deinit {
        if !isInPlace, let temporary { unsafe unlink(temporary) }
        if let token { SignalHandling.remove(token) }
    }

    package func append(_ bytes: [UInt8]) throws(SystemFailure) {
        try descriptor.write(bytes)
    }

    /// Puts it in its place, once its bytes are on the disk; what is added later is added there.
    package func replace() throws(SystemFailure) {
        guard let temporary else { return }
        guard fsync(descriptor.number) == 0 else { throw SystemFailure("fsync") }
        if isInPlace { return }
        guard unsafe rename(temporary, path) == 0 else { throw SystemFailure("rename") }
        isInPlace = true
    }
}
