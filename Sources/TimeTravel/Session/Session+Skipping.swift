package import JournalFormat

/// The run as it would have been without some commits.
extension Session {
    /// The commits that are left out, ascending.
    package var skipped: [CommitNumber] { skippedCommits.sorted() }

    /// Leaves commits out besides those that are.
    func skip(_ list: CommitList, _ calls: SessionCalls) throws(SessionError) -> [SessionEvent] {
        do throws(PositionError) { try journal.check(list) } catch { throw .position(error) }
        let numbers = list.numbers(in: bounds)
        return try change(skipped: skippedCommits.union(numbers))
    }

    /// Takes commits back that are left out.
    func unskip(_ list: CommitList?, _ calls: SessionCalls) throws(SessionError) -> [SessionEvent] {
        try change(skipped: list.map { list in skippedCommits.filter { !list.contains($0) } } ?? [])
    }

    private func change(skipped: Set<CommitNumber>) throws(SessionError) -> [SessionEvent] {
        let (from, before) = (position, skippedCommits)
        skippedCommits = skipped
        do throws(JournalError) {
            inside = nil
            cursor = try makeCursor(journal, at: from.commit)
        } catch {
            skippedCommits = before
            throw .journal(error)
        }
        return [.skipping(self.skipped)] + stopped(from: from, [.arrived])
    }

    /// A cursor in the run with or without the commits that are left out.
    func makeCursor(_ journal: Journal, at position: CommitNumber) throws(JournalError) -> any RunCursor {
        guard let first = skippedCommits.min() else { return try RecordedCursor(journal, at: position) }
        return try SkippedCursor(
            journal, without: CommitList(skippedCommits), first: first, at: position)
    }
}
