import JSONCore
public import JournalFormat

/// Reads a journal's lines backwards, from a position towards the front, and checks of them what ``RecordReader`` does: numbers
/// count down as they count up forwards.
///
/// It reads blocks from the end on; lines lie in one buffer that grows to the longest of them.
public struct BackwardRecordReader: ~Copyable {
    private let journal: JournalName
    private let source: ByteSource
    private let tape = LineTape()
    private var buffer = PinnedArray<UInt8>(repeating: 0, count: BackwardRecordReader.blockSize)
    /// The buffer's first used byte: the used ones lie at its end.
    private var start: Int
    /// After the last byte of the line to come.
    private var end: Int
    private var startOffset: Int
    private let firstOffset: Int
    /// The line after the one to come; nil where none was read, or damage lies in between.
    private var follower: Follower?
    /// What a reader that recovers leaves out, in ascending order.
    private var skipped: [Range<Int>]

    /// What was left out, where the reader recovers.
    public let damages: [JournalError]
    /// The commit after the last one, where nothing after damage could be read up to the end: at least one was lost
    /// then.
    public let lostEnd: ClosedRange<CommitNumber>?

    /// What a line says of the one before it.
    private struct Follower {
        let seq: Int
        let kind: RecordKind
        let offset: Int
        /// The number that the line before has to carry.
        let before: Int

        init(_ line: RecordLine) throws(JournalError) {
            seq = line.seq.rawValue
            kind = line.kind
            offset = line.offset.rawValue
            before =
                switch kind {
                case .commit: seq - 1
                case .gap: try line.firstLost().rawValue - 1
                default: seq
                }
        }
    }

    private static let blockSize = 1 << 16

    init(
        path: String, source: ByteSource, from offset: Int, skipping skipped: [Range<Int>] = [],
        damages: [JournalError] = [], lostEnd: ClosedRange<CommitNumber>? = nil
    ) {
        journal = JournalName(path)
        self.source = source
        self.skipped = skipped
        self.damages = damages
        self.lostEnd = lostEnd
        start = buffer.count
        end = buffer.count
        startOffset = offset
        firstOffset = offset
    }

    /// The line before, nil at the front.
    ///
    /// - Throws: ``JournalError`` with the damage; the next call goes on before it.
    public mutating func next() throws(JournalError) -> RecordLine? {
        try next { _ in .wanted }
    }

    /// The next line that a filter wants; the others are checked as far as they were examined.
    mutating func next(_ verdict: (borrowing RecordLine) -> RecordFilter.Verdict) throws(JournalError) -> RecordLine? {
        while let line = try step() {
            switch verdict(line) {
            case .wanted:
                do throws(JournalError) { try line.checkContent() } catch { throw source.numbered(error) }
                return line
            case .cleared: break
            case .passedOver:
                do throws(JournalError) { try line.checkEnd() } catch { throw source.numbered(error) }
            }
        }
        return nil
    }

    private mutating func step() throws(JournalError) -> RecordLine? {
        skipDamage()
        guard let raw = try nextRaw() else { return nil }
        let following = follower.take()
        let line = try record(raw)
        do throws(JournalError) { follower = try Follower(line) } catch { throw source.numbered(error) }
        if line.kind == .journal, raw.offset > 0 { throw damage(.secondHeader, at: raw.offset) }
        if let following, following.before != line.seq.rawValue { throw outOfOrder(following, line) }
        return line
    }

    /// Goes on before the damage that is left out, if the line to come ends there.
    private mutating func skipDamage() {
        while let range = skipped.last, startOffset + (end - start) <= range.upperBound {
            skipped.removeLast()
            guard startOffset + (end - start) >= range.lowerBound else { continue }
            // Also where nothing is left out: reading went on at the very line that was out of order.
            follower = nil
            guard startOffset + (end - start) > range.lowerBound else { continue }
            start = buffer.count
            end = buffer.count
            startOffset = range.lowerBound
        }
    }

    /// A line as it is, whatever stands around it.
    mutating func nextUnordered() throws(JournalError) -> RecordLine? {
        guard let raw = try nextRaw() else { return nil }
        return try record(raw)
    }

