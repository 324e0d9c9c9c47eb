public import JSONCore
public import JournalFormat
public import JournalReading
package import QueryLanguage

package enum HistorySubject: Sendable {
    case places(PathMatcher)
    case query(Query)

    var paths: PathSet {
        switch self {
        case .places(let matcher): matcher.paths
        case .query(let query): query.footprint.paths
        }
    }

    var query: Query? {
        guard case .query(let query) = self else { return nil }
        return query
    }
}

/// Every change of a value over a range: each position at which it differs from the one before.
///
/// It is one pass, pruned to what the value is read from; commits that touch nothing of that are passed over unread. Of
/// places, only those are examined that a record's operations touch.
///
/// - Complexity: the bytes of the range are scanned once; a step costs the query, or what it touches.
public final class History {
    /// One change.
    public struct Change: Sendable {
        /// The record that made it: a commit, else a store or gap.
        public let record: OwnedRecord
        /// The position at which the value is new.
        public let position: CommitNumber
        /// Where; the root for a query's output.
        public let path: JSONPointer
        /// What was there before; nil for nothing.
        public let old: JSONValue?
        /// What is there; nil for nothing.
        public let value: JSONValue?
    }

    private let subject: HistorySubject
    private let range: PositionRange
    private var run: Run
    private var output: JSONValue?
    private var positionOutput: JSONValue?
    private var pending: [Change] = []
    /// The positions that have no answer: what was lost, and where the query failed.
    public private(set) var unanswered = Unanswered()

    /// Begins with the value at the start of a range, which is not a change.
    package init(
        _ subject: HistorySubject, _ range: PositionRange, in journal: Journal, recover: Bool = false
    ) throws(JournalError) {
        var options = Run.Options(reading: subject.paths, keepsRecords: true, recover: recover)
        if case .places(let matcher) = subject { options.places = matcher }
        let run = try Run(journal, range, asking: subject.query.map { [$0] } ?? [], options: options)
        self.subject = subject
        self.range = range
        self.run = run
        guard case .query(let query) = subject else { return }
        output = read(query, self.run.startContext, at: range.lower) ?? nil
        positionOutput = output
    }

    /// The damage that was jumped over.
    public var damages: [JournalError] { run.damages }

    /// The changes of the next position that has any; nil at the end.
    public func next() throws(JournalError) -> [Change]? {
        while let step = try run.next() {
            if let lost = step.lost { unanswered.lose(lost) }
            try note(step)
            guard step.isComplete else { continue }
            let changes = pending.filter { $0.old != $0.value }
            pending.removeAll()
            if !changes.isEmpty { return changes }
        }
        unanswered.finish(range, lost: run.lostEnd)
        return nil
    }

    private func note(_ step: Run.Step) throws(JournalError) {
        let record = try run.record(of: step)
        switch subject {
        case .query(let query):
            guard let value = read(query, try run.context(of: step), at: step.isComplete ? step.seq : nil) else {
                // A position at which the query fails says nothing, whatever it was inside it.
                if step.isComplete {
                    pending.removeAll()
                    output = positionOutput
                }
                return
            }
            if value != output {
                note([Change(record: record, position: step.seq, path: JSONPointer(), old: output, value: value)])
            }
            output = value
            if step.isComplete { positionOutput = value }
        case .places:
            note(
                run.placeChanges.map {
                    Change(record: record, position: step.seq, path: $0.path, old: $0.old, value: $0.value)
                })
        }
    }

    /// The query's output; a nil inside for none, a nil for a failure, which says nothing of that position.
    private func read(_ query: Query, _ context: QueryContext, at position: CommitNumber?) -> JSONValue?? {
        do throws(QueryError) {
            let output = try query.first(of: run.state, context: context, memo: run.memo(of: 0))
            if let position { unanswered.note(nil, at: position) }
            return .some(output)
        } catch {
            if let position { unanswered.note(error, at: position) }
            return nil
        }
    }

    /// Several records of one position are one change, by the last of them that made the value what it is.
    private func note(_ changes: [Change]) {
        guard !pending.isEmpty else {
            pending = changes
            return
        }
        var earlier: [JSONPointer: Int] = [:]
        for index in pending.indices { earlier[pending[index].path] = index }
        for change in changes {
            guard let index = earlier[change.path] else {
                pending.append(change)
                continue
            }
            pending[index] = Change(
                record: change.record, position: change.position, path: change.path, old: pending[index].old,
                value: change.value)
        }
    }
}
