import JSONCore
public import JournalFormat
import QueryLanguage

/// What a condition says at the positions of a stretch, found out as far as it is asked for.
///
/// Commits in a row with one verdict are one entry, so it can be asked for any position again, in any order, at the cost of
/// a pruned pass up to the furthest of them.
///
/// - Complexity: the bytes of the stretch are scanned at most once; memory is that of the pruned state and of the changes of
///   the verdict.
public final class ConditionStretches {
    private struct Entry {
        let first: CommitNumber
        let verdict: Condition.Verdict
    }

    private let journal: Journal
    private let range: PositionRange
    private let condition: Condition
    private let recover: Bool
    private var pass: PositionPass
    private var isWhole: Bool
    private var entries: [Entry] = []
    private var known: CommitNumber
    private var isAtEnd = false
    private var damage: JournalError?
    /// The state at the position before, kept for `$old` only.
    private var old = JSONValue.null
    private var commit: OwnedRecord?

    /// Stands at the beginning of a stretch.
    ///
    /// - Throws: `JournalError` where the state there cannot be told.
    public init(
        _ condition: Condition, _ range: PositionRange, in journal: Journal, recover: Bool = false
    ) throws(JournalError) {
        self.journal = journal
        self.range = range
        self.condition = condition
        self.recover = recover
        let set = condition.query.footprint.paths
        isWhole = set.isEverything
        known = range.lower
        pass = try ConditionStretches.pass(journal, range, set, condition.query.footprint, recover)
        begin()
    }

    /// What the condition says of the state after a commit of the stretch.
    ///
    /// - Throws: `JournalError` where damage lies before it.
    public func verdict(at position: CommitNumber) throws(JournalError) -> Condition.Verdict {
        while !isAtEnd, position > known { try advance() }
        if let damage, position > known { throw damage }
        return entries[index(of: position)].verdict
    }

    private func advance() throws(JournalError) {
        do throws(JournalError) {
            guard let settled = try pass.next() else { return isAtEnd = true }
            if settled.kind == .commit { commit = pass.record }
            if settled.isComplete { try note(settled.seq) }
        } catch {
            if error.needsWholeState, !isWhole { return try restart() }
            damage = error
            isAtEnd = true
        }
    }

    /// A foreign patch asks for more of the state than the query does: begins again with all of it.
    private func restart() throws(JournalError) {
        isWhole = true
        pass = try ConditionStretches.pass(journal, range, .everything, condition.query.footprint, recover)
        entries = []
        known = range.lower
        begin()
    }

    private func begin() {
        let state = pass.state.value
        let verdict = condition.verdict(on: state, context: QueryContext(seq: range.lower.rawValue))
        entries.append(Entry(first: range.lower, verdict: verdict))
        if condition.query.footprint.usesOld { old = state }
    }

    private func note(_ position: CommitNumber) throws(JournalError) {
        let state = pass.state.value
        let verdict = condition.verdict(on: state, context: try context(at: position))
        if condition.query.footprint.usesOld { old = state }
        known = position
        if verdict != entries[entries.count - 1].verdict { entries.append(Entry(first: position, verdict: verdict)) }
    }

    private func context(at position: CommitNumber) throws(JournalError) -> QueryContext {
        guard condition.query.footprint.usesCommit else { return QueryContext(old: old, seq: position.rawValue) }
        var record = commit
        if record?.seq != position { record = try journal.keptRecord(of: position) }
        guard let record else { return QueryContext(old: old, seq: position.rawValue) }
        var context = try QueryContext(record: record, old: old)
        // A commit without a name of its own has that of its function.
        if context.name == .null, case .object(let place) = context.at { context.name = place["function"] ?? .null }
        return context
    }

    /// The last entry that begins at a position or before it.
    private func index(of position: CommitNumber) -> Int {
        var (low, high) = (0, entries.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if entries[middle].first <= position { low = middle } else { high = middle - 1 }
        }
        return low
    }

    private static func pass(
        _ journal: Journal, _ range: PositionRange, _ set: PathSet, _ footprint: Footprint, _ recover: Bool
    ) throws(JournalError) -> PositionPass {
        var options = PositionPass.Options()
        options.everyCommit = footprint.usesOld || footprint.usesCommit
        options.keepsRecords = footprint.usesCommit
        options.recover = recover
        return try PositionPass(journal, range, reading: set, options: options)
    }
}
