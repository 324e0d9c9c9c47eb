public import JournalFormat

/// How a journal ends.
public struct JournalTail: Sendable, Equatable {
    /// The last commit, or the start where there is none.
    public var lastCommit: CommitNumber
    /// The kind of the last whole record; `end` after a clean end.
    public var lastKind: RecordKind
    /// Where the last whole record begins.
    public var lastOffset: ByteOffset
    /// The place after the last whole record and its newline.
    public var wholeEnd: ByteOffset
    /// What follows it and is not whole.
    public var torn: TornTail?

    /// Whether the run ended cleanly.
    public var isEnded: Bool { lastKind == .end }
}

extension Journal {
    /// How the journal ends, found by reading backward from the end of the file.
    ///
    /// A file that is being written may have another end the next time.
    ///
    /// - Throws: ``JournalError`` where the last line is damaged and is not skipped, or the journal is a pipe.
    /// - Complexity: reads the last line, and the one before it where the last one is torn.
    public func tail() throws(JournalError) -> JournalTail {
        guard let size = source.size else { throw JournalError(path: path, .notSeekable) }
        var reader = BackwardRecordReader(path: path, source: source, from: size)
        var torn: TornTail?
        var end = size
        guard let last = try reader.nextRaw() else { throw JournalError(path: path, .empty) }
        if !last.hasNewline, case .damaged(let reason, _) = LineForm(last.bytes, LineTape()), reason.isTear {
            torn = TornTail(line: nil, offset: ByteOffset(last.offset), length: last.bytes.count, lastCommit: start)
            end = last.offset
        } else {
            reader = BackwardRecordReader(path: path, source: source, from: size)
        }
        let line = try lastLine(&reader)
        torn?.lastCommit = line.seq
        // Damage after it belongs to the journal: a reader that goes up to the end has to meet it.
        return JournalTail(
            lastCommit: line.seq, lastKind: line.kind, lastOffset: line.offset,
            wholeEnd: recovers ? ByteOffset(end) : line.end, torn: torn)
    }

    /// The line before, or the nearest whole one where damage is skipped.
    ///
    /// Its sum is checked: how far the journal goes is what every refusal of a position rests on.
    private func lastLine(_ reader: inout BackwardRecordReader) throws(JournalError) -> RecordLine {
        while true {
            do throws(JournalError) {
                guard let line = try reader.nextUnordered() else { throw JournalError(path: path, .empty) }
                try line.checkSum()
                return line
            } catch {
                guard recovers, error.isDamage else { throw error }
            }
        }
    }

    /// The last commit, or the start where there is none.
    ///
    /// - Throws: as ``tail()``.
    public var lastCommit: CommitNumber {
        get throws(JournalError) { try tail().lastCommit }
    }
}
