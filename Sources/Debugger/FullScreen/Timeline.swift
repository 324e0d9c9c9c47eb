import CommandLine
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct TimelineBar {
    let labels: Int
    let start: Int
    let width: Int
    private let bounds: ClosedRange<Int>

    private var span: Int { bounds.upperBound - bounds.lowerBound }

    init(_ area: ScreenArea, _ bounds: ClosedRange<Int>) {
        labels = min(14, area.columns / 6)
        start = area.column + labels + 1
        width = max(1, area.columns - labels - 2)
        self.bounds = bounds
    }

    /// How far a position lies from the first column, from 0 to ``width`` - 1; every position of the run has one.
    func offset(of position: Int) -> Int {
        let position = min(max(position, bounds.lowerBound), bounds.upperBound)
        guard span > 0 else { return 0 }
        let (product, overflow) = (position - bounds.lowerBound).multipliedReportingOverflow(by: width - 1)
        return overflow
            ? Int(Double(position - bounds.lowerBound) / Double(span) * Double(width - 1))
            : product / span
    }

    /// Nil beside the bars.
    func position(atColumn column: Int) -> Int? {
        let offset = column - start
        guard (0..<width).contains(offset) else { return nil }
        guard width > 1 else { return bounds.lowerBound }
        let distance = (Double(offset) / Double(width - 1) * Double(span)).rounded()
        return distance < Double(span) ? bounds.lowerBound + min(Int(distance), span) : bounds.upperBound
    }
}

/// The rows of the timeline: how many commits each store has along the run, and what else stands there.
struct TimelineView {
    private let model: FullScreenModel
    private let area: ScreenArea
    private let bar: TimelineBar

    private static let levels = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let colors: [UInt8] = [6, 5, 2, 3, 4, 1]

    init(_ model: FullScreenModel, _ area: ScreenArea) {
        self.model = model
        self.area = area
        bar = TimelineBar(area, model.facts.bounds)
    }

    static func style(ofStore name: String, in model: FullScreenModel) -> CellStyle {
        guard let index = model.stores.firstIndex(where: { UTF8Order.equal($0, name) }) else { return .plain }
        return CellStyle(foreground: .base(colors[index % colors.count]))
    }

    func draw(on screen: inout ScreenBuffer) {
        let rows = area.rows - 1
        // The last row is for all stores that have none of their own.
        let named = model.stores.count <= rows ? model.stores.count : rows - 1
        for row in 0..<rows {
            if row < named {
                draw([model.stores[row]], model.stores[row], row, on: &screen)
            } else if row == named, row < model.stores.count {
                let others = Array(model.stores[row...])
                draw(
                    others, others.count == model.stores.count ? "commits" : "\(others.count) others", row, on: &screen)
            }
        }
        drawAxis(area.endRow - 1, on: &screen)
        let cursor = ScreenArea(
            row: area.row, column: bar.start + bar.offset(of: model.facts.position), rows: area.rows - 1, columns: 1)
        screen.restyle(cursor) { $0.with(.reverse) }
    }

    private func draw(_ stores: [String], _ label: String, _ row: Int, on screen: inout ScreenBuffer) {
        let style = TimelineView.style(ofStore: stores[0], in: model)
        let row = area.row + row
        screen.write(
            DisplayWidth.clipped(label, to: bar.labels - 1), style, row: row, column: area.column + 1,
            end: bar.start - 1)
        var counts = Array(repeating: 0, count: bar.width)
        var samples = Array(repeating: false, count: bar.width)
        for column in model.columns {
            var commits = 0
            for store in column.stores where stores.contains(where: { UTF8Order.equal($0, store.name) }) {
                commits += store.commits
            }
            guard commits > 0 else { continue }
            let (first, last) = (column.positions.lowerBound.rawValue, column.positions.upperBound.rawValue)
            for offset in bar.offset(of: first)...bar.offset(of: last) {
                if column.isExact { counts[offset] += commits } else { samples[offset] = true }
            }
        }
        let most = max(1, counts.max() ?? 1)
        for offset in 0..<bar.width {
            if counts[offset] > 0 {
                let level = max(1, Int((Double(counts[offset]) / Double(most) * 8).rounded()))
                screen.write(Self.levels[min(8, level)], style, row: row, column: bar.start + offset)
            } else if samples[offset] {
                screen.write("·", style.with(.dim), row: row, column: bar.start + offset)
            }
        }
    }

    /// Marks, losses and the cursor; of several at one place the gravest is seen.
    private func drawAxis(_ row: Int, on screen: inout ScreenBuffer) {
        // The positions of two runs are steps, which are not what one types.
        if !model.facts.isPaired {
            screen.write(
                "\(model.facts.bounds.lowerBound)…\(model.facts.bounds.upperBound)", .role(.dim), row: row,
                column: area.column + 1, end: bar.start - 1)
        }
        screen.write(String(repeating: "─", count: bar.width), .role(.dim), row: row, column: bar.start)
        var signs: [(sign: String, role: Style.Role, isAt: (RunOverview.Column) -> Bool)] = []
        signs.append(("◆", .changed, { $0.marks > 0 }))
        signs.append(("x", .error, { $0.aborts > 0 }))
        signs.append(("░", .warning, { $0.hasHole }))
        for (sign, role, isAt) in signs {
            for column in model.columns where isAt(column) {
                let (first, last) = (column.positions.lowerBound.rawValue, column.positions.upperBound.rawValue)
                let middle = first + (last - first + 1) / 2
                screen.write(sign, .role(role), row: row, column: bar.start + bar.offset(of: middle))
            }
        }
        for position in model.caught {
            screen.write("!", .role(.error), row: row, column: bar.start + bar.offset(of: position))
        }
        screen.write("▲", .role(.heading), row: row, column: bar.start + bar.offset(of: model.facts.position))
    }
}

final class TimelineScan {
    private var overview: RunOverview?
    private(set) var isComplete = false
    private let columnCount: Int

    init(_ journal: Journal, columns: Int) {
        columnCount = columns
        overview = try? RunOverview(journal, columns: columns)
        isComplete = overview == nil
    }

    /// Takes the journal as it is now; one that was cut is looked at anew.
    func follow(_ journal: Journal) {
        let isLonger = (try? journal.lastCommit).map { $0 >= (overview?.last ?? $0) } ?? false
        if !isLonger { overview = try? RunOverview(journal, columns: columnCount) }
        try? overview?.extend(journal)
        isComplete = overview?.isComplete ?? true
    }

    /// How much of the file is looked at between two looks whether to go on.
    private static let sliceBytes = 1 << 20

    /// Samples first, and then all of the file; what cannot be read stays as it is.
    func advance(while goesOn: () -> Bool) {
        var hasMore = true
        while hasMore, !isComplete {
            if overview?.sample() != true {
                isComplete = (try? overview?.advance(bytes: Self.sliceBytes)) != true
            }
            hasMore = goesOn()
        }
    }

    var columns: [RunOverview.Column] { overview?.columns ?? [] }
}
