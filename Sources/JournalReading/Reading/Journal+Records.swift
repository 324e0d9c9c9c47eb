package import JSONCore
public import JournalFormat

extension Journal {
    /// Reads lines forwards.
    ///
    /// - Parameters:
    ///   - start: the first byte of a line.
    ///   - last: the number of the line before it, from which numbers have to go on; nil where it is not known.
    ///   - end: where reading stops, the first byte of a line; nil for everything.
    ///   - recover: whether damage is jumped over to the next keyframe, and listed in ``RecordReader/damages``.
    ///   - checksSums: whether a line whose sum is wrong is damage; false for callers that check sums themselves.
    public func records(
        from start: ByteOffset = .zero, after last: CommitNumber? = nil, to end: ByteOffset? = nil,
        recover: Bool = false, checksSums: Bool = true
    ) -> RecordReader {
        reader(from: start, to: end, last: start == .zero ? self.start : last, recover: recover, checksSums: checksSums)
    }

    /// Reads the lines after the ones of a commit: those with a greater number, up to and with those of another one.
    ///
    /// - Parameters:
    ///   - first: the position before the first line.
    ///   - last: the position after the last line; nil for everything.
    /// - Throws: ``JournalError`` where there is no such position, or the journal is a pipe and `first` is not its start.
    /// - Complexity: two binary searches.
    public func records(
        after first: CommitNumber, through last: CommitNumber? = nil, recover: Bool = false
    ) throws(JournalError) -> RecordReader {
        let end = try last.map { (last) throws(JournalError) in
            recover ? try offset(firstAtLeast: last.next) : try endOfLines(of: last)
        }
        // The lines that carry the start's own number stand before the first commit: a pass from the start has them all.
        if first <= start { return reader(from: .zero, to: end, last: start, recover: recover) }
        let begin = try offset(firstAtLeast: first.next)
        return reader(
            from: begin, to: end, last: numberBeforeGap(at: begin, to: end, around: first) ?? first, recover: recover)
    }

    /// The number of the line before a gap that has a position inside it, from which the gap has to go on; nil for no such gap.
    ///
    /// What is damaged here is left for the reader of the range to find.
    private func numberBeforeGap(
        at offset: ByteOffset, to end: ByteOffset?, around position: CommitNumber
    ) -> CommitNumber? {
        var probe = reader(from: offset, to: end, last: nil, recover: false)
        guard let gap = try? probe.next(), gap.kind == .gap, let lost = try? gap.firstLost(), lost <= position else {
            return nil
        }
        var back = BackwardRecordReader(path: path, source: source, from: offset.rawValue)
        guard let before = try? back.nextUnordered() else { return CommitNumber(lost.rawValue - 1) }
        return before.seq
    }

    /// Reads lines backwards.
    ///
    /// - Parameters:
    ///   - offset: the place after the first line to read; nil for the end of the last whole line.
    ///   - front: where reading is going to end.
    ///   - recover: whether damage is passed over. What a forward reader leaves out, this one does too: it is found by one
    ///     pass forwards, and listed in ``BackwardRecordReader/damages``.
    ///   - examine: throws where the caller finds damage in a line that it is going to read, which is left out like any other.
    /// - Throws: ``JournalError`` where the journal is a pipe, or its last line is damaged.
    public func recordsBackward(
        from offset: ByteOffset? = nil, downTo front: ByteOffset = .zero, recover: Bool = false,
        examining examine: (RecordLine) throws(JournalError) -> Void = { _ in }
    ) throws(JournalError) -> BackwardRecordReader {
        if recover { return try recoveringBackward(from: offset, downTo: front, examine) }
        let from = if let offset { offset } else { try tail().wholeEnd }
        return BackwardRecordReader(path: path, source: source, from: from.rawValue)
    }

    private func recoveringBackward(
        from offset: ByteOffset?, downTo front: ByteOffset, _ examine: (RecordLine) throws(JournalError) -> Void
    ) throws(JournalError) -> BackwardRecordReader {
        guard isSeekable else { throw JournalError(path: path, .notSeekable) }
        var reader = records(from: front, to: offset, recover: true)
        var skipped: [Range<Int>] = []
        var whole = front.rawValue
        var next = try reader.next()
        while let line = next {
            do throws(JournalError) {
                try examine(line)
                // A damaged first line has no part in the run: the line after it is not one at which reading was resumed.
                if line.resumed || whole == 0 && line.offset.rawValue > 0 {
                    skipped.append(whole..<line.offset.rawValue)
                }
                if line.kind == .journal, line.seq != self.start { skipped.append(0..<line.end.rawValue) }
                whole = line.end.rawValue
                next = try reader.next()
            } catch { next = try reader.recover(from: error, at: line) }
        }
        return BackwardRecordReader(
            path: path, source: source, from: whole, skipping: skipped, damages: reader.damages,
            lostEnd: reader.lostEnd)
    }

    /// Hands over every line as it stands in the file, whatever it is, also one that no newline ends.
    package func forEachLine(_ body: (ByteView) -> Void) throws(JournalError) {
        let name = JournalName(path)
        var buffer = LineBuffer(source, from: 0, to: .max)
        repeat {
            source.progress?(buffer.end, nil)
            while let line = buffer.take() { body(line.bytes) }
        } while try buffer.fill(stopsAtRest: false, of: name, after: nil)
        if let rest = buffer.takeRest() { body(rest.bytes) }
    }

    /// The number of the line that a byte is in.
    ///
    /// - Complexity: O(n) in the bytes before it.
    public func lineNumber(at offset: ByteOffset) throws(JournalError) -> LineNumber {
        try source.lineNumber(at: offset)
    }

    func reader(
        from start: ByteOffset, to end: ByteOffset?, last: CommitNumber?, recover: Bool, checksSums: Bool = true
    ) -> RecordReader {
        RecordReader(
            path: path, source: source, from: start.rawValue, to: end?.rawValue ?? .max,
            linesBefore: start == .zero ? 0 : nil, last: last?.rawValue ?? -1, recovers: recover,
            checksSums: checksSums)
    }
}
