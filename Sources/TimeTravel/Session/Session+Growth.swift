import JournalFormat

/// A journal that is written while a session looks at it.
extension Session {
    /// Looks whether the journal has grown, or was cut.
    ///
    /// - Returns: whether there are commits behind the end that was known.
    func refresh(_ events: inout [SessionEvent]) throws(JournalError) -> Bool {
        guard let reopen else { return false }
        let journal = try reopen()
        let (end, known) = (try journal.lastCommit, bounds.upper)
        guard end != known || journal.byteCount != self.journal.byteCount else { return false }
        let place = position
        let found = try journal.lastReadable(upTo: min(end, cursor.position))
        let cursor = try RecordedCursor(journal, at: found)
        self.journal = journal
        self.cursor = cursor
        if inside != nil, found != self.cursor.position || place.commit > end { inside = nil }
        if end != known { events.append(.journalChanged(from: known, to: end)) }
        return end > known
    }
}
