#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file without a name: it is gone when its descriptor is closed, however the process ends.
package enum TemporaryFile {
    /// Makes an empty one, open for reading and writing.
    ///
    /// - Parameter folder: where it takes up room; `/tmp` where that is nil or empty.
    /// - Returns: its descriptor, which is the caller's to close and is not handed to programs that this one starts; negative
    ///   where it cannot be made, for the reason in `errno`.
    package static func open(in folder: String?) -> Int32 {
        let folder = folder.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(folder)/state-inspect-XXXXXX".utf8CString)
        return template.withUnsafeMutableBufferPointer { name -> Int32 in
            guard let base = name.baseAddress else { return -1 }
            let number = mkstemp(base)
            guard number >= 0 else { return number }
            unlink(base)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            return number
        }
    }

    /// Makes an empty one in TMPDIR.
    private static func make() throws(SystemFailure) -> FileDescriptor {
        let number = open(in: getenv("TMPDIR").map { String(cString: $0) })
        guard number >= 0 else { throw SystemFailure("mkstemp") }
        return FileDescriptor(owning: number)
    }

    /// Copies everything that a source has into a new one, rewound to its front.
    ///
    /// - Parameter size: gets the number of bytes.
    static func spool(_ source: ByteSource, path: String, size: inout Int) throws(JournalError) -> FileDescriptor {
        let file: FileDescriptor
        do throws(SystemFailure) { file = try make() } catch { throw JournalError(path: path, error) }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { block.deallocate() }
        size = 0
        while true {
            let count = try source.read(into: block, at: size)
            if count == 0 { break }
            do throws(SystemFailure) {
                try write(UnsafeRawBufferPointer(rebasing: block[..<count]), to: file)
            } catch {
                throw JournalError(path: path, error)
            }
            size += count
        }
        lseek(file.number, 0, SEEK_SET)
        return file
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: borrowing FileDescriptor) throws(SystemFailure)
    {
        guard let base = bytes.baseAddress else { return }
        var done = 0
        while done < bytes.count {
            let count = SystemCalls.plainWrite(file.number, base + done, bytes.count - done)
            if count > 0 { done += count } else if errno != EINTR { throw SystemFailure("write to a temporary file") }
        }
    }
}
