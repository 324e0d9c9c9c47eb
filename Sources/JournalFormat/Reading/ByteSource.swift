import Platform
import Synchronization

/// The bytes of a journal: a file that is read at any place, or a pipe that is read once.
///
/// A file is read with pread(2) into the reader's buffer, not mapped: that is as fast, and a file that somebody cuts while it
/// is being read ends early, where a mapping of it would end the process.
final class ByteSource: Sendable {
    /// How far a pipe is, and what was read of it to see what it is.
    private struct Stream: ~Copyable, Sendable {
        /// Kept, so that a reader can begin at the front.
        var prefix: [UInt8]
        /// How many bytes were read in all.
        var position: Int
        /// The program at its other end.
        var unpacker: Unpacker?
        var isAtEnd = false
    }

    private let path: String
    private let descriptor: FileDescriptor
    /// Where the journal begins in a file.
    private let base: Int
    /// How many bytes there are, nil for a pipe.
    let size: Int?
    private let stream: Mutex<Stream>
    /// Whether a program unpacks what is read.
    let isUnpacked: Bool

    /// Reads a regular file, from `base` on.
    init(path: String, file: consuming FileDescriptor, base: Int = 0, size: Int) {
        self.path = path
        descriptor = file
        self.base = base
        self.size = size
        stream = Mutex(Stream(prefix: [], position: 0, unpacker: nil))
        isUnpacked = false
    }

    /// Reads what a pipe held.
    convenience init(path: String, spooled: consuming SpooledFile) {
        let size = spooled.size
        self.init(path: path, file: spooled.descriptor, size: size)
    }

    /// Reads a pipe.
    ///
    /// - Parameters:
    ///   - prefix: what was read of it already.
    ///   - unpacker: the program at its other end.
    init(path: String, pipe: consuming FileDescriptor, prefix: [UInt8] = [], unpacker: consuming Unpacker? = nil) {
        self.path = path
        descriptor = pipe
        base = 0
        size = nil
        isUnpacked = unpacker != nil
        stream = Mutex(Stream(prefix: prefix, position: prefix.count, unpacker: unpacker))
    }

    /// Reads bytes from an offset on, as many as there are and the buffer holds; 0 at the end.
    ///
    /// - Throws: ``JournalError`` where it cannot be read, or is shorter than when it was opened.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JournalError) -> Int {
        if let size {
            guard offset < size else { return 0 }
            let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, size - offset)])
            let count: Int
            do throws(SystemFailure) { count = try descriptor.read(into: wanted, at: base + offset) } catch {
                throw failure(error)
            }
            // Half of a file must not be taken for the whole.
            if count == 0, !wanted.isEmpty { throw JournalError(path: path, .cut(size: size, end: offset)) }
            return count
        }
        return try stream.withLock { (stream) throws(JournalError) in
            try read(from: &stream, into: buffer, at: offset)
        }
    }

    private func read(
        from stream: inout Stream, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(JournalError) -> Int {
        if offset < stream.prefix.count {
            let count = min(buffer.count, stream.prefix.count - offset)
            buffer.copyBytes(from: stream.prefix[offset..<(offset + count)])
            return count
        }
        guard offset == stream.position else { throw JournalError(path: path, .notSeekable) }
        return try readOn(&stream, into: buffer)
    }

    private func readOn(_ stream: inout Stream, into buffer: UnsafeMutableRawBufferPointer) throws(JournalError) -> Int
    {
        if stream.isAtEnd { return 0 }
        let count: Int
        do throws(SystemFailure) { count = try descriptor.read(into: buffer) } catch { throw failure(error) }
        stream.position += count
        if count == 0 {
            stream.isAtEnd = true
            try stream.unpacker?.finish(path: path)
        }
        return count
    }

    /// Whether nothing has come through a pipe that was not read, and its writer has not closed it.
    var isWaiting: Bool { size == nil && descriptor.isWaiting }

    /// Reads on until the kept front of a pipe holds a whole line, or `limit` bytes, or everything.
    func keepFirstLine(limit: Int) throws(JournalError) {
        guard size == nil else { return }
        try stream.withLock { (stream) throws(JournalError) in
            var block = [UInt8](repeating: 0, count: 1 << 16)
            while stream.prefix.count < limit, !stream.prefix.contains(UInt8(ascii: "\n")) {
                let count = try block.withUnsafeMutableBufferPointer { (buffer) throws(JournalError) in
                    try readOn(&stream, into: UnsafeMutableRawBufferPointer(buffer))
                }
                if count == 0 { break }
                stream.prefix += block[..<count]
            }
        }
    }

    private func failure(_ failure: SystemFailure) -> JournalError {
        failure.code == Errno.isDirectory ? JournalError(path: path, .directory) : JournalError(path: path, failure)
    }
}
