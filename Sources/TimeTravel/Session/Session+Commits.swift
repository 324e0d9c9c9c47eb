package import JSONCore
package import JournalFormat
package import JournalReading

extension Session {
    /// How many commits after one are searched for what it caused: a commit's delivery makes them soon.
    private static let causedReach = 4096

    /// The commit that led here, what caused it, what caused that, and so on; nil where there is no commit.
    package func causes() throws(JournalError) -> CauseChain? {
        try commitRecord().map { (record) throws(JournalError) in try CauseChain(of: record.seq, in: journal) }
    }

    /// Nil where it caused none, and inside a commit; reads at most 4096 lines.
    package func firstCaused() throws -> CommitNumber? {
        guard !position.isInside, let record = try commitRecord() else { return nil }
        var found: CommitNumber?
        try eachCaused(after: record.seq, by: [record.seq]) {
            found = $0
            return false
        }
        return found
    }

    /// The last commit that the causes of the one here led to; nil inside a commit too; reads at most 4096 lines.
    package func lastOfCauses() throws -> CommitNumber? {
        guard !position.isInside, let causes = try causes(), causes.commits.count > 1 else { return nil }
        var found: CommitNumber?
        try eachCaused(after: causes.commits[0].seq, by: Set(causes.commits.dropFirst().map(\.seq))) {
            found = $0
            return true
        }
        return found
    }

    /// Passes the commits after one that some commits caused, also by way of others, until that returns false.
    private func eachCaused(
        after seq: CommitNumber, by causes: Set<CommitNumber>, _ body: (CommitNumber) -> Bool
    ) throws {
        var causes = causes
        let isNear = bounds.upper.rawValue - seq.rawValue <= Session.causedReach
        let limit = isNear ? bounds.upper : CommitNumber(seq.rawValue + Session.causedReach)
        var reader = try journal.records(after: seq, through: limit, recover: true)
        while let line = try reader.next() {
            guard line.kind == .commit, line.seq > seq, let cause = try Record(line).cause,
                causes.contains(CommitNumber(cause)), !skipped.contains(line.seq)
            else { continue }
            guard body(line.seq) else { return }
            causes.insert(line.seq)
        }
    }

    /// The next commit of a store, or the previous one; inside a commit, the one that is being made is the next.
    package func nearestCommit(
        of store: String, _ direction: SessionDirection, isInterrupted: () -> Bool
    ) throws(JournalError) -> CommitNumber? {
        let here = position.commit
        return try journal.nearestCommit(
            of: store, from: position.isInside && direction == .forward ? here.previous : here, direction,
            without: skipped, isInterrupted: isInterrupted)
    }

    package func lastCommit(of store: String, isInterrupted: () -> Bool) throws(JournalError) -> CommitNumber? {
        try journal.nearestCommit(
            of: store, from: position.commit.next, .backward, without: skipped, isInterrupted: isInterrupted)
    }

    // MARK: Where values come from

    /// Whether the state here is that of the journal after a whole commit, which blame and origin are about.
    package var isAsRecorded: Bool { skipped.isEmpty && !position.isInside }

    package func blame(_ paths: [JSONPointer]) throws(JournalError) -> [Blame.Line] {
        try Blame.lines(of: paths, in: state, at: position.commit, journal: journal)
    }

    /// Where the value at a place comes from; nil where nothing is there.
    package func origin(of path: JSONPointer) throws(JournalError) -> Origin? {
        try Origin(of: path, at: position.commit, in: journal)
    }

    /// What differs between another position's state and the one here; without a position, what its last step changed.
    package func differences(since other: CommitNumber?) throws(JournalError) -> [StateChange] {
        let before = if let other { try state(at: other) } else { try stateBefore() }
        return StateChange.all(in: .difference(from: before, to: state))
    }
}
