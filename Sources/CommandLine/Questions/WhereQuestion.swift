package import JSONCore
package import JournalFormat
package import JournalReading
import QueryLanguage
import TimeTravel

/// `--where QUERY`: whether it is true of the state after a commit.
///
/// It is a class because a filter is handed around by value, and how far the states are known is the same for all copies.
package final class WhereQuestion {
    private let query: ScopedQuery
    private let scope: StoreScope
    private var intervals: VerdictIntervals?
    /// The state that is asked about, and the one before it, where the states are not followed here.
    private var known: (state: JSONValue, old: JSONValue)?
    private var failures = QueryFailures()

    package init?(_ typed: TypedArguments, _ scope: StoreScope) throws {
        guard let text = typed.value(.where) else { return nil }
        self.scope = scope
        query = try ScopedQuery(text, name: "--where", scope: scope, asks: .condition)
    }

    /// Begins to follow the states of a range; asked of other states (``holds(of:at:_:old:)``), it need not.
    package func follow(_ journal: Journal, _ range: PositionRange, recovers: Bool, _ messages: MessageWriter) throws {
        QueryWarnings(journal, range, scope).report(of: query, messages)
        intervals = try VerdictIntervals(Condition(bad: query.whole), range, in: journal, recover: recovers)
    }

    var wholeQuery: Query { query.whole }

    /// Takes the state that is asked about next, in the place of following the states.
    package func know(_ state: JSONValue, old: JSONValue) { known = (state, old) }

    package func reportWarnings(_ warnings: QueryWarnings, _ messages: MessageWriter) {
        warnings.report(of: query, messages)
    }

    /// Whether it holds after a commit of the range; where it fails it does not.
    package func holds(at position: CommitNumber, _ record: Record) throws(JournalError) -> Bool {
        if let known { return holds(of: known.state, at: position, record, old: known.old) }
        guard let intervals else { preconditionFailure("'holds(at:)' before 'follow'") }
        return note(try intervals.verdict(at: position), at: position)
    }

    /// Whether it holds of a state that is not the journal's own.
    package func holds(of state: JSONValue, at position: CommitNumber, _ record: Record, old: JSONValue) -> Bool {
        let context = query.context(at: position, record) { old }
        return note(Condition(bad: query.whole).verdict(on: state, context: context), at: position)
    }

    private func note(_ verdict: Condition.Verdict, at position: CommitNumber) -> Bool {
        if case .failed(let error) = verdict { failures.add(error, at: position) }
        return verdict.isBad == true
    }

    package func reportFailures(_ messages: MessageWriter) -> ExitStatus {
        failures.report(of: query, one: "that commit was left out", several: "commits that were left out", messages)
    }
}
