import JSONCore
package import JournalFormat
package import JournalReading

extension Journal {
    private static let firstSlice = 64

    /// Nil where there is no such line, or the search was ended.
    ///
    /// - Complexity: each line on the way is read.
    package func nearest(
        from position: CommitNumber, _ direction: SessionDirection, isInterrupted: () -> Bool,
        where matches: (RecordLine) throws(JournalError) -> Bool
    ) throws(JournalError) -> CommitNumber? {
        if direction == .forward {
            var reader = records(from: try offset(firstAtLeast: position.next), recover: true)
            while let line = try reader.next(), !isInterrupted() {
                if line.seq > position, try matches(line) { return line.seq }
            }
            return nil
        }
        guard position > start else { return nil }
        var found: CommitNumber?
        try readSlices(upTo: position.previous, length: Journal.firstSlice) { reader throws(JournalError) in
            while let line = try reader.next(), !isInterrupted() { if try matches(line) { found = line.seq } }
            return found == nil && !isInterrupted()
        }
        return found
    }

    /// Leaves some commits out; nil where there is none, or the search was ended.
    package func nearestCommit(
        of store: String, from position: CommitNumber, _ direction: SessionDirection,
        without skipped: CommitList = CommitList(), isInterrupted: () -> Bool
    ) throws(JournalError) -> CommitNumber? {
        try nearest(from: position, direction, isInterrupted: isInterrupted) { (line) throws(JournalError) in
            guard line.kind == .commit, try UTF8Order.equal(line.storeName(), store) else { return false }
            return !skipped.contains(line.seq)
        }
    }

    package func nearestCommit(
        at trigger: StopTrigger, from position: CommitNumber, _ direction: SessionDirection,
        without skipped: CommitList = CommitList(), isInterrupted: () -> Bool
    ) throws(JournalError) -> CommitNumber? {
        try nearest(from: position, direction, isInterrupted: isInterrupted) { (line) throws(JournalError) in
            line.kind == .commit && !skipped.contains(line.seq) && trigger.isMet(by: line.owned())
        }
    }
}

extension Journal {
    /// The longest slice, in commits: few enough that the next check whether to go on comes soon.
    private static let longestSlice = 4096

    /// Reads the lines up to a position in slices, the nearest first, each twice as long as the one before it, until
    /// `body` returns false.
    ///
    /// A slice goes on after damage where a pass forwards does, so both directions give the same lines.
    ///
    /// - Complexity: that of the lines in the slices, and two binary searches for each.
    func readSlices(
        upTo position: CommitNumber, length: Int, _ body: (inout RecordReader) throws(JournalError) -> Bool
    ) throws(JournalError) {
        var (upper, length) = (position, min(length, Journal.longestSlice))
        while true {
            let lower = upper.rawValue - start.rawValue > length ? CommitNumber(upper.rawValue - length) : start
            var reader = try records(after: lower, through: upper, recover: true)
            guard try body(&reader), lower > start else { return }
            (upper, length) = (lower, min(length * 2, Journal.longestSlice))
        }
    }
}
