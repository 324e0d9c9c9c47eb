import JSONCore

/// The member of the state that is selected, and what of the state is seen around it.
extension FullScreenModel {
    /// The row of the selected member, or of what it would be in.
    var selectedRow: Int {
        var path = selected
        while true {
            let text = path.text
            if let index = rows.firstIndex(where: { UTF8Order.equal($0.path.text, text) }) { return index }
            guard path.segments.popLast() != nil else { return 0 }
        }
    }

    /// Selects what says the most of what the commit changed, or of what differs since it, until the person selects a member;
    /// nothing is unfolded for it.
    mutating func followChange(hasMoved: Bool) {
        guard focus == .commits, !isPinned, let first = facts.prominent.first else { return }
        guard facts.isPaired ? hasMoved : selectedChange == nil else { return }
        selected = first
        if let index = selectedChange { scrollChange(to: index) }
    }

    /// Scrolls the pane of the commit so that one of its changes is seen.
    private mutating func scrollChange(to index: Int) {
        guard !facts.isPaired else { return }
        let height = max(1, layout.place(of: .change)?.body.rows ?? 1)
        if index < changeTop || index >= changeTop + height - 1 { changeTop = max(0, index - height / 2) }
    }

    /// Selects a member, and unfolds what it is in.
    mutating func select(_ path: JSONPointer) {
        selected = path
        tree.reveal(path, in: facts.state)
        renewRows()
    }

    /// Selects another row.
    mutating func moveSelection(_ distance: Int) {
        guard !rows.isEmpty else { return }
        isSearching = false
        selected = rows[min(max(0, selectedRow + distance), rows.count - 1)].path
        scrollToSelection()
    }

    /// Makes the rows of the state anew.
    mutating func renewRows() {
        rows = tree.rows(of: facts.state, changed)
        scrollToSelection()
    }

    /// Makes the rows of the state anew, and after a motion shows the selected one with what is around it.
    mutating func renewRows(afterMotion: Bool) {
        let top = treeTop
        renewRows()
        let height = max(1, layout.place(of: .state)?.body.rows ?? 1)
        guard afterMotion, !(top..<top + height).contains(selectedRow) else { return }
        treeTop = max(0, min(selectedRow - height / 2, rows.count - height))
    }

    /// Scrolls so that the selected row is seen.
    mutating func scrollToSelection() {
        let height = treeHeight
        let row = selectedRow
        if row < treeTop { treeTop = row }
        if row >= treeTop + height { treeTop = row - height + 1 }
        treeTop = max(0, min(treeTop, rows.count - height))
        if breadcrumb != nil, row == treeTop + height - 1 { treeTop += 1 }
    }

    private var treeHeight: Int { max(1, layout.place(of: .state)?.body.rows ?? 1) }

    /// What the first row of the state that is seen lies in, where that is not seen itself: it is shown above, in a row of its own.
    var breadcrumb: JSONPointer? {
        guard treeHeight > 3, treeTop > 0, rows.indices.contains(treeTop), rows[treeTop].depth > 1 else { return nil }
        return JSONPointer(Array(rows[treeTop].path.segments.dropLast()))
    }

    /// Selects the next or the previous member that the commit changed.
    mutating func selectChange(_ distance: Int) {
        let paths = changed.paths
        guard !paths.isEmpty else { return }
        isSearching = false
        let now = selectedChange ?? (distance > 0 ? -1 : paths.count)
        let next = min(max(0, now + distance), paths.count - 1)
        select(paths[next])
        scrollChange(to: next)
    }

    /// Which of the commit's changes is the selected member's.
    var selectedChange: Int? {
        let text = selected.text
        return changed.paths.firstIndex { UTF8Order.equal($0.text, text) }
    }
}
