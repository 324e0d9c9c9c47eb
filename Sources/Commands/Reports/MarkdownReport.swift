import CommandLine
import Diagnostics
import JSONCore
import TimeTravel

struct MarkdownReport: FindingReport {
    private let output: OutputWriter

    init(_ output: OutputWriter) { self.output = output }

    mutating func write(_ found: FindingsOfJournal) throws {
        let findings = found.findings
        // The one question of a command needs no heading above it.
        if let finding = findings.first, finding.invariant == nil { return try write(finding.markdown(level: 3)) }
        let bad = findings.count { $0.tone == .bad }
        let word = !found.problems.isEmpty ? "cannot be read" : bad > 0 ? "\(bad) violated" : nil
        let unknown = findings.contains { $0.tone == .unknown } ? "without an answer everywhere" : "all hold"
        try write(["### " + Markdown.code(found.path) + ": " + (word ?? unknown), ""])
        for diagnostic in found.problems { try write(["- " + Markdown.text(diagnostic.message)]) }
        for finding in findings where finding.tone != .good { try write(finding.markdown(level: 4) + [""]) }
        let held = findings.filter { $0.tone == .good }
        guard !held.isEmpty else { return }
        let rows = held.map { finding in
            [
                Markdown.cell(finding.invariant ?? finding.title),
                finding.documented.map(Markdown.text).joined(separator: "; "),
            ]
        }
        try write(Markdown.table(["✅ holds", ""], rows) + [""])
    }

    mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws {
        guard let summary, summary.journals > 1, summary.violated > 0 else { return }
        let ranking = summary.ranking
        let rows = ranking.prefix(CheckSummary.mostListed).map { location in
            [
                location.place.map { Markdown.cell($0.text) } ?? "from the start", Markdown.cell(location.invariant),
                "\(location.journals)", Markdown.cell(location.journal) + " at \(location.seq)",
            ]
        }
        let left = ranking.count - rows.count + summary.more
        try write(
            ["### \(summary.violated) of \(summary.journals) journals", ""]
                + Markdown.table(["source line", "invariant", "journals", "first"], rows)
                + (left > 0 ? ["", "and \(left) more"] : []))
    }

    private func write(_ lines: [String]) throws {
        for line in lines { try output.writeLine(line) }
    }
}

extension Finding {
    private static let valueWidth = 120

    func markdown(level: Int) -> [String] {
        let sign =
            switch tone {
            case .bad: "❌"
            case .good: "✅"
            case .unknown: "❔"
            }
        let number = record.map { $0.kind == .commit ? ", commit \($0.seq)" : ", \($0.title)" } ?? ""
        var lines = [String(repeating: "#", count: level) + " \(sign) " + Markdown.text(title + number), ""]
        if let record { lines += place(record) + changes(record) }
        if let action = record?.action {
            let payload = action.payload.map { " " + Markdown.code(FittedValue.shortened($0, to: Self.valueWidth)) }
            lines.append("- action: " + Markdown.code(action.type) + (payload ?? ""))
        }
        if !question.isEmpty { lines.append("- asked: " + Markdown.code(question)) }
        lines += documented.map { "- " + Markdown.text($0) }
        if let cause {
            lines.append("- caused by " + Markdown.text(cause.title) + " " + Markdown.code(cause.label) + at(cause))
        }
        if !firings.fired.isEmpty {
            lines.append("- fired: " + firings.fired.map { Markdown.code($0.name) }.joined(separator: ", "))
        }
        return lines + Markdown.commands(commands)
    }

    /// As `cart · Shop/Cart.swift:42 · applyDiscount(_:) · 12:00:03.482`, each as code.
    private func place(_ record: RecordSummary) -> [String] {
        let parts = [record.store, record.location, record.label, record.clock].compactMap(\.self)
        let shown = parts.filter { !$0.isEmpty }.map(Markdown.code)
        return shown.isEmpty ? [] : [shown.joined(separator: " · "), ""]
    }

    private func changes(_ record: RecordSummary) -> [String] {
        guard !record.changes.isEmpty else { return record.kind == .commit ? ["changed nothing", ""] : [] }
        let rows = record.changes.prefix(CommitStory.ListedChanges.markdown.rawValue).map { change in
            [Markdown.cell(change.place)] + Self.cells(change.kind)
        }
        let left = record.changes.count - rows.count
        return Markdown.table(["path", "before", "after"], rows) + [""] + (left > 0 ? ["and \(left) more", ""] : [])
    }

    private static func cells(_ effect: StateChange.ChangeKind) -> [String] {
        func cell(_ value: JSONValue) -> String { Markdown.cell(FittedValue.shortened(value, to: valueWidth)) }
        return switch effect {
        case .added(let value): ["", cell(value)]
        case .removed(let old): [old.map(cell) ?? "", "removed"]
        case .replaced(let new, let old): [old.map(cell) ?? "", cell(new)]
        case .moved(let from): ["moved from " + Markdown.cell(from.text), ""]
        case .copied(let from): ["", "copied from " + Markdown.cell(from.text)]
        }
    }

    private func at(_ record: RecordSummary) -> String { record.location.map { " in " + Markdown.code($0) } ?? "" }
}

/// None makes markup, a link, or a second line: GitHub Flavored Markdown 0.29, sections 6.1 (escapes), 6.3 (code
/// spans), 4.10 (tables).
enum Markdown {
    /// A text as code: between more backticks than stand together in it.
    static func code(_ text: String) -> String {
        let shown = ControlCharacters.escaped(text)
        guard !shown.isEmpty else { return "" }
        var longest = 0
        var run = 0
        for byte in shown.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let margin = longest > 0 || UTF8Order.begins(shown, with: " ") || UTF8Order.ends(shown, with: " ") ? " " : ""
        return fence + margin + shown + margin + fence
    }

    /// A code span for a cell of a table, which would end at a bar.
    static func cell(_ text: String) -> String {
        code(text).replacingScalars { $0 == "|" ? "\\|" : nil }
    }

    /// A text among others, each scalar as itself: a sign is markup also where a combining mark follows it.
    static func text(_ text: String) -> String {
        ControlCharacters.escaped(text).replacingScalars { scalar in
            "\\`*_{}[]<>#|~&:!".unicodeScalars.contains(scalar) ? "\\\(scalar)" : nil
        }
    }

    static func table(_ head: [String], _ rows: [[String]]) -> [String] {
        ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
    }

    static func commands(_ commands: [String]) -> [String] {
        let shown = commands.map(ControlCharacters.escaped)
        let fence = shown.contains { $0.utf8.contains("```".utf8) } ? "~~~~~~~~" : "```"
        return shown.isEmpty ? [] : ["", fence + "sh"] + shown + [fence]
    }
}
