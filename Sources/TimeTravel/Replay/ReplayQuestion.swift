public import JSONCore
public import JournalFormat
public import JournalReading
public import QueryLanguage

/// What a replay asks at the position of each commit.
public struct ReplayQuestion {
    /// Whether a commit is asked about, from its record, the state at its position and the one before; the last only where
    /// the query asks for it.
    public typealias Filter = (_ commit: Record, _ state: JSONValue, _ old: JSONValue) throws(JournalError) -> Bool

    /// The query, of which the first output counts.
    public let query: Query
    /// Whether only values are given that differ from the last one given, the first from the one at the beginning of the range.
    public var onlyChanges = false
    /// Which commits are asked about; nil for all.
    public var filter: Filter?
    /// Whether the end of the range is asked about where no commit is.
    public var asksEnd = true

    /// A question about every commit.
    public init(_ query: Query) { self.query = query }

    var needsEveryCommit: Bool {
        !onlyChanges || filter != nil || query.footprint.usesOld || query.footprint.usesCommit
    }

    func asks(about commit: OwnedRecord, _ state: JSONValue, _ old: JSONValue) throws(JournalError) -> Bool {
        guard let filter else { return true }
        return try filter(try Record(commit), state, old)
    }

    /// The context at a commit's position; its line is read only for a query that asks about it.
    func context(at commit: OwnedRecord, old: JSONValue) throws(JournalError) -> QueryContext {
        query.footprint.usesCommit
            ? try QueryContext(record: commit, old: old) : QueryContext(old: old, seq: commit.seq.rawValue)
    }

    func answer(_ state: JSONValue, _ context: QueryContext, _ memo: QueryMemo? = nil) -> QueryOutcome {
        QueryOutcome { () throws(QueryError) in try query.first(of: state, context: context, memo: memo) }
    }
}

/// One line of a replay: what the query gives at a position.
public struct ReplayLine: Sendable {
    /// The position.
    public let position: CommitNumber
    /// The commit that led to the position; nil where the range has none that is asked about.
    public let record: OwnedRecord?
    /// The first output of the query.
    public let value: JSONValue
    /// What changed the state beside the commit since the position of the line before, or the start of the range; nil for
    /// nothing.
    public internal(set) var beside: Beside?

    /// The records that changed the state beside a commit.
    ///
    /// A store that closed is gone with the commit after it: that is not another record.
    public final class Beside: Sendable {
        /// The stores that opened after the commit, or after the one before it where that has no line.
        public let opened: [String]
        /// The whole state before the commit, where commits before it were lost.
        public let restart: JSONValue?

        init(opened: [String], restart: JSONValue?) { (self.opened, self.restart) = (opened, restart) }
    }

    init?(_ answer: QueryOutcome, at position: CommitNumber, _ record: OwnedRecord?) {
        guard case .value(let value) = answer else { return nil }
        self.position = position
        self.record = record
        self.value = value
    }
}
