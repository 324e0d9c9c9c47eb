#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// An open file that is closed exactly once, when its owner lets go of it.
///
/// None is handed to the programs that this one starts, unless it is given to them by name.
package struct FileDescriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(owning number: Int32) { self.number = number }

    deinit { _ = close(number) }

    // MARK: Opening

    /// Opens a file or a pipe for reading; a terminal opened so does not become the process's own.
    package static func reading(_ path: String) throws(SystemFailure) -> FileDescriptor {
        try open(path, O_RDONLY | O_NOCTTY)
    }

    /// Opens what is there, to examine it: waits for no pipe, and goes through no symbolic link.
    package static func existing(_ path: String) throws(SystemFailure) -> FileDescriptor {
        try open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Makes a file that is not there yet, for its owner only, to add to.
    package static func creating(_ path: String) throws(SystemFailure) -> FileDescriptor {
        try open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND, mode: 0o600)
    }

    /// Opens a file to add to, or makes it.
    package static func appending(_ path: String) throws(SystemFailure) -> FileDescriptor {
        try open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
    }

    /// Another descriptor of what one is open on that is owned elsewhere; never one of the standard three.
    package static func duplicating(_ number: Int32) throws(SystemFailure) -> FileDescriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw SystemFailure("dup") }
        return FileDescriptor(owning: copy)
    }

    /// A pipe: what is written to one end is read from the other.
    package static func pipe(
        reading: inout FileDescriptor?, writing: inout FileDescriptor?
    ) throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe systemPipe(&ends) == 0 else { throw SystemFailure("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    private static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemFailure) -> FileDescriptor {
        while true {
            let number = systemOpen(path, flags | O_CLOEXEC, mode)
            if number >= 0 { return FileDescriptor(owning: number) }
            if errno != EINTR { throw SystemFailure("open") }
        }
    }

    // MARK: Reading and writing

    /// Reads on, as many bytes as there are and the buffer holds; 0 at the end.
    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
        unsafe try FileDescriptor.read(from: number, into: buffer)
    }

    /// Reads from an offset on, as many bytes as there are and the buffer holds; 0 at the end.
    package borrowing func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemFailure) -> Int {
        while true {
            let count = unsafe pread(number, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw SystemFailure("read") }
        }
    }

    /// Reads on, as many bytes as there are and the span has room for, or up to a limit; 0 at the end.
    package borrowing func read(into room: inout MutableSpan<UInt8>, atMost limit: Int = .max) throws(SystemFailure)
        -> Int
    {
        let number = number
        return unsafe try room.withUnsafeMutableBytes { (buffer) throws(SystemFailure) in
            unsafe try FileDescriptor.read(
                from: number, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(limit)))
        }
    }

    /// Reads from an offset on, as many bytes as there are and the span has room for, or up to a limit; 0 at the end.
    package borrowing func read(
        into room: inout MutableSpan<UInt8>, atMost limit: Int = .max, at offset: Int
    ) throws(SystemFailure) -> Int {
        let number = number
        return unsafe try room.withUnsafeMutableBytes { (buffer) throws(SystemFailure) in
            while true {
                let count = unsafe pread(number, buffer.baseAddress, min(buffer.count, limit), off_t(offset))
                if count >= 0 { return count }
                if errno != EINTR { throw SystemFailure("read") }
            }
        }
    }

    /// Writes every byte.
    package borrowing func write(_ bytes: Span<UInt8>) throws(SystemFailure) {
        let number = number
        unsafe try bytes.withUnsafeBytes { (bytes) throws(SystemFailure) in
            unsafe try FileDescriptor.write(bytes, to: number)
        }
    }

    package borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
        unsafe try FileDescriptor.write(bytes, to: number)
    }

    package borrowing func write(_ bytes: [UInt8]) throws(SystemFailure) {
        try FileDescriptor.write(bytes, to: number)
    }

    /// Where the next byte is read; 0 for what has no such place.
    package borrowing func offset() -> Int { max(0, Int(lseek(number, 0, SEEK_CUR))) }

    package borrowing func rewind() throws(SystemFailure) {
        guard lseek(number, 0, SEEK_SET) == 0 else { throw SystemFailure("lseek") }
    }

    /// Takes everything out of the file, and goes back to its front.
    package borrowing func removeContent() throws(SystemFailure) {
        guard ftruncate(number, 0) == 0 else { throw SystemFailure("ftruncate") }
        try rewind()
    }

    /// Takes the advisory lock of the whole file; false where another process holds it.
    package borrowing func lock() -> Bool {
        flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// Whether a reader has to wait: there is nothing to read, and the writer at the other end has not closed it.
    package var isWaiting: Bool { isWaiting(milliseconds: 0) }

    package func isWaiting(milliseconds: Int32) -> Bool {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&request, 1, milliseconds)
        return count == 0 || (count < 0 && errno == EINTR)
    }

    package borrowing func status() throws(SystemFailure) -> FileStatus { try FileStatus(descriptor: number) }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { unsafe open(path, flags, mode) }

private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
