import CommandLine
import JSONCore
import TimeTravel

/// What the full screen shows and how it answers to keys; it knows neither a terminal nor a journal.
struct FullScreenModel {
    typealias Pane = FullScreenLayout.Pane

    enum Mode: Equatable {
        case keys
        case command
        case search
        case help
        case value
    }

    enum Request: Equatable {
        case step(SessionDirection, Int)
        case stepChange(SessionDirection, Int)
        case resume(SessionDirection)
        case goTo(Int)
        case start
        case end
        case back(Int)
        case forward(Int)
        case memberChange(JSONPointer, SessionDirection, Int)
        case lastWriter(JSONPointer)
        case watch(JSONPointer)
        case life(JSONPointer)
        case origin(JSONPointer)
        case select(JSONPointer)
        case command(String)
        case search(String, SessionDirection)
        case copy(String)
        case mouse(Bool)
        case suspend
        case redraw
        case quit
    }

    let journal: String
    /// Whether it grows: then what plays goes on at its end.
    var follows = false
    var size: ScreenSize
    var facts = FullScreenFacts()
    var focus = Pane.commits
    var mode = Mode.keys
    var stores: [String] = []
    var columns: [RunOverview.Column] = []
    var caught: Set<Int> = []

    // MARK: The tree

    var tree = StateTree()
    var rows: [StateTree.Row] = []
    var changed = ChangedPlaces()
    /// The member that is selected, also while it is not there.
    var selected = JSONPointer()
    var treeTop = 0
    var changeTop = 0

    // MARK: The line at the bottom

    var editor = LineEditor()
    var commands = LineHistory()
    var searches = LineHistory()
    var notice: StoryLine?
    var output: [StoryLine] = []
    var outputTop = 0
    var progress: String?
    var pace: Int?
    var isMouseOn = false
    var helpTop = 0
    var value: ValuePane?
    var count: Int?
    /// Whether `n` and `N` are the hits of the last search: until Escape, or until another member is selected.
    var isSearching = false
    /// Whether one `Z` was typed; two quit.
    var isQuitBegun = false
    /// Whether the selected member stays while the run moves: somebody asked about it.
    var isPinned = false

    init(journal: String, size: ScreenSize) {
        self.journal = journal
        self.size = size
    }

    var layout: FullScreenLayout { FullScreenLayout(size, focus: focus, stores: stores.count) }

    // MARK: News

    mutating func resize(_ size: ScreenSize) {
        self.size = size
        scrollToSelection()
    }

    mutating func show(_ facts: FullScreenFacts) {
        let hasMoved = facts.position != self.facts.position || facts.made != self.facts.made
        self.facts = facts
        changed = ChangedPlaces(facts.isPaired ? facts.differences : facts.changes)
        noteStores()
        if hasMoved { changeTop = 0 }
        followChange(hasMoved: hasMoved)
        renewRows(afterMotion: hasMoved)
        if !follows, isAtEnd { pace = nil }
    }

    mutating func show(_ columns: [RunOverview.Column]) {
        self.columns = columns
        noteStores()
    }

    mutating func note(caught position: Int) {
        if caught.count < 10_000 { caught.insert(position) }
    }

    /// Shows what a command printed: one line at the bottom, several over the panes.
    mutating func show(output lines: [StoryLine]) {
        if lines.count > 1 {
            output = lines
            outputTop = 0
        } else {
            notice = lines.first
        }
    }

    mutating func tick() -> [Request] { pace == nil || isAtEnd ? [] : [.step(.forward, 1)] }

    mutating func stopPlaying() { pace = nil }

    private var isAtEnd: Bool { facts.position == facts.bounds.upperBound }

    mutating func restore(_ commands: LineHistory) { self.commands = commands }

    private mutating func noteStores() {
        func note(_ name: String) {
            if stores.count < 64, !stores.contains(where: { UTF8Order.equal($0, name) }) { stores.append(name) }
        }
        if !facts.isPaired, case .object(let open) = facts.state { for (name, _) in open { note(name) } }
        for column in columns { for store in column.stores { note(store.name) } }
    }
}

extension FullScreenModel {
    var selectedRow: Int {
        var path = selected
        while true {
            let text = path.text
            if let index = rows.firstIndex(where: { UTF8Order.equal($0.path.text, text) }) { return index }
            guard path.segments.popLast() != nil else { return 0 }
        }
    }

    /// What says the most of what the commit changed, or of what differs since it, until the person selects a member;
    /// nothing is unfolded for it.
    mutating func followChange(hasMoved: Bool) {
        guard focus == .commits, !isPinned, let first = facts.prominent.first else { return }
        guard facts.isPaired ? hasMoved : selectedChange == nil else { return }
        selected = first
        if let index = selectedChange { scrollChange(to: index) }
    }

    private mutating func scrollChange(to index: Int) {
        guard !facts.isPaired else { return }
        let height = max(1, layout.place(of: .change)?.body.rows ?? 1)
        if index < changeTop || index >= changeTop + height - 1 { changeTop = max(0, index - height / 2) }
    }

