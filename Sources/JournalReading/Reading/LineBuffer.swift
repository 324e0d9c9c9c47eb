import JSONCore
import JournalFormat

/// The lines of a part of a file, in one buffer that grows to the longest of them: nothing is allocated for a line.
struct LineBuffer: ~Copyable {
    /// One line's bytes, which nothing has looked at; they last until the next line is taken.
    struct RawLine {
        let bytes: ByteView
        let offset: Int
        let hasNewline: Bool
    }

    private let source: ByteSource
    private let limit: Int
    private var bytes = PinnedArray<UInt8>(repeating: 0, count: LineBuffer.blockSize)
    /// Where the buffer's first byte lies in the file.
    private var start: Int
    private var filled = 0
    private var cursor = 0
    /// Up to here no end of a line was found.
    private var scanned = 0
    private var isAtEnd = false

    /// How many bytes are read at once: few enough to stay in the processor's cache while the lines are looked at.
    static let blockSize = 1 << 16

    init(_ source: ByteSource, from start: Int, to limit: Int) {
        self.source = source
        self.start = start
        self.limit = limit
    }

    /// Where the next line begins in the file.
    var offset: Int { start &+ cursor }

    /// Up to where the file was read.
    var end: Int { start &+ filled }

    var isEmpty: Bool { isAtEnd && cursor >= filled }

    /// Whether the next line is in the buffer as far as to its end.
    var hasWholeLine: Bool { bytes.bytes(cursor..<filled).firstIndex(of: 0x0A) != nil }

    /// Takes the next line, if all of it is in the buffer.
    @inline(__always)
    mutating func take() -> RawLine? {
        // The cursor is before what was scanned, that before what was filled, and that within the buffer.
        guard let newline = unsafe bytes.bytes(unchecked: scanned, to: filled).firstIndex(of: 0x0A) else { return nil }
        return take(through: scanned &+ newline, hasNewline: true)
    }

    /// Takes what is left when the file has ended: a last line without a newline.
    mutating func takeRest() -> RawLine? {
        isAtEnd && cursor < filled ? take(through: filled, hasNewline: false) : nil
    }

    @inline(__always)
    private mutating func take(through end: Int, hasNewline: Bool) -> RawLine {
        // The cursor is at most where the line ends, and that within what was filled.
        let line = unsafe RawLine(
            bytes: bytes.bytes(unchecked: cursor, to: end), offset: start &+ cursor, hasNewline: hasNewline)
        cursor = hasNewline ? end &+ 1 : end
        scanned = cursor
        return line
    }

    /// Reads on after the bytes that are there, which move to the front.
    ///
    /// - Parameters:
    ///   - stopsAtRest: whether a file that grows no more ends here, whatever its limit is.
    ///   - lines: how many lines are before the next one, for messages.
    /// - Returns: whether there may be more.
    mutating func fill(stopsAtRest: Bool, of journal: JournalName, after lines: Int?) throws(JournalError) -> Bool {
        guard !isAtEnd else { return false }
        scanned = filled
        if cursor > 0 { discardTaken() }
        if filled == bytes.count { try grow(journal, after: lines) }
        let rest = stopsAtRest && source.isAtRest ? 0 : limit - end
        let wanted = min(bytes.count - filled, rest)
        guard wanted > 0 else {
            isAtEnd = true
            return false
        }
        let (source, end) = (source, end)
        let count = try bytes.write(filled..<(filled + wanted)) { (room) throws(JournalError) in
            try source.read(into: &room, at: end)
        }
        isAtEnd = count == 0
        filled += count
        return !isAtEnd
    }

    /// Goes on at a place in the file; what is in the buffer still is not read again, since a stream cannot be.
    mutating func move(to offset: Int) {
        if offset >= start, offset < end {
            cursor = offset &- start
        } else {
            (start, cursor, filled, isAtEnd) = (offset, 0, 0, false)
        }
        scanned = cursor
    }

    private mutating func discardTaken() {
        let rest = filled - cursor
        bytes.move(cursor..<filled, to: 0)
        start += cursor
        (cursor, filled, scanned) = (0, rest, rest)
    }

    private mutating func grow(_ journal: JournalName, after lines: Int?) throws(JournalError) {
        guard filled < Journal.lineLengthLimit else {
            throw JournalError(
                path: journal.path,
                .lineTooLong(line: lines.map { LineNumber($0 + 1) }, offset: ByteOffset(start)))
        }
        bytes.move(0..<filled, to: 0, count: min(bytes.count * 2, Journal.lineLengthLimit + 1))
    }
}

/// What is in a line that bytes of zero stand in: the fault, what stands before them, and where the next line begins, if it does in it.
typealias LineParts = (
    fault: JournalDamage.Reason, front: LineBuffer.RawLine?, record: (seq: Int, kind: RecordKind, members: Int)?,
    next: Int?
)

extension LineBuffer.RawLine {
    /// What stands before bytes of zero in it, as a loss of power leaves them between whole records.
    ///
    /// - Returns: nil for other damage, and for such an end of the file.
    func parts(_ reason: JournalDamage.Reason, _ tape: LineTape) -> LineParts? {
        if reason == .blank { return hasNewline ? (reason, nil, nil, nil) : nil }
        guard reason == .zeros, let zeros = bytes.firstIndex(of: 0) else { return nil }
        let next = (zeros..<bytes.count).first { ![0, 0x20, 0x0D].contains(bytes[$0]) }
        guard next != nil || hasNewline || zeros > 0 else { return nil }
        let front = Self(bytes: bytes.extracting(..<zeros), offset: offset, hasNewline: true)
        guard zeros > 0 else { return (reason, nil, nil, next) }
        switch LineForm(front.bytes, tape) {
        case .record(let seq, let kind, let members): return (reason, front, (seq, kind, members), next)
        case .damaged(let reason, _): return (reason, nil, nil, next)
        }
    }
}
