#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A file that grows: what is appended in one piece is in it whole, or not at all.
package struct AppendedFile: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    private let calls: SystemCalls
    /// How many bytes of whole pieces the file holds.
    package private(set) var size: Int
    /// Whether a part of a piece lies after `size`, which must be cut off before anything else is written.
    private var hasFragment = false

    /// Goes on with an open file that holds `size` bytes, and writes at its end.
    package init(_ descriptor: consuming FileDescriptor, size: Int = 0, calls: SystemCalls = unsafe SystemCalls()) {
        self.descriptor = descriptor
        self.size = size
        self.calls = calls
    }

    /// Opens a file to add to, or makes it.
    package init(_ path: String) throws(SystemFailure) {
        let descriptor = try FileDescriptor.appending(path)
        let size = try descriptor.status().byteCount
        self.init(descriptor, size: size)
    }

    /// Appends a piece with one `write(2)`; one that takes in only a part is gone on with, and cut off again if the rest
    /// cannot be written.
    package mutating func append(_ piece: [UInt8]) throws(SystemFailure) {
        unsafe try piece.withUnsafeBufferPointer { (bytes) throws(SystemFailure) in
            unsafe try append(UnsafeRawBufferPointer(bytes))
        }
    }

    private mutating func append(_ piece: UnsafeRawBufferPointer) throws(SystemFailure) {
        guard let base = piece.baseAddress, unsafe !piece.isEmpty else { return }
        if hasFragment { try cutFragment() }
        // A write past the limit of a file's size raises a signal, which by default ends the process.
        guard piece.count <= FileSystem.sizeLimit - size else { throw SystemFailure("write", code: EFBIG) }
        var done = 0
        while done < piece.count {
            let count = unsafe calls.write(descriptor.number, base + done, piece.count - done)
            if count > 0 {
                done += min(count, piece.count - done)
            } else {
                let code = count == 0 ? ENOSPC : errno
                if code == EINTR { continue }
                if code == EAGAIN {
                    FileDescriptor.waitUntilWritable(descriptor.number, milliseconds: 100)
                    continue
                }
                hasFragment = done > 0
                if hasFragment { try? cutFragment() }
                throw SystemFailure("write", code: code)
            }
        }
        size += piece.count
    }

    private mutating func cutFragment() throws(SystemFailure) {
        // Something else may have truncated the file: it must not grow here.
        let isShorter = ((try? descriptor.status().byteCount) ?? size) < size
        guard isShorter || calls.truncate(descriptor.number, size) >= 0 else { throw SystemFailure("ftruncate") }
        hasFragment = false
    }

    package borrowing func sync() throws(SystemFailure) {
        while calls.sync(descriptor.number) < 0 {
            if errno != EINTR { throw SystemFailure("fsync") }
        }
    }
}
