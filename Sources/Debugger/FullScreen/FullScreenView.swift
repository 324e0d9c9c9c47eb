import CommandLine
import Diagnostics
import JSONCore

/// Draws the full screen: a model in, cells out.
struct FullScreenView {
    private let model: FullScreenModel
    private let layout: FullScreenLayout

    init(_ model: FullScreenModel) {
        self.model = model
        layout = model.layout
    }

    /// The whole screen.
    var screen: ScreenBuffer {
        var screen = ScreenBuffer(model.size)
        drawTitle(on: &screen)
        if let timeline = layout.timeline { TimelineView(model, timeline).draw(on: &screen) }
        for place in layout.places { draw(place, on: &screen) }
        if model.mode == .value, let pane = model.value {
            let top = layout.timeline?.endRow ?? 1
            let area = ScreenArea(
                row: top, column: 0, rows: max(0, layout.status.row - top), columns: model.size.columns)
            pane.draw(in: area, on: &screen)
        }
        drawOutput(on: &screen)
        if model.mode == .help {
            let rows = max(0, model.size.rows - 2)
            FullScreenHelp.draw(
                from: model.helpTop, in: ScreenArea(row: 1, column: 0, rows: rows, columns: model.size.columns),
                on: &screen)
        }
        drawStatus(on: &screen)
        return screen
    }

    // MARK: The first row

    private func drawTitle(on screen: inout ScreenBuffer) {
        let facts = model.facts
        let columns = model.size.columns
        let made = facts.made.map { " (change \($0) of \(facts.changes.count))" } ?? ""
        let place = " " + (facts.isPaired ? facts.standing : "\(facts.position) of \(facts.bounds.upperBound)") + made
        let column = screen.write(place, row: 0, column: 0)
        let clock = facts.record?.clock ?? ""
        let name = DisplayWidth.shortenedInMiddle(
            ControlCharacters.escaped(model.journal), to: max(0, columns - column - DisplayWidth.of(clock) - 6))
        if columns - column - DisplayWidth.of(clock) > 12 {
            screen.write("   " + name, row: 0, column: column)
            let end = columns - DisplayWidth.of(ControlCharacters.escaped(clock)) - 1
            screen.write(clock, row: 0, column: max(column, end))
        }
        screen.restyle(layout.title) { _ in CellStyle(attributes: [.bold, .reverse]) }
    }

    // MARK: The panes

    private func draw(_ place: FullScreenLayout.Place, on screen: inout ScreenBuffer) {
        if place.header.rows > 0 { drawHeader(place, on: &screen) }
        switch place.pane {
        case .commits: CommitListView(model).draw(in: place.body, on: &screen)
        case .state: StateTreeView(model).draw(in: place.body, on: &screen)
        case .change: ChangeView(model).draw(in: place.body, on: &screen)
        }
        if place.header.column > 0 {
            for row in place.header.row..<place.body.endRow {
                screen.write(
                    row == place.header.row ? "┬" : "│", .role(.dim), row: row, column: place.header.column - 1)
            }
        }
    }

    private func drawHeader(_ place: FullScreenLayout.Place, on screen: inout ScreenBuffer) {
        let (row, area) = (place.header.row, place.header)
        screen.write(
            String(repeating: "─", count: area.columns), .role(.dim), row: row, column: area.column,
            end: area.endColumn)
        let isFocus = model.focus == place.pane
        let title = " \(place.pane.rawValue) "
        let column = screen.write(
            title, isFocus ? CellStyle(attributes: [.bold, .reverse]) : .role(.heading), row: row,
            column: area.column + 1, end: area.endColumn)
        let more: String
        switch place.pane {
        case .commits: more = model.facts.isPaired ? "left, right" : ""
        case .state: more = model.selected.text
        case .change: more = ChangeView(model).heading
        }
        guard !more.isEmpty else { return }
        let text = DisplayWidth.shortenedInMiddle(
            ControlCharacters.escaped(more), to: max(0, area.endColumn - column - 4))
        let style: CellStyle = place.pane == .change ? .role(.location) : .role(.dim)
        screen.write(" " + text + " ", style, row: row, column: column + 1, end: area.endColumn)
    }

    /// What a command printed, over the lower part of the panes.
    private func drawOutput(on screen: inout ScreenBuffer) {
        guard !model.output.isEmpty else { return }
        let rows = min(model.output.count, max(1, model.size.rows * 3 / 5))
        let area = ScreenArea(
            row: max(1, layout.status.row - rows), column: 0, rows: min(rows, max(0, layout.status.row - 1)),
            columns: model.size.columns)
        screen.clear(area)
        if area.row > 1 {
            let header = String(repeating: "─", count: model.size.columns)
            screen.write(header, .role(.dim), row: area.row - 1, column: 0)
            let left = model.output.count - rows
            let title = left > 0 ? " \(left) more: arrows scroll, Esc closes " : " Esc closes "
            screen.write(title, .role(.heading), row: area.row - 1, column: 2)
        }
        let top = max(0, min(model.outputTop, model.output.count - area.rows))
        for (index, line) in model.output.dropFirst(top).prefix(area.rows).enumerated() {
            screen.writeLine(StyledText.parts(of: line), row: area.row + index, area)
        }
    }

    // MARK: The last row

    private func drawStatus(on screen: inout ScreenBuffer) {
        guard layout.status.rows > 0 else { return }
        let row = layout.status.row
        switch model.mode {
        case .command, .search:
            let line = LinePrompt(model.mode == .command ? ":" : "/", model.editor, columns: model.size.columns)
            screen.write(line.text, row: row, column: 0)
            screen.cursor = (row, line.cursor)
        case .keys, .help, .value:
            screen.writeLine(statusParts, row: row, layout.status)
        }
    }

    private var statusParts: [StyledText] {
        if let progress = model.progress { return [StyledText(progress + "   Esc stops", .note)] }
        if let notice = model.notice {
            return notice.text.contains("\u{1B}[")
                ? StyledText.parts(of: notice.text) : [StyledText(notice.text, notice.role)]
        }
        if let pace = model.pace { return [StyledText("plays \(pace) commits a second   space stops", .note)] }
        if model.mode == .value { return [StyledText("Enter goes there, Esc goes back", .dim)] }
        if model.mode == .help {
            let isWhole = FullScreenHelp.rows(model.size.columns).count <= model.helpRows
            return [StyledText(isWhole ? "any key goes back" : "arrows scroll, any other key goes back", .dim)]
        }
        var hints = [
            ("←→", "step"), ("n/N", model.isSearching ? "hit" : "change"), ("/", "search"), (":", "command"),
            ("b", "writer"), ("c", "continue"), ("?", "keys"), ("q", "quit"),
        ]
        if layout.places.count < FullScreenLayout.Pane.allCases.count { hints.insert(("tab", "panes"), at: 0) }
        // Where there is little room, how to learn the keys and how to leave are said.
        func width() -> Int { hints.reduce(-2) { $0 + DisplayWidth.of($1.0) + DisplayWidth.of($1.1) + 3 } }
        while hints.count > 2, width() > model.size.columns { hints.remove(at: hints.count - 3) }
        return hints.flatMap { [StyledText($0.0, .heading), StyledText(" " + $0.1 + "  ", .dim)] }
    }
}
