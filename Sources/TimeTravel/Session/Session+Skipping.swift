import JournalFormat
import JournalReading

extension Session {
    func skip(_ list: CommitList, _ calls: SessionCalls) throws(SessionError) -> [SessionEvent] {
        do throws(PositionError) { try journal.check(list) } catch { throw .position(error) }
        return try change(skipped: skipped.joined(with: list, in: bounds))
    }

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
