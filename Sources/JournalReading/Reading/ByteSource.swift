import JSONCore
import JournalFormat
import Platform
import Synchronization

/// The bytes of a journal: a file that is read at any place, or a pipe that is read once.
///
/// A file is read with pread(2) into the reader's buffer, not mapped: that is as fast, and a file that is cut short while it
/// is being read ends early, where a mapping of it would end the process.
final class ByteSource: Sendable {
    /// How far a pipe is, and what was read of it to see what it is.
    private struct Stream: ~Copyable, Sendable {
        /// Kept, so that a reader can begin at the front.
        var prefix: [UInt8]
        var position: Int
        var unpacker: Unpacker?
        var isAtEnd = false
        /// The last bytes that were read of a file that may be written anew.
        var last: [UInt8] = []
    }

    private let path: String
    private let descriptor: FileDescriptor
    /// Where the journal begins in a file.
    private let base: Int
    /// How many bytes there are, nil for a pipe.
    let size: Int?
    private let stream: Mutex<Stream>
    let isUnpacked: Bool
    /// How the end of what is there so far is waited beyond; nil where it is the end.
    let growth: Growth?
    let progress: Journal.Progress?
    /// Once it is made, nothing more is read: the answer is not wanted any more.
    private let stop: StopRequest?

    /// What is read as it is written: a file that grows, or a pipe.
    struct Growth: Sendable {
        let stop: StopRequest
        /// Whether it is a file, which has an end at any time.
        let isFile: Bool
        /// Whether it ends where another file takes its name, or its bytes are written anew: a log that is rotated.
        var mayRotate = false

        /// How many of the bytes that were read have to stand there still.
        static let checkedLength = 64

        /// How many milliseconds a wait lasts before the next check.
        static let interval: Int32 = 100
    }

    init(
        path: String, file: consuming FileDescriptor, base: Int = 0, size: Int, stop: StopRequest? = nil,
        progress: Journal.Progress?
    ) {
        self.path = path
        self.stop = stop
        self.progress = progress
        descriptor = file
        self.base = base
        self.size = size
        stream = Mutex(Stream(prefix: [], position: 0, unpacker: nil))
        isUnpacked = false
        growth = nil
    }

    /// A second source of this file that reports no progress; nil of a pipe, or where the system refuses it.
    func silent() -> ByteSource? {
        guard let size, let file = try? FileDescriptor.duplicating(descriptor.number) else { return nil }
        return ByteSource(path: path, file: file, base: base, size: size, stop: stop, progress: nil)
    }

    /// - Parameters:
    ///   - prefix: what was read of it already.
    ///   - growth: set where it is read as it is written; a file is read from where its descriptor stands.
    init(
        path: String, pipe: consuming FileDescriptor, prefix: [UInt8] = [], unpacker: consuming Unpacker? = nil,
        growth: Growth? = nil, stop: StopRequest? = nil, progress: Journal.Progress?
    ) {
        self.path = path
        self.stop = stop
        self.progress = progress
        self.growth = growth
        base = growth?.isFile == true ? pipe.offset() : 0
        descriptor = pipe
        size = nil
        isUnpacked = unpacker != nil
        stream = Mutex(Stream(prefix: prefix, position: prefix.count, unpacker: unpacker))
    }

    /// Reads bytes from an offset on, as many as there are and the buffer holds; 0 at the end.
    ///
    /// - Throws: ``JournalError`` where it cannot be read, is shorter than when it was opened, or is not to be read further.
    func read(
        into buffer: inout MutableSpan<UInt8>, atMost limit: Int = .max, at offset: Int
    ) throws(JournalError) -> Int {
        if stop?.isMade == true { throw JournalError(path: path, .stopped) }
        if let size {
            guard offset < size else { return 0 }
            let wanted = min(buffer.count, limit, size - offset)
            let count: Int
            do throws(SystemFailure) {
                count = try descriptor.read(into: &buffer, atMost: wanted, at: base + offset)
            } catch {
                throw failure(error)
            }
            // Half of a file must not be taken for the whole.
            if count == 0, wanted > 0 { throw JournalError(path: path, .cut(size: size, end: offset)) }
            return count
        }
        return try stream.withLock { (stream) throws(JournalError) in
            try read(from: &stream, into: &buffer, at: offset)
        }
    }

    private func read(
        from stream: inout Stream, into buffer: inout MutableSpan<UInt8>, at offset: Int
    ) throws(JournalError) -> Int {
        if offset < stream.prefix.count {
            let count = min(buffer.count, stream.prefix.count - offset)
            for index in 0..<count { buffer[index] = stream.prefix[offset + index] }
            return count
        }
        guard offset == stream.position else { throw JournalError(path: path, .notSeekable) }
        return try readOn(&stream, into: &buffer)
    }

