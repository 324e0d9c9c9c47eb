/// Reads a journal's lines backwards, from a position towards the front.
///
/// It reads blocks from behind; lines lie in one buffer that grows to the longest of them. Numbers are not held against one
/// another: that is for the forward reader.
public struct BackwardRecordReader: ~Copyable {
    private let journal: JournalName
    private let source: ByteSource
    private var buffer: UnsafeMutableRawBufferPointer
    /// The buffer's first used byte: the used ones lie at its end.
    private var start: Int
    /// Behind the last byte of the line to come.
    private var end: Int
    /// Where `start` lies in the file.
    private var startOffset: Int

    private static let blockSize = 1 << 16

    init(path: String, source: ByteSource, from offset: Int) {
        journal = JournalName(path)
        self.source = source
        buffer = .allocate(byteCount: BackwardRecordReader.blockSize, alignment: 16)
        start = buffer.count
        end = buffer.count
        startOffset = offset
    }

    deinit { buffer.deallocate() }

    /// The line before, nil at the front.
    ///
    /// - Throws: ``JournalError`` with the damage; the next call goes on before it.
    public mutating func next() throws(JournalError) -> RecordLine? {
        guard let line = try nextRaw() else { return nil }
        if let head = LineHead(anyForm: line.bytes), head.isEnded(line.bytes) {
            return make(line, head.seq, head.kind, members: head.end)
        }
        switch LineForm(line.bytes) {
        case .record(let seq, let kind): return make(line, seq, kind, members: 0)
        case .damaged(let reason, let byte):
            let number = try? LineCounter(source).line(at: ByteOffset(line.offset))
            throw JournalError(
                path: journal.path,
                .damage(JournalDamage(line: number, offset: ByteOffset(line.offset + byte), reason: reason)))
        }
    }

    /// The line before that begins as it must; damage is passed over.
    mutating func nextUsual() throws(JournalError) -> RecordLine? {
        while let line = try nextRaw() {
            if let head = LineHead(anyForm: line.bytes), head.isEnded(line.bytes) {
                return make(line, head.seq, head.kind, members: head.end)
            }
        }
        return nil
    }

    private func make(_ line: RawLine, _ seq: Int, _ kind: RecordKind, members: Int) -> RecordLine {
        RecordLine(
            seq: CommitNumber(seq), kind: kind, offset: ByteOffset(line.offset), number: nil, bytes: line.bytes,
            hasNewline: line.hasNewline, resumed: false, membersStart: members, journal: journal)
    }

    /// One line's bytes, not looked at.
    struct RawLine {
        let bytes: UnsafeRawBufferPointer
        let offset: Int
        let hasNewline: Bool
    }

    /// Takes the line before out of the buffer, nil at the front.
    mutating func nextRaw() throws(JournalError) -> RawLine? {
        if start == end, try !fill() { return nil }
        let newlineLength = buffer[end - 1] == 0x0A ? 1 : 0
        // Counted from `end`, which `fill` moves together with the bytes before it.
        var searched = newlineLength
        while true {
            if let newline = lastNewline(before: end - searched) { return take(from: newline + 1, newlineLength) }
            searched = end - start
            if try !fill() { return take(from: start, newlineLength) }
        }
    }

    private mutating func take(from front: Int, _ newlineLength: Int) -> RawLine {
        let line = RawLine(
            bytes: UnsafeRawBufferPointer(rebasing: buffer[front..<(end - newlineLength)]),
            offset: startOffset + (front - start), hasNewline: newlineLength > 0)
        end = front
        return line
    }

    /// The newline nearest before an index, in what is in the buffer.
    private func lastNewline(before index: Int) -> Int? {
        guard let base = buffer.baseAddress, index > start else { return nil }
        var place = index
        // Eight bytes at a time: with the newline's bits taken out, a zero byte borrows from its high bit.
        let (newlines, ones, highs): (UInt64, UInt64, UInt64) = (
            0x0A0A_0A0A_0A0A_0A0A, 0x0101_0101_0101_0101, 0x8080_8080_8080_8080
        )
        while place &- start >= 8 {
            let word = base.loadUnaligned(fromByteOffset: place &- 8, as: UInt64.self) ^ newlines
            if (word &- ones) & ~word & highs != 0 { break }
            place &-= 8
        }
        while place > start {
            place &-= 1
            if base.load(fromByteOffset: place, as: UInt8.self) == 0x0A { return place }
        }
        return nil
    }

    /// Reads one more block before what is there; false at the front of the file.
    private mutating func fill() throws(JournalError) -> Bool {
        guard startOffset > 0 else { return false }
        if end < buffer.count { dropTaken() }
        if start == 0 { try grow() }
        let wanted = min(start, startOffset, BackwardRecordReader.blockSize)
        var done = 0
        while done < wanted {
            let block = UnsafeMutableRawBufferPointer(rebasing: buffer[(start - wanted + done)..<start])
            let count = try source.read(into: block, at: startOffset - wanted + done)
            // The file was cut while it was read.
            if count == 0 { return false }
            done += count
        }
        start -= wanted
        startOffset -= wanted
        return true
    }

    /// Moves what is left to the buffer's end.
    private mutating func dropTaken() {
        let rest = end - start
        let moved = buffer.count - rest
        if rest > 0, let base = buffer.baseAddress { (base + moved).copyMemory(from: base + start, byteCount: rest) }
        start = moved
        end = buffer.count
    }

    private mutating func grow() throws(JournalError) {
        guard buffer.count <= Journal.lineLengthLimit else {
            throw JournalError(path: journal.path, .lineTooLong(line: nil, offset: ByteOffset(startOffset)))
        }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
        let used = end - start
        UnsafeMutableRawBufferPointer(rebasing: larger[(larger.count - used)...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
        buffer.deallocate()
        buffer = larger
        start = larger.count - used
        end = larger.count
    }
}
