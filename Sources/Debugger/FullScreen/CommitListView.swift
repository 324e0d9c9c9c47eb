import CommandLine
import Diagnostics
import JSONCore

/// The lines of the list of commits that fit, the position's among them and in the middle, as far as there are others around.
struct CommitWindow {
    let lines: [FullScreenFacts.Line]
    let current: Int?

    init(_ facts: FullScreenFacts, rows: Int) {
        let all = facts.lines
        let place = all.lastIndex { line in
            switch line {
            case .record(let record): record.seq <= facts.position
            case .step(_, let numbers): numbers.step <= facts.position
            case .mark: false
            }
        }
        let top = max(0, min((place ?? 0) - rows / 2, all.count - rows))
        lines = Array(all[top..<min(all.count, top + max(0, rows))])
        current = place.map { $0 - top }
    }
}

struct CommitListView {
    private let model: FullScreenModel

    /// From so many columns on the lines have times.
    private static let clockColumns = 58

    init(_ model: FullScreenModel) { self.model = model }

    func draw(in area: ScreenArea, on screen: inout ScreenBuffer) {
        let list = CommitWindow(model.facts, rows: area.rows)
        let records = list.lines.compactMap { line in
            switch line {
            case .record(let record), .step(let record, _): record
            case .mark: nil
            }
        }
        let digits = list.lines.map(Self.digits).max() ?? 1
        let stores = min(area.columns / 4, records.map { DisplayWidth.of($0.store ?? "") }.max() ?? 0)
        for (index, line) in list.lines.enumerated() {
            let isCurrent = index == list.current
            let shown =
                switch line {
                case .mark(let text): StoryLine(margin: digits + 1) + "\("◆ " + text, .changed)"
                case .record(let record): self.line(record, [record.seq], digits, stores, area.columns)
                case .step(let record, let numbers):
                    self.line(record, [numbers.left, numbers.right], digits, stores, area.columns)
                }
            screen.writeLine("\(isCurrent ? "▶" : " ", .heading)\(shown)", row: area.row + index, area)
            if isCurrent {
                screen.select(row: area.row + index, area, isFocus: model.focus == .commits, else: .bold)
            }
        }
    }

    private static func digits(_ line: FullScreenFacts.Line) -> Int {
        switch line {
        case .record(let record): String(record.seq).count
        case .step(_, let numbers): [numbers.left, numbers.right].compactMap { $0.map { String($0).count } }.max() ?? 1
        case .mark: 1
        }
    }

    /// - Parameter numbers: that of the commit; of two runs that in either one.
    private func line(
        _ record: RecordSummary, _ numbers: [Int?], _ digits: Int, _ stores: Int, _ columns: Int
    ) -> StoryLine {
        var line = numbers.map { number -> StoryLine in
            let text = number.map { String($0) } ?? ""
            return "\(String(repeating: " ", count: digits - text.count) + text + " ", .commit)"
        }.joined("")
        // The time of day where there is room, with milliseconds where there is more.
        if columns >= Self.clockColumns {
            let clock = columns >= Self.clockColumns + 8 ? record.clock : String(record.clock.prefix(8))
            line += "\(clock + " ", .dim)"
        }
        switch record.kind {
        case .commit, .store:
            let store = DisplayWidth.clipped(record.store ?? "", to: max(1, stores))
            let look = TimelineView.style(ofStore: record.store ?? "", in: model)
            line += "\(DisplayWidth.padded(store, to: stores) + " ", .look(look))\(record.label, .heading)"
            let place = record.location?.split(separator: "/").last.map { "  " + $0 } ?? ""
            return line + "\(place, .location)"
        case .gap, .keyframe, .never: return "\(record.title, .warning)\("  " + record.label, .dim)"
        }
    }
}

extension ScreenBuffer {
    mutating func writeLine(_ line: StoryLine, row: Int, _ area: ScreenArea) {
        guard area.contains(row: row, column: area.column) else { return }
        write(line, row: row, column: area.column, end: area.endColumn)
        if line.columns > area.columns {
            write("…", .role(.dim), row: row, column: area.endColumn - 1, end: area.endColumn)
        }
    }
}