    private func readOn(_ stream: inout Stream, into buffer: inout MutableSpan<UInt8>) throws(JournalError) -> Int {
        if stream.isAtEnd { return 0 }
        var count = 0
        do throws(SystemFailure) {
            while !isStopped() {
                if try isRewritten(stream) { break }
                count = try descriptor.read(into: &buffer)
                if count > 0 { break }
                guard try isGrowing(beyond: stream.position) else { break }
            }
        } catch {
            throw failure(error)
        }
        if count == 0, let growth, growth.isFile, !growth.mayRotate, !growth.stop.isMade {
            try checkLength(stream.position)
        }
        stream.position += count
        if growth?.mayRotate == true {
            stream.last = Array(
                (stream.last + (0..<count).suffix(Growth.checkedLength).map { buffer[$0] }).suffix(Growth.checkedLength)
            )
        }
        if count == 0 {
            stream.isAtEnd = true
            try stream.unpacker?.finish(path: path)
        }
        return count
    }

    /// Waits until a pipe that is followed has something to read, or is closed.
    ///
    /// - Returns: whether the wait was ended first.
    private func isStopped() -> Bool {
        guard let growth else { return false }
        while !growth.stop.isMade {
            if growth.isFile || !descriptor.isWaiting(milliseconds: Growth.interval) { return false }
        }
        return true
    }

    /// Lets time pass at the end of a file that is followed.
    ///
    /// - Returns: whether to check again.
    private func isGrowing(beyond end: Int) throws(SystemFailure) -> Bool {
        guard let growth, growth.isFile, try descriptor.status().byteCount - base >= end else { return false }
        // A file that is gone may come again.
        if growth.mayRotate, let named = try? FileStatus(path), try named.identity != descriptor.status().identity {
            return false
        }
        SystemClock.sleep(microseconds: Double(Growth.interval) * 1000)
        return true
    }

    private func isRewritten(_ stream: borrowing Stream) throws(SystemFailure) -> Bool {
        guard let growth, growth.isFile, growth.mayRotate, !stream.last.isEmpty else { return false }
        var found = [UInt8](repeating: 0, count: stream.last.count)
        var room = found.mutableSpan
        let count = try descriptor.read(into: &room, at: base + stream.position - stream.last.count)
        return count < stream.last.count || found != stream.last
    }

    /// Refuses a file that has lost what was read of it.
    private func checkLength(_ end: Int) throws(JournalError) {
        guard let size = try? descriptor.status().byteCount - base, size < end else { return }
        throw JournalError(path: path, .shortened(size: size, read: end))
    }

    /// Whether nothing more comes of what is followed, once its run has ended: what follows the end is there soon.
    var isAtRest: Bool {
        guard let growth else { return false }
        return growth.isFile ? isWaiting : descriptor.isWaiting(milliseconds: Growth.interval)
    }

    /// Whether nothing has come that was not read, and more may come: through a pipe, or of a file that is followed.
    var isWaiting: Bool {
        guard size == nil else { return false }
        guard let growth, growth.isFile else { return descriptor.isWaiting }
        return stream.withLock { stream in
            (try? descriptor.status().byteCount - base <= stream.position) ?? false
        }
    }

    /// Reads on until the kept front of a pipe holds a whole line, or `limit` bytes, or everything.
    func keepFirstLine(limit: Int) throws(JournalError) {
        guard size == nil else { return }
        try stream.withLock { (stream) throws(JournalError) in
            var block = [UInt8](repeating: 0, count: 1 << 16)
            while stream.prefix.count < limit, !stream.prefix.contains(UInt8(ascii: "\n")) {
                var room = block.mutableSpan
                let count = try readOn(&stream, into: &room)
                if count == 0 { break }
                stream.prefix += block[..<count]
            }
        }
    }

    private func failure(_ failure: SystemFailure) -> JournalError {
        failure.code == Errno.isDirectory ? JournalError(path: path, .directory) : JournalError(path: path, failure)
    }
}

extension ByteSource {
    /// - Complexity: O(*n*) in the bytes before it, as fast as they are read.
    func lineNumber(at offset: ByteOffset) throws(JournalError) -> LineNumber {
        var block = [UInt8](repeating: 0, count: 1 << 18)
        var (place, lines) = (0, 0)
        while place < offset.rawValue {
            var room = block.mutableSpan
            let count = try read(into: &room, at: place)
            if count == 0 { break }
            for byte in block[..<min(count, offset.rawValue - place)] where byte == 0x0A { lines &+= 1 }
            place += count
        }
        return LineNumber(lines + 1)
    }

    /// An error with the number of its line, which is counted now where it is not known.
    func numbered(_ error: JournalError) -> JournalError {
        guard size != nil, case .damage(var damage) = error.fact, damage.line == nil else { return error }
        damage.line = try? lineNumber(at: damage.offset)
        return JournalError(path: path, .damage(damage))
    }

    /// Where the first line begins at a place or after it; nil where no line before ends up to a limit.
    func lineStart(from place: Int, before limit: Int) throws(JournalError) -> Int? {
        if place == 0 { return 0 }
        // Some lines' worth.
        var block = [UInt8](repeating: 0, count: 1 << 12)
        var place = place - 1
        while place < limit {
            var room = block.mutableSpan
            let count = try min(read(into: &room, atMost: limit - place, at: place), limit - place)
            if count == 0 { return nil }
            let newline = block.withBytes { $0.extracting(..<count).firstIndex(of: 0x0A) }
            if let newline { return place + newline + 1 }
            place += count
        }
        return nil
    }
}
