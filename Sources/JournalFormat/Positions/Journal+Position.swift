import JSONCore

extension Journal {
    /// The commit that a typed position names.
    ///
    /// - Throws: ``PositionError`` where it is beyond the journal, or the journal cannot be read.
    /// - Complexity: a few reads of the file; a mark is looked for from the start.
    public func position(_ text: PositionText) throws(PositionError) -> CommitNumber {
        switch text {
        case .start: return start
        case .commit(let number): return try checked(CommitNumber(number))
        case .end(let back): return try checked(CommitNumber(end().rawValue - back))
        case .time(let time): return try position(at: time)
        case .mark(let text):
            let found = try reading { () throws(JournalError) in try self.position(ofMark: text) }
            guard let found else { throw .noMark(text, journal: path) }
            return found
        }
    }

    /// The stretch that a typed one names; a side that is left out is the journal's start or end.
    ///
    /// - Throws: ``PositionError``, also where the stretch ends before it begins.
    public func range(_ text: RangeText) throws(PositionError) -> PositionRange {
        let lower = try position(text.from ?? .start)
        let upper = try position(text.to ?? .end(minus: 0))
        guard let range = PositionRange(lower, upper) else { throw .reversed(from: lower, to: upper) }
        return range
    }

    private func end() throws(PositionError) -> CommitNumber {
        try reading { () throws(JournalError) in try self.lastCommit }
    }

    private func checked(_ commit: CommitNumber) throws(PositionError) -> CommitNumber {
        let last = try end()
        guard commit >= start else {
            throw .journal(JournalError(path: path, .beforeStart(asked: commit, first: start, last: last)))
        }
        guard commit <= last else {
            throw .journal(JournalError(path: path, .pastEnd(asked: commit, first: start, last: last)))
        }
        return commit
    }

    private func position(at time: Timestamp) throws(PositionError) -> CommitNumber {
        let first = try reading { () throws(JournalError) in try self.header().time }
        guard first <= time else { throw .beforeFirstTime(time, first: first, journal: path) }
        return try reading { () throws(JournalError) in try self.lastCommit(notAfter: time) }
    }

    private func position(ofMark text: String) throws(JournalError) -> CommitNumber? {
        var reader = records()
        var marks = RecordFilter(touching: .nothing, kinds: .mark)
        while let line = try reader.next(matching: &marks) {
            let mark = try line.decode { (object) throws(RecordFault) in try MarkRecord(object) }
            if mark.text.contains(text) { return line.seq }
        }
        return nil
    }

    private func reading<T>(_ body: () throws(JournalError) -> T) throws(PositionError) -> T {
        do throws(JournalError) { return try body() } catch { throw .journal(error) }
    }
}
