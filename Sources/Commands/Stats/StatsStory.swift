import CommandLine
import Diagnostics
import JournalFormat
import TimeTravel

struct StatsStory {
    /// The columns of a bar, and of a name where there is room.
    private let barWidth: Int
    private static let nameWidth = 48

    private let tables: StatsTables
    private let context: CommandContext

    init(_ tables: StatsTables, _ context: CommandContext) {
        (self.tables, self.context) = (tables, context)
        barWidth = context.terminal.width.map { min(20, $0 / 4) } ?? 20
    }

    func write() throws {
        try writeSummary()
        for table in tables.tables where !table.rows.isEmpty { try write(table) }
        try writeKinds()
    }

    private func writeSummary() throws {
        let statistics = tables.statistics
        let rate = tables.rate.map { " in \(Self.short(tables.seconds)) s, \(Self.short($0)) a second" } ?? ""
        try context.write("\(statistics.commits.counted("commit"), .heading)\(rate)")
        if statistics.times.counts.count > 1 {
            try context.write("  \(Self.sparkline(fitted(statistics.times.counts)), .commit)")
        }
        if let median = statistics.patches.quantile(500), let high = statistics.patches.quantile(990) {
            let largest = statistics.largest.map { " (commit \($0.rawValue))" } ?? ""
            try context.write(
                "  patches: median \(Self.size(median)), p99 \(Self.size(high)), "
                    + "largest \(Self.size(statistics.patches.largest))\(largest), \(statistics.changes.counted("change")) in all"
            )
        }
        try context.write(
            "  \(statistics.idle.counted("commit")) changed nothing; "
                + "\(statistics.putBack.total.counted("value")) put back within \(JournalStatistics.putBackWindow) commits"
        )
    }

    private func write(_ table: StatsTables.RankedTable) throws {
        let title = table.unit == "times" ? "values put back" : table.name + "s"
        let about = "  (\(table.isExact ? "" : "about ")\(table.distinct) distinct, by \(table.unit))"
        try context.write(["", "\(title, .heading)\(about, .dim)"])
        let digits = table.rows.map { "\($0.count)".utf8.count }.max() ?? 0
        // Before it stand two spaces, the count, its share and the bar.
        let room = context.terminal.width.map { max(8, $0 - digits - barWidth - 13) } ?? Self.nameWidth
        let texts = table.rows.map { row in
            let text = ControlCharacters.escaped(tables.text(row, of: table))
            return DisplayWidth.shortenedInMiddle(text, to: min(room, Self.nameWidth))
        }
        // The name stands last: a line that begins with what a journal says may be a command to who reads it.
        for (row, text) in zip(table.rows, texts) {
            let share = table.total == 0 ? 0 : Int((Double(row.count) * 100 / Double(table.total)).rounded())
            let bar = DisplayWidth.padded(bar(row.count, of: table.rows[0].count), to: barWidth)
            try context.write(
                "  \(Self.right("\(row.count)", digits))  \(Self.right("\(share)", 3)) %  \(bar, .location)  "
                    + "\(text.isEmpty ? "(all)" : text)")
        }
    }

    private func writeKinds() throws {
        let kinds = tables.kinds
        guard !kinds.isEmpty else { return }
        let share = Int((tables.keyframeShare * 100).rounded())
        let about = "  (\(Self.size(tables.statistics.bytes)), \(share) % keyframes)"
        try context.write(["", "\("records", .heading)\(about, .dim)"])
        let most = kinds.map(\.size.bytes).max() ?? 1
        let rows: [[StoryLine]] = kinds.map { kind in
            let size = Self.right(Self.size(kind.size.bytes), 9)
            return [
                "  \(kind.name)", "\(kind.size.count)", "\(size)", "\(bar(kind.size.bytes, of: most), .location)",
            ]
        }
        try context.write(rows.aligned(right: 1...1))
    }

    /// The counts of neighbours taken together, so that there is a column for each.
    private func fitted(_ counts: [Int]) -> [Int] {
        let size = context.terminal.width.map { (counts.count + max(1, $0 - 2) - 1) / max(1, $0 - 2) } ?? 1
        guard size > 1 else { return counts }
        return stride(from: 0, to: counts.count, by: size).map {
            counts[$0..<min($0 + size, counts.count)].reduce(0, +)
        }
    }

    /// A line of blocks, the highest for the largest number; an interval with anything in it has at least the lowest.
    static func sparkline(_ counts: [Int]) -> String {
        let blocks = Array("▁▂▃▄▅▆▇█")
        let most = max(counts.max() ?? 0, 1)
        return String(
            counts.map { count in
                count == 0 ? " " : blocks[min(blocks.count - 1, count * (blocks.count - 1) / most)]
            })
    }

    private func bar(_ count: Int, of most: Int) -> String {
        guard most > 0, count > 0 else { return "" }
        let eighths = max(1, Int((Double(count) / Double(most) * Double(barWidth * 8)).rounded()))
        let rest = Array(" ▏▎▍▌▋▊▉")[eighths % 8]
        return String(repeating: "█", count: eighths / 8) + (eighths % 8 == 0 ? "" : String(rest))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }

    private static func size(_ bytes: Int) -> String { Progress.size(Double(bytes)) }

    /// Up to three digits after the point, none if the number is large.
    private static func short(_ number: Double) -> String {
        let factor = number >= 100 ? 1.0 : number >= 10 ? 10 : 1000
        let rounded = (number * factor).rounded() / factor
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }
}
