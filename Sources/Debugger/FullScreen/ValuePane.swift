import CommandLine
import Commands
import Diagnostics
package import JSONCore
import JournalFormat
import JournalReading
package import TimeTravel

/// What was asked about the selected member, over the panes: every change of it, or where its value comes from.
struct ValuePane {
    enum Content {
        case life(ValueLife)
        case origin(OriginStory, [OriginRow])
    }

    struct Destination: Equatable {
        let position: Int
        /// The member that is selected there; nil where it stays.
        let path: JSONPointer?
    }

    let path: JSONPointer
    let content: Content
    let targets: [Destination]
    private(set) var selected = 0
    private let current: Int?

    /// Begins at the last change up to a position.
    init(_ path: JSONPointer, _ life: ValueLife, at position: Int) {
        self.path = path
        content = .life(life)
        targets = life.rows.map { Destination(position: $0.position, path: nil) }
        current = life.rows.lastIndex { $0.position <= position }
        selected = current ?? 0
    }

    init(_ path: JSONPointer, _ story: OriginStory, at position: Int) {
        self.path = path
        let rows = OriginRow.all(of: story)
        content = .origin(story, rows)
        targets = rows.map(\.target)
        current = targets.firstIndex { $0.position == position }
    }

    var target: Destination? { targets.indices.contains(selected) ? targets[selected] : nil }

    mutating func move(_ distance: Int) { selected = min(max(0, selected + distance), max(0, targets.count - 1)) }

    // MARK: Drawing

    func draw(in area: ScreenArea, on screen: inout ScreenBuffer) {
        screen.clear(area)
        drawHeader(in: area, on: &screen)
        var body = ScreenArea(row: area.row + 1, column: area.column, rows: area.rows - 1, columns: area.columns)
        switch content {
        case .life(let life):
            if let numbers = life.numbers, numbers.count > 1, body.rows > 3 {
                let line = Sparkline.text(numbers, columns: body.columns - 6)
                screen.writeLine("     \(line)", row: body.row, body)
                body.row += 1
                body.rows -= 1
            }
            drawRows(of: life, in: body, on: &screen)
        case .origin(let story, let rows): drawRows(rows, of: story, in: body, on: &screen)
        }
    }

    private func drawHeader(in area: ScreenArea, on screen: inout ScreenBuffer) {
        let used = area.column + title.count + summary.count + 9
        let name = DisplayWidth.shortenedInMiddle(ControlCharacters.escaped(path.text), to: max(0, area.columns - used))
        let bar = Style.Role.look(CellStyle(attributes: [.bold, .reverse]))
        screen.writeRule(
            ["\(" \(title) ", bar)", "\(" \(name) ", .path)", "\(" \(summary) ", .dim)"], row: area.row, area)
    }

    private var title: String {
        switch content {
        case .life: "history"
        case .origin: "origin"
        }
    }

    private var summary: String {
        switch content {
        case .life(let life):
            let count = life.rows.count.counted("change")
            switch life.end {
            case .whole: return count
            case .interrupted: return count + ", was stopped"
            case .tooMany: return "the first \(count)"
            }
        case .origin(let story, let rows):
            return rows.indices.contains(selected) ? rows[selected].summary(in: story) : "no hops"
        }
    }

    /// Keeps the selected row among those that are seen.
    private func top(in area: ScreenArea) -> Int {
        max(0, min(selected - area.rows / 2, targets.count - area.rows))
    }

    private func drawRows(
        _ rows: [OriginRow], of story: OriginStory, in area: ScreenArea, on screen: inout ScreenBuffer
    ) {
        let hops = story.hopLines(width: max(1, area.columns - 1))
        let top = top(in: area)
        var row = area.row
        for (index, shown) in rows.enumerated().dropFirst(top).prefix(max(0, area.rows)) {
            screen.writeLine("\(index == current ? "▶" : " ", .heading)\(shown.line(hops))", row: row, area)
            if index == selected { screen.select(row: row, area) }
            row += 1
        }
        if let words = story.origin.end.words, row < area.endRow {
            screen.writeLine("\(" " + words, .warning)", row: row, area)
        }
    }

    private func drawRows(of life: ValueLife, in area: ScreenArea, on screen: inout ScreenBuffer) {
        let top = top(in: area)
        let shown = Array(life.rows.dropFirst(top).prefix(max(0, area.rows)))
        let digits = shown.map { String($0.position).count }.max() ?? 1
        let room = max(8, area.columns / 4)
        let values = shown.map { row in
            [row.old, row.new].map {
                DisplayWidth.clipped($0.text { FittedValue.clipped($0, to: room) }, to: room)
            }
        }
        let width = min(
            area.columns * 2 / 3, values.map { DisplayWidth.of($0[0]) + DisplayWidth.of($0[1]) + 3 }.max() ?? 0)
        for (index, row) in shown.enumerated() {
            let number = String(row.position)
            let margin = String(repeating: " ", count: digits - number.count)
            let change: StoryLine = "\(values[index][0], .removed) → \(values[index][1], .added)"
            let line: StoryLine = "\(top + index == current ? "▶" : " ", .heading)\(margin + number + "  ", .commit)"
            let place: StoryLine = "  \(row.clock + "  ", .dim)\(row.place, .location)"
            screen.writeLine(line + change.padded(to: width) + place, row: area.row + index, area)
            if top + index == selected { screen.select(row: area.row + index, area) }
        }
    }
}

