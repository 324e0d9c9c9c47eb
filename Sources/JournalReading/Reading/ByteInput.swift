package import JSONCore
import JournalFormat
package import Platform

/// The bytes of a file that is not a journal, read from front to back as those of journals are: from standard input,
/// through the program that unpacks them, and on as the file grows.
///
/// A file that is waited beyond may be rotated: where another one takes its name, or it is emptied or written anew, reading goes
/// on at the front.
package final class ByteInput {
    private var source: ByteSource
    private let opening: JournalOpening
    /// How often reading went on at the front of the file.
    package private(set) var rotations = 0
    private var offset = 0
    private var piece = PinnedArray<UInt8>(repeating: 0, count: 1 << 18)

    /// - Parameters:
    ///   - path: a path, or `-` for standard input.
    ///   - stop: ends a wait for what is written.
    ///   - awaitsFile: whether the end of a file is waited beyond, too, not only that of what a pipe holds.
    package init(
        _ path: String, until stop: StopRequest? = nil, awaitsFile: Bool = false, progress: Journal.Progress? = nil
    ) throws(JournalError) {
        opening = JournalOpening(
            path: path, progress: progress, stop: stop, isFollowed: stop != nil, awaitsFile: awaitsFile,
            mayRotate: awaitsFile && path != "-")
        source = try opening.source()
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
        var count = try nextCount()
        while count == 0, source.growth?.mayRotate == true, source.growth?.stop.isMade == false {
            // Between two names there may be none.
            if let next = try? opening.source() { (source, offset, rotations) = (next, 0, rotations + 1) }
            count = try nextCount()
        }
        guard count > 0 else { return false }
        offset += count
        source.progress?(offset, commits)
        try body(piece.bytes(0..<count))
        return true
    }

    /// How many lines there are; nil for what is read once.
    ///
    /// - Complexity: O(*n*) in the bytes.
    package func lineCount() throws(JournalError) -> Int? {
        guard let size = source.size else { return nil }
        return try source.lineNumber(at: ByteOffset(max(0, size - 1))).rawValue
    }

    /// Hands on the lines of a file from the last one to the first, several at a time, each with a newline.
    package func readBackward(_ body: (ByteView) throws -> Void) throws {
        let newline = UInt8(ascii: "\n")
        // The rest of a line whose beginning was not read yet.
        var (end, rest) = (source.size ?? 0, [UInt8]())
        while end > 0 {
            let length = min(end, piece.count)
            var block = [UInt8](repeating: 0, count: length)
            var room = block.mutableSpan
            let count = try source.read(into: &room, at: end - length)
            guard count == length else {
                throw JournalError(path: opening.path, .cut(size: end, end: end - length + count))
            }
            end -= length
            block += rest
            var (lines, upper) = ([UInt8](), block.count)
            while upper > 0, let place = block[..<(upper - 1)].lastIndex(of: newline) ?? (end == 0 ? -1 : nil) {
                lines += block[(place + 1)..<upper]
                if lines.last != newline { lines.append(newline) }
                upper = place + 1
            }
            rest = Array(block[..<upper])
            if !lines.isEmpty { try lines.withBytes(body) }
        }
    }

    private func nextCount() throws(JournalError) -> Int {
        try piece.write(0..<piece.count) { (room) throws(JournalError) in try source.read(into: &room, at: offset) }
    }
}
