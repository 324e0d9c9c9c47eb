package import JSONCore
package import JournalFormat
package import JournalReading

extension Session {
    /// Passes every change of something in the run, first to last, to a closure, until that returns false; nothing moves.
    ///
    /// - Returns: whether all of the run was asked, as far as it can be read.
    /// - Complexity: one pass over the run, pruned to what is asked about, in parts between which `calls` may end it.
    package func eachChange(
        of subject: WatchSubject, _ calls: SessionCalls = SessionCalls(),
        _ body: (CommitNumber, [ValueChange]) throws -> Bool
    ) throws -> Bool {
        let items = Search(forChangesOf: subject).items
        let origin = bounds.lower
        var (lower, size) = (origin, WindowSize())
        while lower < bounds.upper {
            let upper = size.end(after: lower, bounds.upper)
            guard let range = PositionRange(lower, upper) else { break }
            let window = try size.measured { () throws(JournalError) in
                try states.window(range, StopJudge(items, keepsValues: true), isInterrupted: calls.isInterrupted)
            }
            for place in window.hits where place.position > lower {
                for case .met(let changes) in place.hits.map(\.finding) {
                    guard try body(place.position, changes) else { return false }
                }
            }
            if window.isInterrupted || calls.isInterrupted() { return false }
            if window.endsInDamage, upper == bounds.upper { return true }
            size.hasMoved(window.last > lower)
            lower = max(window.last, lower)
            calls.progress(SessionProgress(position: lower, origin: origin, limit: bounds.upper))
        }
        return true
    }

    /// The record that opened the store of a member before the first commit of the file; nil where another one did.
    ///
    /// - Complexity: the lines before the first commit.
    package func opening(of path: JSONPointer) throws(JournalError) -> OwnedRecord? {
        guard let store = path.segments.first else { return nil }
        var reader = journal.records()
        while let line = try reader.next(), line.kind != .commit {
            if line.kind == .store, try UTF8Order.equal(line.storeName(), store) { return line.owned() }
        }
        return nil
    }
}

extension WatchSubject {
    /// The one path that is followed; nil where it is a query or a pattern.
    package var path: JSONPointer? {
        guard case .places(let matcher) = subject else { return nil }
        return matcher.onlyPath.map { JSONPointer($0) }
    }
}