    mutating func select(_ path: JSONPointer) {
        selected = path
        tree.reveal(path, in: facts.state)
        renewRows()
    }

    mutating func moveSelection(_ distance: Int) {
        guard !rows.isEmpty else { return }
        isSearching = false
        selected = rows[min(max(0, selectedRow + distance), rows.count - 1)].path
        scrollToSelection()
    }

    mutating func renewRows() {
        rows = tree.rows(of: facts.state, changed)
        scrollToSelection()
    }

    /// After a motion shows the selected row with what is around it.
    mutating func renewRows(afterMotion: Bool) {
        let top = treeTop
        renewRows()
        let height = max(1, layout.place(of: .state)?.body.rows ?? 1)
        guard afterMotion, !(top..<top + height).contains(selectedRow) else { return }
        treeTop = max(0, min(selectedRow - height / 2, rows.count - height))
    }

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

    mutating func selectChange(_ distance: Int) {
        let paths = changed.paths
        guard !paths.isEmpty else { return }
        isSearching = false
        let now = selectedChange ?? (distance > 0 ? -1 : paths.count)
        let next = min(max(0, now + distance), paths.count - 1)
        select(paths[next])
        scrollChange(to: next)
    }

    var selectedChange: Int? {
        let text = selected.text
        return changed.paths.firstIndex { UTF8Order.equal($0.text, text) }
    }
}

extension FullScreenModel {
    mutating func type(_ mode: Mode, _ history: LineHistory) {
        self.mode = mode
        pace = nil
        editor = LineEditor(history: history)
    }

    mutating func edit(_ input: TerminalInput, _ completing: (String) -> LineCompletion) -> [Request] {
        if case .key(let key) = input, key == Key(.escape), editor.search == nil { return leaveLine() }
        if case .key(let key) = input, key == Key(.backspace), editor.characters.isEmpty { return leaveLine() }
        switch editor.handle(input, completing: mode == .command ? completing : { _ in .none }) {
        case .changed, .nothing: break
        case .submit(let text): return submit(text)
        case .cancel, .end: return leaveLine()
        case .list(let candidates): output = candidates.map { "\($0)" }
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        }
        return []
    }

    private mutating func leaveLine() -> [Request] {
        mode = .keys
        output = []
        return []
    }

    private mutating func submit(_ text: String) -> [Request] {
        let isSearch = mode == .search
        _ = leaveLine()
        let lines = text.split(separator: "\n").map(String.init)
        if isSearch {
            let text = lines.first ?? ""
            if !text.isEmpty { searches.add(text) }
            isSearching = !facts.isPaired && !searches.lines.isEmpty
            return again(.forward, isFirst: true)
        }
        for line in lines { commands.add(line) }
        return lines.map(Self.request)
    }

    /// What a line asks for: a number goes there, and the ways out of vi are ways out; the debugger knows the rest.
    private static func request(_ line: String) -> Request {
        if let position = Int(line), position >= 0 { return .goTo(position) }
        return ["q!", "qa", "qa!", "wq", "x", "ZZ"].contains { UTF8Order.equal($0, line) } ? .quit : .command(line)
    }

    // MARK: Search

    /// In the state where that has the keys, else in the changes of this commit and then of the others; with `isFirst`
    /// the selected change counts, too.
    mutating func again(_ direction: SessionDirection, isFirst: Bool = false) -> [Request] {
        guard let text = searches.lines.last else {
            notice = "\("nothing was looked for yet: '/' begins", .warning)"
            return []
        }
        output = []
        pace = nil
        guard focus == .state else {
            let hits = hits(text)
            // A member that the person did not select is no place to look on from.
            let isFromFirst = isFirst && !isPinned
            let now =
                isFromFirst
                ? nil
                : facts.changes.lastIndex { selected.segments.starts(with: $0.path.segments, by: UTF8Order.equal) }
            let hit =
                direction == .forward
                ? hits.first { hit in now.map { hit.change > $0 || isFirst && hit.change == $0 } ?? true }
                : now.flatMap { now in hits.last { $0.change < now } }
            guard let hit, !facts.isPaired else { return [.search(text, direction)] }
            selectHit(hit.path)
            return []
        }
        if let found = StateSearch(text).next(in: facts.state, from: selected, direction) {
            select(found.path)
            if found.isWrapped { notice = "\(RunSearch.wrapped(direction), .note)" }
        } else {
            notice = "\("'\(text)' is nowhere in this state", .warning)"
        }
        return []
    }

    /// Selects what a search came to in the commit that is shown: of its changes the first or the last that has the text.
    mutating func selectHit(_ text: String, _ direction: SessionDirection) {
        let hits = hits(text)
        if let hit = direction == .forward ? hits.first : hits.last { selectHit(hit.path) }
    }

    private mutating func selectHit(_ path: JSONPointer) {
        isPinned = true
        select(path)
    }

    private func hits(_ text: String) -> [(change: Int, path: JSONPointer)] {
        let search = StateSearch(text)
        return facts.changes.enumerated().compactMap { index, change in
            search.place(in: change).map { (index, $0) }
        }
    }
}
