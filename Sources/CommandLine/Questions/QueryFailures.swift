import Diagnostics
package import JournalFormat
package import QueryLanguage

/// The positions at which a query failed, counted while an answer is made and reported after it.
package struct QueryFailures {
    private var count = 0
    private var first: (position: CommitNumber, error: QueryError)?

    package init() {}

    package init(count: Int, first: (position: CommitNumber, error: QueryError)?) {
        self.count = count
        self.first = first
    }

    /// Notes a failure; positions may come in any order.
    package mutating func add(_ error: QueryError, at position: CommitNumber) {
        count += 1
        if first == nil || position < (first?.position ?? position) { first = (position, error) }
    }

    /// Reports how many positions the query failed at, and where first.
    ///
    /// - Returns: the status that this comes to.
    package func report(of query: ScopedQuery, one: String, several: String, _ messages: MessageWriter) -> ExitStatus {
        guard let first else { return .done }
        var diagnostic = first.error.diagnostic(of: query, at: first.position)
        diagnostic.severity = .warning
        diagnostic.notes.append(count == 1 ? one : "that is the first of \(count) \(several)")
        messages.report(diagnostic)
        return .inconclusive
    }
}
