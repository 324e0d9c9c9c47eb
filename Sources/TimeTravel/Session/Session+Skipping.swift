import JournalFormat
import JournalReading

/// The run as it would have been without some commits.
extension Session {
    /// Leaves commits out besides those that are.
    func skip(_ list: CommitList, _ calls: SessionCalls) throws(SessionError) -> [SessionEvent] {
        do throws(PositionError) { try journal.check(list) } catch { throw .position(error) }
        return try change(skipped: skipped.joined(with: list, in: bounds))
    }

    /// Takes commits back that are left out.
    func unskip(_ list: CommitList?, _ calls: SessionCalls) throws(SessionError) -> [SessionEvent] {
        try change(skipped: list.map(skipped.without) ?? CommitList())
    }

    private func change(skipped changed: CommitList) throws(SessionError) -> [SessionEvent] {
        let (from, before) = (position, skipped)
        skipped = changed
        do throws(JournalError) {
            inside = nil
            cursor = try makeCursor(states, at: from.commit)
        } catch {
            skipped = before
            throw .journal(error)
        }
        return [.skipping(skipped)] + stopped(from: from, [.arrived])
    }

    /// A cursor in the run with or without the commits that are left out.
    func makeCursor(_ states: RunStates, at position: CommitNumber) throws(JournalError) -> any RunCursor {
        guard let first = skipped.prefix(1).first else { return try RecordedCursor(states, at: position) }
        return try SkippedCursor(states, without: skipped, first: first, at: position)
    }
}
