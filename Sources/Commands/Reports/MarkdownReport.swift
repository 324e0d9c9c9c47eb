import CommandLine
import Diagnostics

struct MarkdownReport: FindingReport {
    private static let locationLimit = 20

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
                finding.sentences.map(Markdown.text).joined(separator: "; "),
            ]
        }
        try write(Markdown.table(["✅ holds", ""], rows) + [""])
    }

    mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws {
        guard let summary, summary.journals > 1, summary.violated > 0 else { return }
        let ranking = summary.ranking
        let rows = ranking.prefix(Self.locationLimit).map { location in
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
