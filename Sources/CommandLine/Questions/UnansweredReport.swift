package import Diagnostics
package import JournalFormat
package import QueryLanguage
package import TimeTravel

/// What is said on standard error of positions without an answer: how many there are, and where the first is.
package struct UnansweredReport {
    private let unanswered: Unanswered

    package init(_ unanswered: Unanswered) { self.unanswered = unanswered }

    /// Positions that have no state; nil where there are none.
    package func lost(in path: String, _ consequence: String) -> Diagnostic? {
        lost(
            "positions.lost", one: "1 position of '\(path)' has no state",
            several: "\(unanswered.lost) positions of '\(path)' have no state",
            "they lie in a gap or in damage; \(consequence)", path)
    }

    /// Commits that were lost; nil where there are none.
    package func lostCommits(in path: String, _ consequence: String) -> Diagnostic? {
        lost(
            "commits.lost", one: "1 commit of '\(path)' was lost",
            several: "\(unanswered.lost) commits of '\(path)' were lost",
            "in a gap or in damage; \(consequence)", path)
    }

    private func lost(
        _ code: String, one: String, several: String, _ note: String, _ path: String
    ) -> Diagnostic? {
        guard let first = unanswered.firstLost else { return nil }
        return Diagnostic(
            .warning, code: code, unanswered.lost == 1 ? "\(one): \(first)" : "\(several), the first is \(first)",
            notes: [note], help: Advice(path).help(.verify, to: "reports its gaps and damage"))
    }

    /// Positions at which a query fails; nil where there are none.
    package func failed(of query: ScopedQuery, one: String, several: String) -> Diagnostic? {
        guard let failure = unanswered.firstFailure else { return nil }
        var diagnostic = failure.error.diagnostic(of: query, at: failure.position)
        diagnostic.severity = .warning
        diagnostic.notes.append(
            unanswered.failed == 1 ? one : "that is the first of \(unanswered.failed) \(several)")
        return diagnostic
    }
}

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
