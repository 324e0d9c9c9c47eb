public import JSONCore
public import JournalFormat
import Platform
import Synchronization

extension Journal {
    /// The first line whose number is at least `commit`: of a commit, its own line.
    ///
    /// It is the end of the last line where there is none.
    ///
    /// Every line begins with its number and numbers never fall, so the bytes themselves are searched by halves; there is no
    /// index beside the file.
    ///
    /// - Throws: ``JournalError`` where the journal is a pipe or cannot be read.
    /// - Complexity: O(log n) reads of some lines' length.
    public func offset(firstAtLeast commit: CommitNumber) throws(JournalError) -> ByteOffset {
        try Search(self).offset(firstAtLeast: commit)
    }

    /// Where the lines of a commit end, for callers that answer with all of them.
    ///
    /// - Throws: ``JournalError`` also where the line after them is damaged, so that it may be one of them.
    /// - Complexity: that of ``offset(firstAtLeast:)``, and one line.
    public func endOfLines(of commit: CommitNumber) throws(JournalError) -> ByteOffset {
        try Search(self).endOfLines(of: commit)
    }

    /// The last commit, or gap, whose time is not after a moment; the start where all are.
    ///
    /// - Complexity: O(log n) reads of some lines.
    public func lastCommit(notAfter moment: Timestamp) throws(JournalError) -> CommitNumber {
        do throws(JournalError) { return try Search(self).lastCommit(notAfter: moment) } catch {
            guard recovers, error.isDamage else { throw error }
            return try lastKnownCommit(notAfter: moment)
        }
    }

    /// A commit's own line.
    ///
    /// - Throws: ``JournalError`` where there is no such commit, because the journal is shorter or the commit was lost.
    /// - Complexity: one binary search.
    public func record(of commit: CommitNumber) throws(JournalError) -> OwnedRecord {
        let search = try Search(self)
        try search.check(commit)
        if commit == start {
            throw JournalError(path: path, .noCommitAtStart(commit, last: search.tail.lastCommit))
        }
        do throws(JournalError) { return try search.commitLine(commit) } catch { throw numbered(error) }
    }

    /// A commit's own line; nil at the start, and where the commit was lost in a gap, or in damage that reading skips.
    package func keptRecord(of commit: CommitNumber) throws(JournalError) -> OwnedRecord? {
        guard commit > start else { return nil }
        do throws(JournalError) { return try record(of: commit) } catch {
            if case .insideGap = error.fact { return nil }
            guard recovers, error.isDamage else { throw error }
            return nil
        }
    }

    /// The record that made a position: its commit, or the gap that ends there; nil at the start.
    ///
    /// - Throws: ``JournalError`` also where the position lies inside a gap.
    package func maker(of commit: CommitNumber) throws(JournalError) -> OwnedRecord? {
        guard commit > start else { return nil }
        do throws(JournalError) { return try record(of: commit) } catch {
            guard case .insideGap(_, _, last: commit) = error.fact else { throw error }
            let search = try Search(self)
            var reader = reader(
                from: try search.offset(firstAtLeast: commit), to: search.tail.wholeEnd, last: nil, recover: false)
            return try reader.next()?.owned()
        }
    }

    /// The whole state at a position, or the part of it that a set of paths reads.
    ///
    /// It is taken from the nearest keyframe before the position and the patches after it; without any keyframe, from the
    /// front. Where a patch needs more than the set reads, the state is made whole and cut down after.
    ///
    /// - Throws: ``JournalError`` where there is no such position, or what leads there is damaged.
    /// - Complexity: O(log n) reads, then a range of about four times the state's size, of which only the commits that
    ///   touch what the set reads are read.
    public func state(at commit: CommitNumber, pruning paths: PathSet = .everything) throws(JournalError)
        -> PositionState
    {
        if let recent = recentState.withLock({ $0 }), recent.position == commit, recent.paths == paths { return recent }
        do throws(JournalError) {
            let state = try soundState(at: commit, pruning: paths)
            // A whole one would be held twice.
            if isSeekable, !paths.isEverything { recentState.withLock { $0 = state } }
            return state
        } catch {
            guard recovers, error.isDamage, let known = try? lastKnownState(through: commit),
                known.position == commit
            else { throw error }
            return known.pruned(to: paths)
        }
    }

