import JSONCore
import JournalFormat
import JournalReading

extension Session {
    func lookForGrowth() throws(SessionError) -> [SessionEvent] {
        var events: [SessionEvent] = []
        do throws(JournalError) { _ = try refresh(&events) } catch { throw .journal(error) }
        return events
    }

    func isEnded() throws(JournalError) -> Bool {
        var records = try journal.recordsBackward()
        return try records.next()?.kind == .end
    }

    /// Returns whether there are commits after the end that was known.
    func refresh(_ events: inout [SessionEvent]) throws(JournalError) -> Bool {
        guard let reopen else { return false }
        let journal = try reopen()
        let (end, known) = (try journal.lastCommit, bounds.upper)
        guard end != known || journal.byteCount != self.journal.byteCount else { return false }
        let place = position
        let found = try journal.lastState(upTo: min(end, cursor.position)).position
        cursor = try RunCursor(RunStates(journal).without(skipped), at: found)
        self.journal = journal
        if inside != nil, found != self.cursor.position || place.commit > end { inside = nil }
        if end != known { events.append(.journalChanged(from: known, to: end)) }
        return end > known
    }
}
