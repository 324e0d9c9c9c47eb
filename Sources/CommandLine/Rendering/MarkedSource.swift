import Diagnostics

/// Labels stand beside their carets as long as there is room before the next mark; one that does not fit goes to a line
/// of its own below, at its caret's column.
///
/// A line that is wider than the screen is shown around its first mark.
struct MarkedSource {
    private let width: Int?
    private let rows: [MarkedLine]

    private struct MarkedLine {
        let number: Int
        var text: String
        var marks: [Mark]
    }

    private struct Mark {
        var column: Int
        var length: Int
        let label: String?
        let isPrimary: Bool
    }

    init(_ excerpt: SourceExcerpt, width: Int?) {
        self.width = width
        rows = Self.rows(of: excerpt)
    }

    /// Number, bar and text, then the carets.
    var lines: [StoryLine] {
        let gutter = rows.map { String($0.number).count }.max() ?? 1
        let blank = String(repeating: " ", count: gutter)
        var lines: [StoryLine] = []
        var last: Int?
        for row in rows {
            if let last, row.number > last + 1 { lines.append("\(blank)\(" ⋮", .dim)") }
            last = row.number
            let row = fitted(row, gutter: gutter)
            let number = blank.dropLast(String(row.number).count) + String(row.number)
            lines.append("\(number + " |", .location)\(row.text.isEmpty ? "" : " " + row.text)")
            lines += markLines(row).map { "\(blank + " |", .location) \($0)" }
        }
        return lines
    }

    private static func rows(of excerpt: SourceExcerpt) -> [MarkedLine] {
        var rows: [MarkedLine] = []
        var start = 0
        let lines = excerpt.text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let end = start + line.count
            let isLast = index == lines.count - 1
            var marks: [Mark] = []
            for (order, mark) in excerpt.marks.enumerated() {
                let lower = min(mark.range.lowerBound, excerpt.text.utf8.count)
                guard lower >= start, lower < end + 1 || isLast else { continue }
                let upper = min(max(mark.range.upperBound, lower), end)
                let column = columns(line.prefix(lower - start))
                let length = columns(line.dropFirst(lower - start).prefix(max(0, upper - lower)))
                marks.append(Mark(column: column, length: max(1, length), label: mark.label, isPrimary: order == 0))
            }
            if !marks.isEmpty {
                let text = ControlCharacters.escaped(String(Substring(line)))
                rows.append(MarkedLine(number: index + 1, text: text, marks: marks.sorted { $0.column < $1.column }))
            }
            start = end + 1
        }
        return rows
    }

    private static func columns(_ bytes: Substring.UTF8View) -> Int {
        DisplayWidth.of(ControlCharacters.escaped(String(Substring(bytes))))
    }

    private func fitted(_ row: MarkedLine, gutter: Int) -> MarkedLine {
        guard let width else { return row }
        let room = max(20, width - gutter - 3)
        guard DisplayWidth.of(row.text) > room, let first = row.marks.map(\.column).min() else { return row }
        let skipped = max(0, first - room / 3)
        var cut = row
        cut.text = Self.dropping(skipped, from: row.text)
        cut.text = (skipped > 0 ? "…" : "") + DisplayWidth.clipped(cut.text, to: room - 1)
        let shift = skipped > 0 ? skipped - 1 : 0
        cut.marks = row.marks.map { mark in
            var moved = mark
            moved.column -= shift
            moved.length = max(1, min(mark.length, room - moved.column))
            return moved
        }
        cut.marks.removeAll { $0.column >= room }
        return cut
    }

    private static func dropping(_ count: Int, from text: String) -> String {
        var used = 0
        var rest = text.unicodeScalars[...]
        while used < count, let scalar = rest.popFirst() { used += DisplayWidth.of(scalar) }
        return String(rest)
    }

    private func markLines(_ row: MarkedLine) -> [StoryLine] {
        var carets = StoryLine()
        var below: [Mark] = []
        func write(_ text: String, at start: Int, _ mark: Mark, to line: inout StoryLine) {
            line = line.padded(to: start) + "\(text, mark.isPrimary ? .mark : .note)"
        }
        for (index, mark) in row.marks.enumerated() {
            write(String(repeating: "^", count: mark.length), at: mark.column, mark, to: &carets)
            guard let label = mark.label.map(ControlCharacters.escaped) else { continue }
            let start = mark.column + mark.length + 1
            let next = index + 1 < row.marks.count ? row.marks[index + 1].column : Int.max
            if start + DisplayWidth.of(label) < next {
                write(label, at: start, mark, to: &carets)
            } else {
                below.append(mark)
            }
        }
        return [carets]
            + below.reversed().map { mark in
                var line = StoryLine()
                write(mark.label ?? "", at: mark.column, mark, to: &line)
                return line
            }
    }
}