    /// The state at a position, where nothing that leads there is damaged.
    package func soundState(at commit: CommitNumber, pruning paths: PathSet) throws(JournalError) -> PositionState {
        do throws(JournalError) { return try Search(self).state(at: commit, pruning: paths) } catch {
            guard error.needsWholeState, !paths.isEverything else { throw numbered(error) }
        }
        do throws(JournalError) {
            return try Search(self).state(at: commit, pruning: .everything).pruned(to: paths)
        } catch {
            throw numbered(error)
        }
    }

    /// An error with the number of its line, which a seek does not know: it is counted now.
    ///
    /// - Complexity: O(n) in the bytes before the damage.
    public func numbered(_ error: JournalError) -> JournalError {
        source.numbered(error)
    }

    /// The nearest record before a position from which the state there can be made: a keyframe, a gap, or the first line.
    ///
    /// - Returns: the record's offset; zero for the first line.
    public func base(for commit: CommitNumber) throws(JournalError) -> ByteOffset {
        let search = try Search(self)
        return try search.base(before: try search.offset(firstAtLeast: commit.next), for: commit)?.offset ?? .zero
    }
}

/// A journal's end as it was read once, and the searches below it.
private struct Search {
    let journal: Journal
    let tail: JournalTail

    init(_ journal: Journal) throws(JournalError) {
        self.journal = journal
        tail = try journal.tail()
    }

    /// Checks that a position is one of the journal's, gaps aside.
    func check(_ commit: CommitNumber) throws(JournalError) {
        if commit > tail.lastCommit {
            throw JournalError(
                path: journal.path, .pastEnd(asked: commit, first: journal.start, last: tail.lastCommit))
        }
        if commit < journal.start {
            throw JournalError(
                path: journal.path, .beforeStart(asked: commit, first: journal.start, last: tail.lastCommit))
        }
    }

    func offset(firstAtLeast commit: CommitNumber) throws(JournalError) -> ByteOffset {
        if commit <= journal.start { return .zero }
        if commit > tail.lastCommit { return tail.wholeEnd }
        return try first { $0.seq >= commit } ?? tail.wholeEnd
    }

    /// The offset of the first line for which something holds that, once it holds, holds for all lines after.
    private func first(where holds: (LineProbe.Found) throws(JournalError) -> Bool) throws(JournalError) -> ByteOffset?
    {
        var probe = LineProbe(path: journal.path, source: journal.source, end: tail.wholeEnd)
        var low = 0
        var high = tail.wholeEnd.rawValue
        var answer: ByteOffset?
        while low < high {
            let middle = low + (high - low) / 2
            guard let found = try probe.line(from: ByteOffset(middle), before: ByteOffset(high)) else {
                high = middle
                continue
            }
            if try holds(found) {
                answer = found.offset
                high = middle
            } else {
                low = found.nextStart.rawValue
            }
        }
        return answer
    }

    /// Where the lines of a commit end: the first line of the next one is held against its sum.
    ///
    /// A damaged number can end a search too early, at its own line, and then nothing else would show that lines are missing.
    /// Where it ends one too late, the lines that are read do not count up.
    func endOfLines(of commit: CommitNumber) throws(JournalError) -> ByteOffset {
        let end = try offset(firstAtLeast: commit.next)
        if end < tail.wholeEnd, !journal.recovers {
            var reader = journal.reader(from: end, to: tail.wholeEnd, last: nil, recover: false)
            _ = try reader.next()
        }
        return end
    }

