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
        let from = position
        inside = nil
        do throws(JournalError) { cursor = try RunCursor(states.without(changed), at: from.commit) } catch {
            throw .journal(error)
        }
        return [.skipping(skipped)] + stopped(from: from, [.arrived])
    }
}