    /// The line before that begins as it must; damage is passed over.
    mutating func nextUsual() throws(JournalError) -> RecordLine? {
        while let raw = try nextRaw() {
            if let line = try? record(raw) { return line }
        }
        return nil
    }

    private func record(_ raw: LineBuffer.RawLine) throws(JournalError) -> RecordLine {
        tape.forget()
        if let head = LineHead(raw.bytes), raw.bytes.last == UInt8(ascii: "}") {
            return make(raw, head.seq, head.kind, members: head.end)
        }
        switch LineForm(raw.bytes, tape) {
        case .record(let seq, let kind, let members): return make(raw, seq, kind, members: members)
        case .damaged(let reason, let byte): throw damage(reason, at: raw.offset + byte)
        }
    }

    /// The damage of two lines out of order, reported at the line at which a forward reader finds it.
    private func outOfOrder(_ line: Follower, _ before: RecordLine) -> JournalError {
        let found = CommitNumber(line.seq)
        let reason: JournalDamage.Reason =
            switch line.kind {
            case .commit: .jump(found: found, expected: before.seq.next)
            case .gap where line.seq > before.seq.rawValue:
                .gapStart(found: CommitNumber(line.before + 1), expected: before.seq.next)
            case .gap: .jump(found: found, expected: before.seq.next)
            default: .wrongNumber(kind: line.kind, found: found, expected: before.seq)
            }
        return damage(reason, at: line.offset)
    }

    private func damage(_ reason: JournalDamage.Reason, at offset: Int) -> JournalError {
        source.numbered(
            JournalError(
                path: journal.path, .damage(JournalDamage(line: nil, offset: ByteOffset(offset), reason: reason))))
    }

    private func make(_ line: LineBuffer.RawLine, _ seq: Int, _ kind: RecordKind, members: Int) -> RecordLine {
        RecordLine(
            seq: CommitNumber(seq), kind: kind, offset: ByteOffset(line.offset), number: nil, bytes: line.bytes,
            hasNewline: line.hasNewline, resumed: false, membersStart: members, journal: journal, tape: tape)
    }

    mutating func nextRaw() throws(JournalError) -> LineBuffer.RawLine? {
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

    private mutating func take(from front: Int, _ newlineLength: Int) -> LineBuffer.RawLine {
        let line = LineBuffer.RawLine(
            bytes: buffer.bytes(front..<(end - newlineLength)),
            offset: startOffset + (front - start), hasNewline: newlineLength > 0)
        end = front
        return line
    }

    @inline(__always)
    private func lastNewline(before index: Int) -> Int? {
        index > start ? buffer.bytes(start..<index).lastIndex(of: 0x0A).map { start &+ $0 } : nil
    }

    /// Reads one more block before what is there; false at the front of the file.
    private mutating func fill() throws(JournalError) -> Bool {
        guard startOffset > 0 else { return false }
        if end < buffer.count { dropTaken() }
        if start == 0 { try grow() }
        let wanted = min(start, startOffset, BackwardRecordReader.blockSize)
        var done = 0
        while done < wanted {
            let (source, offset) = (source, startOffset - wanted + done)
            let count = try buffer.write((start - wanted + done)..<start) { (room) throws(JournalError) in
                try source.read(into: &room, at: offset)
            }
            // The file was cut while it was read.
            if count == 0 { return false }
            done += count
        }
        start -= wanted
        startOffset -= wanted
        let read = firstOffset - startOffset
        if read > LineBuffer.blockSize { source.progress?(read, nil) }
        return true
    }

    private mutating func dropTaken() {
        let rest = end - start
        let moved = buffer.count - rest
        buffer.move(start..<end, to: moved)
        start = moved
        end = buffer.count
    }

    private mutating func grow() throws(JournalError) {
        guard buffer.count <= Journal.lineLengthLimit else {
            throw JournalError(path: journal.path, .lineTooLong(line: nil, offset: ByteOffset(startOffset)))
        }
        let used = end - start
        buffer.move(start..<end, to: buffer.count * 2 - used, count: buffer.count * 2)
        start = buffer.count - used
        end = buffer.count
    }
}
