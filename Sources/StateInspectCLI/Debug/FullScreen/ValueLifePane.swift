import Diagnostics
import JSONCore

/// Every change of the selected member, over the panes: Enter goes to one.
struct ValueLifePane: Equatable {
    let path: JSONPointer
    let life: ValueLife
    /// The row that Enter goes to.
    private(set) var selected = 0
    /// The row of the change that the state shows now; nil before the first.
    private let current: Int?

    /// A pane that begins at the last change up to a position.
    init(_ path: JSONPointer, _ life: ValueLife, at position: Int) {
        self.path = path
        self.life = life
        current = life.rows.lastIndex { $0.position <= position }
        selected = current ?? 0
    }

    /// Where Enter goes to.
    var target: Int? { life.rows.indices.contains(selected) ? life.rows[selected].position : nil }

    mutating func move(_ distance: Int) { selected = min(max(0, selected + distance), max(0, life.rows.count - 1)) }

    // MARK: Drawing

    func draw(in area: ScreenArea, on screen: inout ScreenBuffer) {
        screen.clear(area)
        screen.write(String(repeating: "─", count: area.columns), .role(.dim), row: area.row, column: area.column)
        var column = screen.write(
            " history ", CellStyle(attributes: [.bold, .reverse]), row: area.row, column: area.column + 1,
            end: area.endColumn)
        let count = " \(summary) "
        let name = DisplayWidth.shortenedInMiddle(
            ControlCharacters.escaped(path.text), to: max(0, area.columns - column - count.count - 4))
        column = screen.write(" \(name) ", .role(.path), row: area.row, column: column + 1, end: area.endColumn)
        screen.write(count, .role(.dim), row: area.row, column: column + 1, end: area.endColumn)
        var body = ScreenArea(row: area.row + 1, column: area.column, rows: area.rows - 1, columns: area.columns)
        if let numbers = life.numbers, numbers.count > 1, body.rows > 3 {
            let line = Sparkline.text(numbers, columns: body.columns - 6)
            screen.writeLine([StyledText("     "), StyledText(line, .number)], row: body.row, body)
            body.row += 1
            body.rows -= 1
        }
        drawRows(in: body, on: &screen)
    }

    private var summary: String {
        let count = life.rows.count == 1 ? "1 change" : "\(life.rows.count) changes"
        switch life.end {
        case .whole: return count
        case .interrupted: return count + ", was stopped"
        case .tooMany: return "the first \(count)"
        }
    }

    private func drawRows(in area: ScreenArea, on screen: inout ScreenBuffer) {
        let top = max(0, min(selected - area.rows / 2, life.rows.count - area.rows))
        let shown = Array(life.rows.dropFirst(top).prefix(max(0, area.rows)))
        let digits = shown.map { String($0.position).count }.max() ?? 1
        let room = max(8, area.columns / 4)
        let values = shown.map { row in
            [row.old, row.new].map {
                DisplayWidth.shortened(ControlCharacters.escaped(StopWords.text($0, limit: room)), to: room)
            }
        }
        let width = min(
            area.columns * 2 / 3, values.map { DisplayWidth.of($0[0]) + DisplayWidth.of($0[1]) + 3 }.max() ?? 0)
        for (index, row) in shown.enumerated() {
            let number = String(row.position)
            let used = DisplayWidth.of(values[index][0]) + DisplayWidth.of(values[index][1]) + 3
            let parts = [
                StyledText(top + index == current ? "▶" : " ", .heading),
                StyledText(String(repeating: " ", count: digits - number.count) + number + "  ", .commit),
                StyledText(values[index][0], .removed), StyledText(" → "), StyledText(values[index][1], .added),
                StyledText(String(repeating: " ", count: max(0, width - used) + 2)),
                StyledText(row.clock + "  ", .dim), StyledText(row.place, .location),
            ]
            screen.writeLine(parts, row: area.row + index, area)
            if top + index == selected { screen.select(row: area.row + index, area) }
        }
    }
}

/// The keys of the pane.
extension FullScreenModel {
    /// Shows every change of a member.
    mutating func show(_ life: ValueLifePane) {
        self.life = life
        mode = .life
    }

    mutating func handleLife(_ key: Key) -> [Request] {
        let page = max(1, size.rows - 6)
        switch key {
        case Key(.up), .scalar("k"): life?.move(-1)
        case Key(.down), .scalar("j"): life?.move(1)
        case Key(.pageUp), .control("b"): life?.move(-page)
        case Key(.pageDown), .control("f"): life?.move(page)
        case Key(.home), .scalar("g"): life?.move(-ValueLife.limit)
        case Key(.end), .scalar("G"): life?.move(ValueLife.limit)
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case Key(.enter):
            let target = life?.target
            mode = .keys
            return target.map { [.goTo($0)] } ?? []
        case Key(.escape), .scalar("q"), .scalar("v"), .control("c"): mode = .keys
        default: break
        }
        return []
    }
}

extension ScreenBuffer {
    /// Makes a row of an area the bar of a selection: one look, whatever the fields of it had.
    mutating func select(row: Int, _ area: ScreenArea) {
        restyle(ScreenArea(row: row, column: area.column, rows: 1, columns: area.columns)) { _ in
            CellStyle(attributes: [.bold, .reverse])
        }
    }
}
