/// Which part of the screen is what: it follows from the size, and in a small one from the pane that has the keys.
struct FullScreenLayout: Equatable {
    /// A part of the screen that can have the keys.
    enum Pane: String, CaseIterable, Sendable {
        case commits, state, change
    }

    /// A pane and where it is.
    struct Place: Equatable {
        let pane: Pane
        /// One row above the pane.
        let header: ScreenArea
        let body: ScreenArea
    }

    /// The first row.
    let title: ScreenArea
    /// The rows of the stores, and one for marks and the cursor below them; nil where there is no room.
    let timeline: ScreenArea?
    let places: [Place]
    /// The last row.
    let status: ScreenArea

    /// Fewer rows or columns show one pane and nothing around it.
    private static let leastRows = 10
    private static let leastColumns = 40
    /// From so many columns on all panes are side by side.
    static let wideColumns = 150
    private static let sideBySideColumns = 64

    /// The layout of a screen.
    ///
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

    /// Panes side by side, with a column between two of them.
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

    /// Where a pane is; nil where it is not shown.
    func place(of pane: Pane) -> Place? { places.first { $0.pane == pane } }
}
