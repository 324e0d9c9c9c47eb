import JSONCore
public import JournalFormat

extension Journal {
    /// The commit that a typed position names.
    ///
    /// - Parameter note: called where the text could have meant another one too.
    /// - Throws: ``PositionError`` where it is beyond the journal, or the journal cannot be read.
    /// - Complexity: a few reads of the file; a mark is searched for in all of it.
    public func position(_ text: PositionText, note: (PositionNote) -> Void = { _ in }) throws(PositionError)
        -> CommitNumber
    {
        switch text {
        case .start: return start
        case .commit(let number): return try checked(CommitNumber(number))
        case .end(let back): return try beforeEnd(back)
        case .time(let time): return try position(at: time, note)
        case .mark(let text, let number): return try position(ofMark: text, number, note)
        }
    }

    /// The range that a typed one names; a side that is left out is the journal's start or end.
    ///
    /// - Throws: ``PositionError``, also where the range ends before it begins.
    public func range(_ text: RangeText, note: (PositionNote) -> Void = { _ in }) throws(PositionError)
        -> PositionRange
    {
        let lower = try position(text.from ?? .start, note: note)
        let upper = try position(text.to ?? .end, note: note)
        guard let range = PositionRange(lower, upper) else { throw .reversed(from: lower, to: upper) }
        return range
    }

    /// Refuses a list with commits that the journal does not have.
    ///
    /// - Parameter includesStart: whether the position before the first commit may be on it.
    /// - Throws: ``PositionError`` naming the first of them.
    /// - Complexity: one read of the journal's end.
    public func check(_ list: CommitList, includesStart: Bool = false) throws(PositionError) {
        for range in list.ranges {
            for number in [range.lowerBound, range.upperBound] {
                let commit = try checked(CommitNumber(number))
                if commit == start, !includesStart {
                    throw .journal(JournalError(path: path, .noCommitAtStart(commit, last: try end())))
                }
            }
        }
    }

    private func end() throws(PositionError) -> CommitNumber {
        try reading { () throws(JournalError) in try self.lastCommit }
    }

    private func beforeEnd(_ back: Int) throws(PositionError) -> CommitNumber {
        let last = try end()
        guard back <= last.rawValue - start.rawValue else {
            throw .tooFarBack(back, first: start, last: last, journal: path)
        }
        return CommitNumber(last.rawValue - back)
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

    // MARK: Times

    private func position(at time: TypedTime, _ note: (PositionNote) -> Void) throws(PositionError) -> CommitNumber {
        let first = try reading { () throws(JournalError) in try self.header().time }
        let moment = time.moment(notBefore: first)
        let tooEarly = PositionError.beforeFirstTime(time, first: first, journal: path)
        guard first <= moment else { throw tooEarly }
        if time.hasNoDate {
            let last = try reading { () throws(JournalError) in try self.lastTime() } ?? first
            let days = (first.day...max(first, last).day)
            // Another day than the first is only meant where the run goes on for so long.
            guard moment <= last || moment.day == days.lowerBound else { throw tooEarly }
            if moment.microseconds + Timestamp.microsecondsPerDay <= last.microseconds {
                note(.oneOfSeveralDays(time, taken: moment))
            }
        }
        return try reading { () throws(JournalError) in try self.lastCommit(notAfter: moment) }
    }

    private func lastTime() throws(JournalError) -> Timestamp? {
        var reader = try recordsBackward(recover: recovers)
        while let line = try reader.next() {
            switch line.kind {
            case .commit, .store, .close, .gap, .abort, .mark, .end:
                return try line.decode { (object) throws(RecordFault) in try RecordMembers(object: object).time() }
            case .journal, .derived, .outcome, .keyframe, .other: continue
            }
        }
        return nil
    }

    // MARK: Marks

    private func position(
        ofMark text: String, _ number: Int?, _ note: (PositionNote) -> Void
    ) throws(PositionError) -> CommitNumber {
        var search = MarkSearch(text, number)
        do throws(JournalError) { try search.read(self) } catch { throw .journal(error) }
        if let found = search.found {
            if number == nil, search.count > 1 {
                note(.oneOfSeveralMarks(text, taken: found, count: search.count))
            } else if let number, search.literal != nil {
                note(.numberInMark(text, number, taken: found))
            }
            return found
        }
        if let literal = search.literal { return literal }
        if search.count > 0 { throw .fewerMarks(text, asked: number ?? 1, count: search.count, journal: path) }
        throw .noMark(text, nearest: search.nearest, journal: path)
    }

    private func reading<T>(_ body: () throws(JournalError) -> T) throws(PositionError) -> T {
        do throws(JournalError) { return try body() } catch { throw .journal(error) }
    }
}

extension Timestamp {
    /// The day since 1970.
    fileprivate var day: Int {
        let perDay = Timestamp.microsecondsPerDay
        return microseconds >= 0 ? microseconds / perDay : (microseconds + 1) / perDay - 1
    }
}