extension FullScreenModel {
    mutating func show(_ pane: ValuePane) {
        value = pane
        mode = .value
    }

    mutating func handleValue(_ key: Key) -> [Request] {
        let page = max(1, size.rows - 6)
        switch key {
        case Key(.up), .scalar("k"): value?.move(-1)
        case Key(.down), .scalar("j"): value?.move(1)
        case Key(.pageUp), .control("b"): value?.move(-page)
        case Key(.pageDown), .control("f"): value?.move(page)
        case Key(.home), .scalar("g"): value?.move(-ValueLife.limit)
        case Key(.end), .scalar("G"): value?.move(ValueLife.limit)
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case Key(.enter):
            mode = .keys
            guard let target = value?.target else { return [] }
            return [.goTo(target.position)] + (target.path.map { [.select($0)] } ?? [])
        case Key(.escape), .scalar("q"), .scalar("v"), .scalar("o"), .control("c"): mode = .keys
        default: break
        }
        return []
    }
}

extension ScreenBuffer {
    /// Shows that a row is selected: as a bar, or by an attribute where another pane has the keys.
    mutating func select(row: Int, _ area: ScreenArea, isFocus: Bool = true, else attributes: CellStyle.Attributes = [])
    {
        restyle(ScreenArea(row: row, column: area.column, rows: 1, columns: area.columns)) {
            isFocus ? CellStyle(attributes: [.bold, .reverse]) : $0.with(attributes)
        }
    }

    mutating func writeRule(_ titles: [StoryLine], row: Int, _ area: ScreenArea) {
        write(
            String(repeating: "─", count: area.columns), .role(.dim), row: row, column: area.column, end: area.endColumn
        )
        var column = area.column + 1
        for title in titles { column = write(title, row: row, column: column, end: area.endColumn) + 1 }
    }
}

/// A row of the pane of a value's origin: a hop, or one of several places where an equal value stood before it.
enum OriginRow {
    case hop(Int, ValuePane.Destination)
    case candidate(of: Int, ValuePane.Destination)

    static func all(of story: OriginStory) -> [OriginRow] {
        zip(story.origin.hops, story.records).enumerated().flatMap { index, made -> [OriginRow] in
            let (hop, record) = made
            // What the cause wrote stood in the state after it, everything else in the one before this commit.
            let before = hop.basis == .recorded ? record.cause : nil
            let candidates = hop.candidates.map { path in
                OriginRow.candidate(
                    of: index, .init(position: before ?? max(0, hop.record.seq.rawValue - 1), path: path))
            }
            return [.hop(index, .init(position: hop.record.seq.rawValue, path: hop.path))] + candidates
        }
    }

    var target: ValuePane.Destination {
        switch self {
        case .hop(_, let target), .candidate(of: _, let target): target
        }
    }

    func summary(in story: OriginStory) -> String {
        let count = story.origin.hops.count
        switch self {
        case .hop(let index, _):
            let isRecorded = story.origin.hops[index].basis == .recorded
            return "hop \(index + 1) of \(count), " + (isRecorded ? "recorded" : "inferred")
        case .candidate(let index, _):
            let count = story.origin.hops[index].candidates.count
            return "one of \(count) places that it may come from"
        }
    }

    func line(_ hops: [StoryLine]) -> StoryLine {
        switch self {
        case .hop(let index, _): hops[index]
        case .candidate(_, let target):
            StoryLine(margin: OriginStory.margin)
                + "\("an equal value stood at ", .dim)\(target.path?.text ?? "", .path)"
        }
    }
}

extension OriginStory {
    /// - Throws: `CommandFailure` where the state is another one than that in the journal, or nothing is at the place.
    package init(of path: JSONPointer, in session: Session) throws {
        guard session.isAsRecorded else {
            throw CommandFailure(
                .usage,
                Diagnostic(
                    code: "debug.not-as-recorded",
                    "where a value comes from is known of the run as it was, after a whole commit", help: []))
        }
        guard let origin = try session.origin(of: path) else {
            throw CommandFailure(
                .notThere, Diagnostic(code: "debug.nothing-there", "nothing is at '\(path.text)' here", help: []))
        }
        try self.init(origin, of: path, StoreScope(store: nil))
    }
}