    func lastCommit(notAfter moment: Timestamp) throws(JournalError) -> CommitNumber {
        // Only what makes positions is asked: any other line is taken for the next one that does.
        let offset = try first { (found) throws(JournalError) in
            try positionTime(from: found.offset).map { $0 > moment } ?? true
        }
        guard let offset else { return tail.lastCommit }
        var reader = BackwardRecordReader(path: journal.path, source: journal.source, from: offset.rawValue)
        return try reader.next()?.seq ?? journal.start
    }

    private func positionTime(from offset: ByteOffset) throws(JournalError) -> Timestamp? {
        var reader = journal.reader(from: offset, to: tail.wholeEnd, last: nil, recover: false)
        while let line = try reader.next() {
            if let moment = try line.positionTime() { return moment }
        }
        return nil
    }

    func commitLine(_ commit: CommitNumber) throws(JournalError) -> OwnedRecord {
        var reader = journal.reader(
            from: try offset(firstAtLeast: commit), to: tail.wholeEnd, last: nil, recover: false)
        guard let line = try reader.next() else {
            throw JournalError(path: journal.path, .pastEnd(asked: commit, first: journal.start, last: tail.lastCommit))
        }
        if line.kind == .gap {
            throw JournalError(
                path: journal.path, .insideGap(asked: commit, first: try line.firstLost(), last: line.seq))
        }
        guard line.kind == .commit, line.seq == commit else {
            throw line.damage(.jump(found: line.seq, expected: commit))
        }
        return line.owned()
    }

    func state(at commit: CommitNumber, pruning paths: PathSet) throws(JournalError) -> PositionState {
        try check(commit)
        let end = try offset(firstAtLeast: commit.next)
        let base = try base(before: end, for: commit)
        var state = PositionState(start: journal.start, pruning: paths)
        state.seesEveryRecord = true
        if let base {
            try base.withLine { (line) throws(JournalError) in
                try line.checkSum()
                try state.reset(to: line)
            }
        }
        var reader = journal.reader(
            from: base?.end ?? .zero, to: end, last: base?.seq ?? journal.start, recover: false)
        var filter = RecordFilter(touching: paths, reportsStores: true)
        reader.readAhead(for: filter, threads: ProcessorCount.available)
        while let line = try reader.next(matching: &filter) { try state.apply(line) }
        guard reader.lastCommit == commit || commit == journal.start else {
            // No line of that number: it was lost, or the numbers jump.
            let line = try commitLine(commit)
            throw JournalError(
                path: journal.path,
                .damage(
                    JournalDamage(
                        line: nil, offset: line.offset, reason: .jump(found: commit, expected: reader.lastCommit.next)))
            )
        }
        state.advance(to: commit)
        return state
    }

    /// The nearest keyframe or gap before an offset whose number is at most `commit`, nil for none.
    func base(before end: ByteOffset, for commit: CommitNumber) throws(JournalError) -> OwnedRecord? {
        var reader = BackwardRecordReader(path: journal.path, source: journal.source, from: end.rawValue)
        var candidate: OwnedRecord?
        var isBaseless = true
        let known = journal.baselessEnd.withLock { $0 }
        while let line = try reader.nextUsual(), line.end.rawValue > known {
            if line.kind == .keyframe || line.kind == .gap { isBaseless = false }
            // A keyframe of the position itself lacks the stores that closed before it, which the position still has: it is
            // only good directly after its commit, where our writer puts it.
            if let found = candidate {
                if line.kind == .commit { return found }
                candidate = nil
            }
            // Where numbers fall, which is damage, one of a later position may stand here.
            switch line.kind {
            case .gap where line.seq <= commit: return line.owned()
            case .keyframe where line.seq < commit: return line.owned()
            case .keyframe where line.seq == commit: candidate = line.owned()
            default: break
            }
        }
        if isBaseless { journal.baselessEnd.withLock { $0 = max($0, end.rawValue) } }
        return nil
    }
}
