import CommandLine
import Diagnostics
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
    private func line(_ verdict: CheckedJournal.Verdict, _ checked: CheckedJournal) -> String {
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
        _ verdict: CheckedJournal.Verdict, _ violation: CheckedJournal.Violation, _ checked: CheckedJournal
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
