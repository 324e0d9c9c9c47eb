import JSONCore
import JournalFormat
import QueryLanguage

/// What a query can ask about a position besides the state there, looked up in the journal.
struct PositionContext {
    private let journal: Journal

    /// Looks things up in this journal.
    init(_ journal: Journal) { self.journal = journal }

    /// The values of `$old`, `$seq`, `$store`, `$at`, `$name` and `$time`, as far as the query reads them.
    func context(of query: ScopedQuery, at position: CommitNumber) throws -> QueryContext {
        guard position > journal.start else { return QueryContext(seq: position.rawValue) }
        let record = query.footprint.usesCommit ? try journal.keptRecord(of: position)?.object() : nil
        return try query.context(at: position, record) {
            try journal.state(at: position.previous, pruning: query.footprint.paths).value
        }
    }
}
