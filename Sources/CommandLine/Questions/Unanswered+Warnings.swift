package import Diagnostics
import JournalFormat
import QueryLanguage
package import TimeTravel

extension Unanswered {
    package func lostWarning(in path: String, _ consequence: String) -> Diagnostic? {
        warning(
            "positions.lost", one: "1 position of '\(path)' has no state",
            several: "\(lost) positions of '\(path)' have no state",
            "they lie in a gap or in damage; \(consequence)", path)
    }

    package func lostCommitsWarning(in path: String, _ consequence: String) -> Diagnostic? {
        warning(
            "commits.lost", one: "1 commit of '\(path)' was lost", several: "\(lost) commits of '\(path)' were lost",
            "in a gap or in damage; \(consequence)", path)
    }

    private func warning(
        _ code: String, one: String, several: String, _ note: String, _ path: String
    ) -> Diagnostic? {
        guard let first = firstLost else { return nil }
        return Diagnostic(
            .warning, code: code, lost == 1 ? "\(one): \(first)" : "\(several), the first is \(first)",
            notes: [note], help: Advice(path).help(.verify, to: "reports its gaps and damage"))
    }

    /// Positions at which a query fails, with what one of them or several mean; nil where there are none.
    package func failureWarning(of query: ScopedQuery, one: String, several: String) -> Diagnostic? {
        guard let failure = firstFailure else { return nil }
        var diagnostic = failure.error.diagnostic(of: query, at: failure.position)
        diagnostic.severity = .warning
        diagnostic.notes.append(failed == 1 ? one : "that is the first of \(failed) \(several)")
        return diagnostic
    }

    package func reportFailures(
        of query: ScopedQuery, one: String, several: String, _ messages: MessageWriter
    ) -> ExitStatus {
        guard let warning = failureWarning(of: query, one: one, several: several) else { return .done }
        messages.report(warning)
        return .inconclusive
    }
}
