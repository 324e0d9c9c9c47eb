import CommandLine
import TimeTravel

/// The mouse, while it is the screen's.
extension FullScreenModel {
    /// Takes what the mouse did.
    mutating func handle(_ event: MouseEvent) -> [Request] {
        let layout = layout
        if let timeline = layout.timeline, timeline.contains(row: event.row, column: event.column) {
            guard event.action == .press else { return [] }
            pace = nil
            let bar = TimelineBar(timeline, facts.bounds)
            return bar.position(atColumn: event.column).map { [go(to: $0)] } ?? []
        }
        guard let place = layout.places.first(where: { $0.body.contains(row: event.row, column: event.column) }) else {
            return []
        }
        switch event.action {
        case .scrollUp: return handleScroll(-3, place.pane)
        case .scrollDown: return handleScroll(3, place.pane)
        case .press: return press(event.row - place.body.row, place)
        case .move, .release: return []
        }
    }

    /// To a position of the timeline; of two runs that is a step, not a commit.
    private func go(to position: Int) -> Request {
        guard facts.isPaired else { return .goTo(position) }
        let distance = position - facts.position
        return .step(distance < 0 ? .backward : .forward, abs(distance))
    }

    private mutating func handleScroll(_ distance: Int, _ pane: Pane) -> [Request] {
        if !output.isEmpty {
            scroll(distance)
        } else if pane == .commits {
            return [.step(distance < 0 ? .backward : .forward, 1)]
        } else if pane == .state {
            let height = max(1, layout.place(of: .state)?.body.rows ?? 1)
            treeTop = max(0, min(treeTop + distance, rows.count - height))
        } else {
            changeTop = max(0, changeTop + distance)
        }
        return []
    }

    private mutating func press(_ row: Int, _ place: FullScreenLayout.Place) -> [Request] {
        focus = place.pane
        switch place.pane {
        case .commits:
            let shown = CommitWindow(facts, rows: place.body.rows)
            guard shown.lines.indices.contains(row) else { return [] }
            switch shown.lines[row] {
            case .record(let record): return [.goTo(record.seq)]
            case .step(_, let numbers): return [go(to: numbers.step)]
            case .mark: return []
            }
        case .state:
            let index = treeTop + row - (breadcrumb == nil ? 0 : 1)
            guard rows.indices.contains(index) else { return [] }
            let isSelected = index == selectedRow
            selected = rows[index].path
            if isSelected { enter() }
        case .change: break
        }
        return []
    }
}
