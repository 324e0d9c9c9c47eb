package import JSONCore
package import JournalFormat
package import JournalReading
package import QueryLanguage

extension Session {
    /// The commit that led to the position, or the one that is being made; nil at the start, and after a hole.
    package func commitRecord() throws(JournalError) -> OwnedRecord? {
        if let inside { return inside.record }
        do throws(JournalError) { return try journal.keptRecord(of: cursor.position) } catch {
            guard case .damage = error.fact else { throw error }
            return nil
        }
    }

    /// The commit with its changes, what its derived values did, and the marks after it; nil where there is no commit.
    package func commitDetails() throws(JournalError) -> CommitDetails? {
        try commitRecord().map { (record) throws(JournalError) in try CommitDetails(record.seq, in: journal) }
    }

    /// In their order: commits, gaps, and where damage ends, keyframes.
    ///
    /// - Parameters:
    ///   - before: how many at the most up to the position, itself included.
    ///   - kinds: other kinds to give besides, which do not count; marks for example.
    /// - Complexity: about twice the lines that are given, and a binary search.
    package func records(
        around position: CommitNumber, before: Int, after: Int, with kinds: RecordKinds = []
    ) throws(JournalError) -> [OwnedRecord] {
        let wanted = kinds.union([.commit, .gap])
        var found: [OwnedRecord] = []
        var count = 0
        try journal.readSlices(upTo: position, length: max(before, 1)) { reader throws(JournalError) in
            var slice: [OwnedRecord] = []
            while let line = try reader.next() {
                if wanted.contains(line.kind) || line.resumed { slice.append(line.owned()) }
            }
            count += slice.count { !kinds.contains($0.kind) }
            found = slice + found
            return count < before
        }
        // The last slice may begin before the first record that is wanted.
        while count > before || found.first.map({ count == before && kinds.contains($0.kind) }) ?? false {
            if !kinds.contains(found.removeFirst().kind) { count -= 1 }
        }
        let place = try journal.offset(firstAtLeast: position.next)
        var forward = journal.records(from: place, recover: true)
        count = 0
        while count < after, let line = try forward.next() {
            guard wanted.contains(line.kind) || line.resumed else { continue }
            found.append(line.owned())
            if !kinds.contains(line.kind) { count += 1 }
        }
        return found
    }

    private static let sliceLength = 4096

    /// - Complexity: one pass over the journal, which builds nothing else.
    package func records(
        of kinds: RecordKinds, _ calls: SessionCalls = SessionCalls(), _ body: (borrowing RecordLine) throws -> Void
    ) throws {
        var lower = bounds.lower
        repeat {
            let upper = min(bounds.upper, CommitNumber(lower.rawValue + Session.sliceLength))
            var reader = try journal.records(after: lower, through: upper, recover: true)
            var filter = RecordFilter(touching: .nothing, kinds: kinds)
            while let line = try reader.next(matching: &filter) { if kinds.contains(line.kind) { try body(line) } }
            lower = upper
        } while lower < bounds.upper && !calls.isInterrupted()
    }

    /// - Complexity: one pass over the journal.
    package func declaredDerivedNames(_ calls: SessionCalls = SessionCalls()) throws -> [String] {
        var names: [String] = []
        try records(of: .derived, calls) { line in
            guard let name = try? Record(line).name else { return }
            if !names.contains(where: { UTF8Order.equal($0, name) }) { names.append(name) }
        }
        return names
    }

    // MARK: Queries

    package func outputs(of query: Query) throws(SessionQueryError) -> [JSONValue] {
        let context = try context(for: query.footprint)
        do throws(QueryError) { return try query.all(of: state, context: context) } catch { throw .query(error) }
    }

    /// What a query gives at the position; where the state before cannot be had, null stands for it.
    package func outcome(of query: Query) -> QueryOutcome {
        let context = (try? context(for: query.footprint)) ?? QueryContext(seq: position.commit.rawValue)
        return QueryOutcome { () throws(QueryError) in try query.first(of: state, context: context) }
    }

    /// - Throws: ``SessionQueryError``, also where that position has no state.
    package func outputs(of query: Query, at position: CommitNumber) throws(SessionQueryError) -> [JSONValue] {
        let (state, context): (JSONValue, QueryContext)
        do throws(JournalError) {
            state = try cursor.state(at: position, reading: query.footprint.paths)
            context = try QueryContext(
                at: position, in: journal, usesCommit: query.footprint.usesCommit,
                oldReading: query.footprint.usesOld ? query.footprint.paths : nil, from: states)
        } catch { throw .journal(error) }
        do throws(QueryError) { return try query.all(of: state, context: context) } catch { throw .query(error) }
    }

    func outcome(of query: Query, at position: CommitNumber) -> QueryOutcome {
        do throws(SessionQueryError) {
            return try outputs(of: query, at: position).first.map(QueryOutcome.value) ?? .nothing
        } catch {
            if case .query(let error) = error { return .failed(error) }
            return .nothing
        }
    }

    func context(for footprint: Footprint) throws(SessionQueryError) -> QueryContext {
        do throws(JournalError) {
            var context = QueryContext(seq: position.commit.rawValue)
            if footprint.usesCommit, let record = try commitRecord() { context = try QueryContext(record: record) }
            if footprint.usesOld {
                context.old =
                    inside != nil
                    ? cursor.state.value : try states.value(before: cursor.position, reading: footprint.paths)
            }
            return context
        } catch {
            throw .journal(error)
        }
    }

    /// The whole state at the position before; null at the start.
    package func stateBefore() throws(JournalError) -> JSONValue {
        inside != nil ? cursor.state.value : try states.value(before: cursor.position, reading: .everything)
    }

    package func state(at position: CommitNumber) throws(JournalError) -> JSONValue {
        try cursor.state(at: position, reading: .everything)
    }
}

package enum SessionQueryError: Error {
    case query(QueryError)
    case journal(JournalError)
}

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

    /// Only before the first commit of the file, up to which lines are read; nil where another record opened the store.
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
