import CommandLine
import Diagnostics
import TimeTravel

struct CheckCounts: CheckPrinter {
    private static let mostPlaces = 10
    private static let head = ["invariant", "positions", "times", "first", "last"]

    private let context: CommandContext
    private let hasSeveral: Bool
    private var isFirst = true

    init(_ context: CommandContext, hasSeveral: Bool) {
        self.context = context
        self.hasSeveral = hasSeveral
    }

    mutating func write(_ checked: CheckedJournal) throws {
        if !isFirst { try context.writeText("") }
        isFirst = false
        if hasSeveral {
            let note = checked.problem == nil ? "" : "  " + context.style(.error, "cannot be read")
            try context.writeText(context.style(.heading, ControlCharacters.escaped(checked.path)) + note)
        }
        guard !checked.verdicts.isEmpty else { return }
        let rows = checked.verdicts.map(Self.row)
        let widths = Self.head.indices.map { column in
            ([Self.head] + rows).map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        try context.writeText(context.style(.dim, Self.line(Self.head, widths)))
        for (verdict, row) in zip(checked.verdicts, rows) {
            try context.writeText(Self.line(row, widths) + unanswered(verdict))
            for line in places(of: verdict) { try context.writeText(line) }
        }
    }

    mutating func finish(_ summary: CheckSummary) throws {}

    private static func row(_ verdict: CheckedJournal.Verdict) -> [String] {
        let name = ControlCharacters.escaped(verdict.name)
        guard let violation = verdict.violation else { return [name, "0", "0", "", ""] }
        return [
            name, "\(violation.positions)", "\(violation.ranges)", "\(violation.position)", "\(violation.last)",
        ]
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).enumerated().map { index, cell in
            let margin = String(repeating: " ", count: max(0, cell.1 - DisplayWidth.of(cell.0)))
            return index == 0 ? cell.0 + margin : margin + cell.0
        }
        let line = padded.joined(separator: "  ")
        return String(line.prefix(upTo: line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.endIndex))
    }

    private func unanswered(_ verdict: CheckedJournal.Verdict) -> String {
        guard verdict.unanswered > 0 else { return "" }
        return "  " + context.style(.warning, "\(verdict.unanswered) have no answer")
    }

    /// As `    3 times  Shop/Cart.swift:42  applyDiscount(_:)  118 to 300`.
    private func places(of verdict: CheckedJournal.Verdict) -> [String] {
        guard let violation = verdict.violation else { return [] }
        var lines = violation.places.prefix(Self.mostPlaces).map { place in
            let parts = [place.place?.text ?? "no place in the source", place.place?.function].compactMap(\.self)
            let ends = place.first == place.last ? "at \(place.first)" : "\(place.first) to \(place.last)"
            return "    " + place.times.counted("time") + "  "
                + (parts.map(ControlCharacters.escaped) + [place.isStart ? "from the start" : ends])
                .joined(separator: "  ")
        }
        let left = violation.places.count - lines.count
        if left > 0 { lines.append("    and \(left.counted("more place"))") }
        return lines
    }
}
