import CommandLine
import Diagnostics
import JSONCore

/// A violation in a few plain words, for reports that other tools show.
enum ViolationText {
    /// The columns of the changes; a report does not have room for a whole state.
    static let width = 160
    static let mostChanges = 8

    /// As `'total' is violated at commit 118 of run.jsonl, applyDiscount(_:)`.
    static func heading(_ name: String, _ violation: CheckedJournal.Violation, in path: String) -> String {
        guard let summary = violation.summary else { return "'\(name)' is violated from the start of \(path)" }
        return "'\(name)' is violated at " + title(summary) + " of \(path)"
            + (summary.label.isEmpty ? "" : ", " + summary.label)
    }

    static func details(
        _ violation: CheckedJournal.Violation, _ verdict: CheckedJournal.Verdict, _ checked: CheckedJournal
    ) -> [String] {
        var lines = (violation.summary.map(changes) ?? []) + [course(violation, verdict, checked)]
        if let value = violation.value {
            lines.append("its value there is " + ValuePreview.shortened(value, to: width))
        }
        if let cause = violation.facts?.cause { lines.append(self.cause(cause)) }
        if !violation.candidates.isEmpty { lines.append(candidates(violation)) }
        return lines
    }

    /// As `caused by commit 117 in Shop/Session.swift:20 refresh()`.
    static func cause(_ cause: RecordSummary) -> String {
        "caused by commit \(cause.title)" + (cause.location.map { " in \($0)" } ?? "") + " \(cause.label)"
    }

    /// For how long, and how often, of the positions that have an answer.
    static func course(
        _ violation: CheckedJournal.Violation, _ verdict: CheckedJournal.Verdict, _ checked: CheckedJournal
    ) -> String {
        let (first, last) = (violation.position, violation.last)
        let count = "violated at \(violation.positions) of \(verdict.positions) positions"
        let reach = last == checked.lastCommit ? "the end" : "\(last)"
        let range = first == last ? ", \(first)" : ", from \(first) to \(reach)"
        let ranges = violation.ranges > 1 ? " in \(violation.ranges) ranges" : ""
        return count + range + ranges + (verdict.unanswered > 0 ? "; \(verdict.unanswered) have no answer" : "")
    }

    static func candidates(_ violation: CheckedJournal.Violation) -> String {
        let shown = violation.candidates.prefix(12).map(String.init).joined(separator: ", ")
        return "positions before it gave no answer, so the first may be any of " + shown
            + (violation.candidates.count > 12 ? ", …" : "")
    }

    /// A record's action and what it changed, a line each, as `/cart/total   12 → -6`.
    static func changes(_ record: RecordSummary) -> [String] {
        let table = ChangeTable(style: .plain, width: width)
        let action = record.action.map { [table.line($0, indent: 0, column: 9)] } ?? []
        guard !record.changes.isEmpty else { return action + ["changed nothing"] }
        let shown = Array(record.changes.prefix(mostChanges))
        let left = record.changes.count - shown.count
        return action + table.lines(shown, indent: 0) + (left > 0 ? ["and \(left) more"] : [])
    }

    /// `commit 118`, or the record that stands for it.
    static func title(_ record: RecordSummary) -> String {
        record.kind == .commit ? "commit \(record.seq)" : record.title
    }
}
