package import JSONCore
package import Platform

/// The bytes of a file that is not a journal, read from front to back as those of journals are: from standard input,
/// through the program that unpacks them, and on as the file grows.
package final class ByteInput {
    private let source: ByteSource
    private var offset = 0
    private var piece = PinnedArray<UInt8>(repeating: 0, count: 1 << 18)

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: a path, or `-` for standard input.
    ///   - stop: given where the end of the file is waited beyond; ends the wait.
    ///   - progress: called with how far reading has come.
    /// - Throws: ``JournalError`` where it cannot be read.
    package init(
        _ path: String, until stop: StopRequest? = nil, progress: Journal.Progress? = nil
    ) throws(JournalError) {
        source = try JournalOpening(
            path: path, progress: progress, stop: stop, isFollowed: stop != nil, awaitsFile: stop != nil
        ).source()
    }

    /// How many bytes there are; nil for what is read once.
    package var byteCount: Int? { source.size }

    /// Whether a reader has to wait for a writer.
    package var isWaiting: Bool { source.isWaiting }

    /// Hands on the next bytes, at least one; false at the end.
    ///
    /// - Parameter commits: how many commits were made of what was read so far.
    package func read(
        commits: Int, _ body: (ByteView) throws -> Void
    ) throws -> Bool {
        let count = try piece.write(0..<piece.count) { (room) throws(JournalError) in
            try source.read(into: &room, at: offset)
        }
        guard count > 0 else { return false }
        offset += count
        source.progress?(offset, commits)
        try body(piece.bytes(0..<count))
        return true
    }
}
