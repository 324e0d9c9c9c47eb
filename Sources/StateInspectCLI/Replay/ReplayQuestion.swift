import JSONCore
import JournalFormat
import QueryLanguage

/// What a replay asks about each position, and of which commits it prints the answer.
struct ReplayQuestion {
    /// The query; nil for the state as it is.
    let select: ScopedQuery?

    /// Which commits are printed.
    let filter: CommitFilter

    /// Whether the states are those of the journal, not what they would have been.
    let isOfOwnStates: Bool

    /// A question about the commits that pass a filter.
    init(_ select: ScopedQuery?, _ filter: CommitFilter, isOfOwnStates: Bool = true) {
        self.isOfOwnStates = isOfOwnStates
        self.select = select
        self.filter = filter
    }

    /// What of the whole state has to be there to answer.
    var paths: PathSet { select?.footprint.paths ?? filter.scope.paths }

    /// Whether the state at the position before is asked about too.
    var usesOld: Bool { select?.footprint.usesOld ?? false }

    /// Whether a commit's record has to be looked into before it is known what is printed.
    var needsRecord: Bool { !filter.passesAll || select?.footprint.usesCommit == true }

    /// Whether the answer can only differ where a commit touches what is read.
    var dependsOnStateOnly: Bool { !needsRecord && !usesOld }

    /// What the replay prints at a position.
    enum Answer {
        /// A value.
        case value(JSONValue)
        /// The query has no output there, or the commit is not asked about.
        case nothing
        /// The query fails there.
        case failure(QueryError)
    }

    /// The answer at a position.
    ///
    /// - Parameters:
    ///   - record: the commit; nil at the start.
    ///   - old: the state at the position before.
    /// - Throws: `JournalError` where it cannot be told whether the commit is asked about.
    func answer(
        _ state: JSONValue, at position: CommitNumber, _ record: JSONObject?, old: JSONValue
    ) throws(JournalError) -> Answer {
        if let record, try !passes(record, state, old) { return .nothing }
        guard let select else { return .value(filter.scope.part(of: state)) }
        let context = select.context(at: position, record) { old }
        do throws(QueryError) {
            return try select.whole.first(of: state, context: context).map(Answer.value) ?? .nothing
        } catch {
            return .failure(error)
        }
    }

    private func passes(_ record: JSONObject, _ state: JSONValue, _ old: JSONValue) throws(JournalError) -> Bool {
        if isOfOwnStates { return try filter.passes(record) }
        return filter.passes(record, making: state, of: old)
    }

    /// Tells how many positions the query failed at, and where first.
    ///
    /// - Returns: the status that this comes to.
    func tellFailures(_ failures: QueryFailures, _ messages: MessageWriter) -> ExitStatus {
        guard let select else { return .done }
        return failures.tell(
            of: select, one: "that position has no line", several: "positions without a line", messages)
    }
}
