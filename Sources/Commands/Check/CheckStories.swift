import CommandLine
import Diagnostics
import JSONCore
import JournalReading

/// What `check` found, written for a person: a story for each violated invariant, a line for each that holds.
struct CheckStories: CheckPrinter {
    static let locationLimit = 20
    private static let mostNamed = 12

    private let context: CommandContext
    private let style: Style
    private let block: CommitBlock
    private let scope: StoreScope
    private let hasSeveral: Bool
    private let arguments: TypedArguments
    private var isFirst = true
    /// The journals that violate an invariant, and those in which all hold, as far as a command can name them.
    private var (bad, good): ([String], [String]) = ([], [])

    init(_ context: CommandContext, _ scope: StoreScope, hasSeveral: Bool, _ typed: TypedArguments) {
        self.scope = scope
        arguments = typed
        self.context = context
        style = context.style
        block = CommitBlock(style: context.style, width: context.terminal.width)
        self.hasSeveral = hasSeveral
    }

    mutating func write(_ event: CheckedJournal.Event) throws {
        if !isFirst { try context.writeText("") }
        isFirst = false
        for line in opening(event.name, event.summary, of: nil) { try context.writeText(line) }
    }

    mutating func write(_ checked: CheckedJournal) throws {
        if checked.isReported, !isFirst { try context.writeText("") }
        if hasSeveral {
            if !isFirst { try context.writeText("") }
            isFirst = false
            let note = checked.problem == nil ? "" : "  " + style(.error, "cannot be read")
            try context.writeText(style(.heading, ControlCharacters.escaped(checked.path)) + note)
        }
        var followsStory = false
        for (index, verdict) in checked.verdicts.enumerated() {
            let cited = verdict.violation?.position ?? verdict.failure?.seq ?? checked.lastCommit
            _ = try context.citations?.cite(cited, of: checked.path)
            if let violation = verdict.violation, checked.isReported {
                try context.writeText(
                    style(.heading, verdict.name) + "  " + ViolationText.course(violation, verdict, checked))
                for line in lookFurther(violation, checked.path) { try context.writeText(line) }
                followsStory = true
            } else if let violation = verdict.violation {
                if index > 0 { try context.writeText("") }
                for line in story(verdict, violation, checked) { try context.writeText(line) }
                followsStory = true
            } else {
                if followsStory { try context.writeText("") }
                followsStory = false
                try context.writeText(line(verdict, checked))
            }
        }
        switch checked.status {
        case .violated: bad.append(checked.path)
        case .held: good.append(checked.path)
        case .failed, .absent, .unreadable: break
        }
    }

    mutating func finish(_ summary: CheckSummary) throws {
        guard hasSeveral else { return }
        try context.writeText("")
        try context.writeText(style(.heading, counts(summary)))
        let ranking = summary.ranking
        for location in ranking.prefix(Self.locationLimit) { try context.writeText(line(location)) }
        let left = ranking.count - min(ranking.count, Self.locationLimit) + summary.more
        if left > 0 { try context.writeText("  and \(left) more") }
        guard !bad.isEmpty, bad.count + good.count <= Self.mostNamed,
            let command = SuspectsCommand.line(bad, good: good, arguments)
        else { return }
        for line in [""] + Advice.lookFurther([command], style) { try context.writeText(line) }
    }

    /// As `total  holds at all 413 positions`.
    private func line(_ verdict: CheckedJournal.InvariantVerdict, _ checked: CheckedJournal) -> String {
        let name = style(.heading, ControlCharacters.escaped(verdict.name))
        guard let failure = verdict.failure else {
            if verdict.unanswered == 0 { return name + "  holds at all \(verdict.positions) positions" }
            return name + "  holds at \(verdict.positions) positions, "
                + style(.warning, "\(verdict.unanswered) have no answer")
        }
        let place =
            failure.positions == 1
            ? "at \(failure.seq)" : "at \(failure.positions) positions, first at \(failure.seq)"
        return name + "  " + style(.warning, "cannot be evaluated") + " " + place + ": "
            + ControlCharacters.escaped(failure.message)
    }

    private func story(
        _ verdict: CheckedJournal.InvariantVerdict, _ violation: CheckedJournal.Violation, _ checked: CheckedJournal
    ) -> [String] {
        var lines = opening(verdict.name, violation.summary, of: checked.lastCommit) + [""]
        if let cause = violation.facts?.cause { lines.append(block.cause(cause)) }
        if let firings = violation.facts.flatMap({ block.firings($0.firings) }) { lines.append(firings) }
        lines.append("  " + ViolationText.course(violation, verdict, checked))
        if !violation.candidates.isEmpty { lines.append("  " + ViolationText.candidates(violation)) }
        if let failure = verdict.failure {
            lines.append(
                "  it cannot be evaluated at \(failure.positions) more: " + ControlCharacters.escaped(failure.message))
        }
        return lines + lookFurther(violation, checked.path)
    }

    private func opening(_ name: String, _ record: RecordSummary?, of total: Int?) -> [String] {
        let title = ControlCharacters.escaped(name) + " is violated"
        guard let record else { return [style(.heading, title + " from the start")] }
        let head = block.head(title, record, of: total)
        guard record.kind == .commit || !record.changes.isEmpty else { return head }
        return head + [""] + block.changes(record.changes)
    }

    private func lookFurther(_ violation: CheckedJournal.Violation, _ path: String) -> [String] {
        let lines = Advice.lookFurther(violation.commands(Advice(path, scope)), style)
        return lines.isEmpty ? [] : [""] + lines
    }

    /// As `3 journals: 2 violated, 1 unreadable`.
    private func counts(_ summary: CheckSummary) -> String {
        let parts = [
            summary.violated > 0 ? "\(summary.violated) violated" : nil,
            summary.failed > 0 ? "\(summary.failed) with positions that have no answer" : nil,
            summary.unreadable > 0 ? "\(summary.unreadable) unreadable" : nil,
        ].compactMap(\.self)
        return "\(summary.journals) journals: "
            + (parts.isEmpty ? "every invariant holds" : parts.joined(separator: ", "))
    }

    /// As `  total  2 journals  Shop/Cart.swift:42  applyDiscount(_:)  first in a.jsonl at 118`.
    private func line(_ location: CheckSummary.Location) -> String {
        let count = location.journals.counted("journal")
        let parts = [location.invariant, count, location.place?.text, location.place?.function].compactMap(\.self)
        return "  " + parts.map(ControlCharacters.escaped).joined(separator: "  ") + "  first in "
            + ControlCharacters.escaped(location.journal) + " at \(location.seq)"
    }
}

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
        _ violation: CheckedJournal.Violation, _ verdict: CheckedJournal.InvariantVerdict, _ checked: CheckedJournal
    ) -> [String] {
        var lines = (violation.summary.map(changes) ?? []) + [course(violation, verdict, checked)]
        if let value = violation.value {
            lines.append("its value there is " + FittedValue.shortened(value, to: width))
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
        _ violation: CheckedJournal.Violation, _ verdict: CheckedJournal.InvariantVerdict, _ checked: CheckedJournal
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
