import CommandLine
import Diagnostics
import JSONCore

struct FullScreenView {
    private let model: FullScreenModel
    private let layout: FullScreenLayout

    init(_ model: FullScreenModel) {
        self.model = model
        layout = model.layout
    }

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
        let bar = Style.Role.look(CellStyle(attributes: [.bold, .reverse]))
        var titles: [StoryLine] = ["\(" \(place.pane.rawValue) ", model.focus == place.pane ? bar : .heading)"]
        let more: String
        switch place.pane {
        case .commits: more = model.facts.isPaired ? "left, right" : ""
        case .state: more = model.selected.text
        case .change: more = ChangeView(model).heading
        }
        if !more.isEmpty {
            let room = max(0, place.header.columns - titles[0].columns - 5)
            let text = DisplayWidth.shortenedInMiddle(ControlCharacters.escaped(more), to: room)
            titles.append("\(" " + text + " ", place.pane == .change ? .location : .dim)")
        }
        screen.writeRule(titles, row: place.header.row, place.header)
    }

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
            screen.writeLine(line, row: area.row + index, area)
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
            screen.writeLine(statusLine, row: row, layout.status)
        }
    }

    private var statusLine: StoryLine {
        if let progress = model.progress { return "\(progress + "   Esc stops", .note)" }
        if let notice = model.notice { return notice }
        if let pace = model.pace { return "\("plays \(pace) commits a second   space stops", .note)" }
        if model.mode == .value { return "\("Enter goes there, Esc goes back", .dim)" }
        if model.mode == .help {
            let isWhole = FullScreenHelp.rows(model.size.columns).count <= model.helpRows
            return "\(isWhole ? "any key goes back" : "arrows scroll, any other key goes back", .dim)"
        }
        var hints = [
            ("←→", "step"), ("n/N", model.isSearching ? "hit" : "change"), ("/", "search"), (":", "command"),
            ("b", "writer"), ("c", "continue"), ("?", "keys"), ("q", "quit"),
        ]
        if layout.places.count < FullScreenLayout.Pane.allCases.count { hints.insert(("tab", "panes"), at: 0) }
        // Where there is little room, how to learn the keys and how to leave are said.
        func width() -> Int { hints.reduce(-2) { $0 + DisplayWidth.of($1.0) + DisplayWidth.of($1.1) + 3 } }
        while hints.count > 2, width() > model.size.columns { hints.remove(at: hints.count - 3) }
        return hints.map { "\($0.0, .heading)\(" " + $0.1 + "  ", .dim)" as StoryLine }.joined("")
    }
}

/// Which part is where follows from the size, and in a small screen from the pane that has the keys.
struct FullScreenLayout: Equatable {
    enum Pane: String, CaseIterable, Sendable {
        case commits, state, change
    }

    struct Place: Equatable {
        let pane: Pane
        let header: ScreenArea
        let body: ScreenArea
    }

    let title: ScreenArea
    /// Nil where there is no room.
    let timeline: ScreenArea?
    let places: [Place]
    let status: ScreenArea

    /// Fewer rows or columns show one pane and nothing around it.
    private static let leastRows = 10
    private static let leastColumns = 40
    /// From so many columns on all panes are side by side.
    static let wideColumns = 150
    private static let sideBySideColumns = 64

    /// - Parameter stores: how many rows the timeline would like to have.
    init(_ size: ScreenSize, focus: Pane, stores: Int) {
        let (rows, columns) = (size.rows, size.columns)
        title = ScreenArea(row: 0, column: 0, rows: 1, columns: columns)
        status = ScreenArea(row: rows - 1, column: 0, rows: rows > 1 ? 1 : 0, columns: columns)
        guard rows >= Self.leastRows, columns >= Self.leastColumns else {
            timeline = nil
            let body = ScreenArea(row: 1, column: 0, rows: max(0, rows - 2), columns: columns)
            let header = ScreenArea(row: 1, column: 0, rows: 0, columns: columns)
            places = [Place(pane: focus, header: header, body: body)]
            return
        }
        let bars = min(max(1, stores), max(1, (rows - 8) / 6))
        let timeline = ScreenArea(row: 1, column: 0, rows: bars + 1, columns: columns)
        self.timeline = timeline
        let all = ScreenArea(
            row: timeline.endRow, column: 0, rows: rows - timeline.endRow - 1, columns: columns)
        if columns >= Self.wideColumns {
            places = Self.columns([.commits, .state, .change], of: all, shares: [30, 38, 32])
        } else {
            let lower = max(4, all.rows * 2 / 5)
            var upper = all
            upper.rows -= lower
            let below = ScreenArea(row: upper.endRow, column: 0, rows: lower, columns: columns)
            let beside: [Pane] =
                columns >= Self.sideBySideColumns ? [.commits, .state] : [focus == .commits ? .commits : .state]
            places =
                Self.columns(beside, of: upper, shares: [42, 58]) + Self.columns([.change], of: below, shares: [100])
        }
    }

    private static func columns(_ panes: [Pane], of area: ScreenArea, shares: [Int]) -> [Place] {
        let whole = shares.prefix(panes.count).reduce(0, +)
        var column = area.column
        return panes.enumerated().map { index, pane in
            let isLast = index == panes.count - 1
            let width = isLast ? area.endColumn - column : area.columns * shares[index] / whole
            defer { column += width + 1 }
            return Place(
                pane: pane, header: ScreenArea(row: area.row, column: column, rows: 1, columns: width),
                body: ScreenArea(row: area.row + 1, column: column, rows: area.rows - 1, columns: width))
        }
    }

    func place(of pane: Pane) -> Place? { places.first { $0.pane == pane } }
}

enum FullScreenHelp {
    static let lines: [(keys: String, meaning: String)] = KeyMap.groups.flatMap { group in
        [("", group.title)] + group.entries.filter { $0.face != .page }.map { ($0.keys, $0.meaning) }
    }

    private static let indent = 14

    /// What does not fit beside its key goes on below.
    static func rows(_ columns: Int) -> [(keys: String, meaning: String)] {
        lines.flatMap { line in
            line.meaning.wrapped(to: max(indent, columns - indent)).enumerated().map { index, text in
                (index == 0 ? line.keys : " ", text)
            }
        }
    }

    static func draw(from top: Int, in area: ScreenArea, on screen: inout ScreenBuffer) {
        screen.clear(area)
        for (index, line) in rows(area.columns).dropFirst(top).prefix(area.rows).enumerated() {
            let keys = DisplayWidth.padded("   " + line.keys, to: indent)
            let shown: StoryLine =
                line.keys.isEmpty ? "\(" " + line.meaning, .heading)" : "\(keys, .commit)\(line.meaning)"
            screen.writeLine(shown, row: area.row + index, area)
        }
    }
}
