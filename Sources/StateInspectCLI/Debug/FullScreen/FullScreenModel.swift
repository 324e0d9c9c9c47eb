import JSONCore
import TimeTravel

/// What the full screen shows and how it answers to keys: input in, requests out.
///
/// It knows neither a terminal nor a journal.
struct FullScreenModel {
    typealias Pane = FullScreenLayout.Pane

    /// Who gets the keys.
    enum Mode: Equatable {
        case keys
        /// A line for the debugger is typed.
        case command
        /// What to look for is typed.
        case search
        case help
    }

    /// What whoever runs the screen is asked for.
    enum Request: Equatable {
        case step(SessionDirection, Int)
        /// Over changes of a commit.
        case stepChange(SessionDirection, Int)
        /// To the next stop.
        case resume(SessionDirection)
        case goTo(Int)
        case start
        case end
        /// To where the session was before, or came back from.
        case back(Int)
        case forward(Int)
        /// To where the value at a path changes.
        case memberChange(JSONPointer, SessionDirection, Int)
        /// To who wrote the value at a path.
        case lastWriter(JSONPointer)
        case watch(JSONPointer)
        case command(String)
        /// To a commit that has this.
        case search(String, SessionDirection)
        case mouse(Bool)
        case suspend
        case redraw
        case quit
    }

    /// A line for the person.
    struct Notice: Equatable {
        var text: String
        var role: Style.Role
    }

    /// The name of the journal.
    let journal: String
    /// Whether it grows: then what plays goes on at its end.
    var follows = false
    private(set) var size: ScreenSize
    private(set) var facts = FullScreenFacts()
    private(set) var focus = Pane.commits
    private(set) var mode = Mode.keys
    /// The stores, in the order in which they were met.
    private(set) var stores: [String] = []
    /// The timeline, as far as it is known.
    private(set) var columns: [TimelineColumn] = []
    /// The positions at which something was caught.
    private(set) var caught: Set<Int> = []

    // MARK: The tree

    private(set) var tree = StateTree()
    private(set) var rows: [StateTree.Row] = []
    private(set) var changed = ChangedPlaces()
    /// The member that is selected, also while it is not there.
    private(set) var selected = JSONPointer()
    private(set) var treeTop = 0
    private(set) var changeTop = 0

    // MARK: The line at the bottom

    private(set) var editor = LineEditor()
    private(set) var commands = LineHistory()
    private(set) var searches = LineHistory()
    var notice: Notice?
    /// What a command printed, over the panes.
    private(set) var output: [String] = []
    private(set) var outputTop = 0
    /// How far a work is that can be stopped.
    var progress: String?
    /// Steps a second; nil while nothing plays.
    private(set) var pace: Int?
    private(set) var isMouseOn = false
    private(set) var helpTop = 0
    /// The number typed before a key.
    private var count: Int?
    /// Whether the selected member stays while the run moves: somebody asked about it.
    private var isPinned = false

    /// No number that is typed before a key counts for more.
    private static let countLimit = 99_999_999

    /// A screen of a size, that shows nothing yet.
    init(journal: String, size: ScreenSize) {
        self.journal = journal
        self.size = size
    }

    var layout: FullScreenLayout { FullScreenLayout(size, focus: focus, stores: stores.count) }

    // MARK: News

    /// The screen has another size.
    mutating func resize(_ size: ScreenSize) {
        self.size = size
        scrollToSelection()
    }

    /// The session stands somewhere, or the place looks otherwise.
    mutating func show(_ facts: FullScreenFacts) {
        let hasMoved = facts.position != self.facts.position || facts.made != self.facts.made
        self.facts = facts
        changed = ChangedPlaces(facts.changes)
        noteStores()
        if hasMoved { changeTop = 0 }
        followChange()
        renewRows()
        if !follows, isAtEnd { pace = nil }
    }

    /// More of the run is known.
    mutating func show(_ columns: [TimelineColumn]) {
        self.columns = columns
        noteStores()
    }

    /// Something was caught at a position.
    mutating func note(caught position: Int) {
        if caught.count < 10_000 { caught.insert(position) }
    }

    /// A command printed something: one line is told at the bottom, more are shown over the panes.
    mutating func show(output lines: [String]) {
        if lines.count > 1 {
            output = lines
            outputTop = 0
        } else {
            notice = lines.first.map { Notice(text: $0, role: .number) }
        }
    }

    /// Time passed while it plays.
    mutating func tick() -> [Request] { pace == nil || isAtEnd ? [] : [.step(.forward, 1)] }

    mutating func stopPlaying() { pace = nil }

    private var isAtEnd: Bool { facts.position == facts.bounds.upperBound }

    /// Sets the lines that were typed in earlier sessions.
    mutating func restore(_ commands: LineHistory) { self.commands = commands }

    private mutating func noteStores() {
        func note(_ name: String) {
            if stores.count < 64, !stores.contains(where: { UTF8Order.equal($0, name) }) { stores.append(name) }
        }
        if case .object(let open) = facts.state { for (name, _) in open { note(name) } }
        for column in columns { for store in column.stores { note(store.name) } }
    }

    private mutating func renewRows() {
        rows = tree.rows(of: facts.state, changed)
        scrollToSelection()
    }

    // MARK: The selected member

    /// The row of the selected member, or of what it would be in.
    var selectedRow: Int {
        var path = selected
        while true {
            let text = path.text
            if let index = rows.firstIndex(where: { UTF8Order.equal($0.path.text, text) }) { return index }
            guard path.segments.popLast() != nil else { return 0 }
        }
    }

    /// As long as nobody chose a member, it is the first that the commit changed; nothing is unfolded for it.
    private mutating func followChange() {
        guard focus == .commits, !isPinned, selectedChange == nil, let first = changed.paths.first else { return }
        selected = first
    }

    private mutating func select(_ path: JSONPointer) {
        selected = path
        tree.reveal(path)
        renewRows()
    }

    private mutating func moveSelection(_ distance: Int) {
        guard !rows.isEmpty else { return }
        selected = rows[min(max(0, selectedRow + distance), rows.count - 1)].path
        scrollToSelection()
    }

    private mutating func scrollToSelection() {
        let height = max(1, layout.place(of: .state)?.body.rows ?? 1)
        let row = selectedRow
        if row < treeTop { treeTop = row }
        if row >= treeTop + height { treeTop = row - height + 1 }
        treeTop = max(0, min(treeTop, rows.count - height))
    }

    /// Selects the next or the previous member that the commit changed.
    private mutating func selectChange(_ distance: Int) {
        let paths = changed.paths
        guard !paths.isEmpty else { return }
        let now = selectedChange ?? (distance > 0 ? -1 : paths.count)
        let next = min(max(0, now + distance), paths.count - 1)
        select(paths[next])
        let height = max(1, layout.place(of: .change)?.body.rows ?? 1)
        if next < changeTop || next >= changeTop + height - 1 { changeTop = max(0, next - height / 2) }
    }

    /// Which of the commit's changes is the selected member's.
    var selectedChange: Int? {
        let text = selected.text
        return changed.paths.firstIndex { UTF8Order.equal($0.text, text) }
    }

    // MARK: Input

    /// Takes a key, pasted text or the mouse.
    mutating func handle(_ input: TerminalInput, completing: (String) -> LineCompletion = { _ in .none }) -> [Request] {
        switch mode {
        case .command, .search: return edit(input, completing)
        case .help:
            if case .key(let key) = input { return help(key) }
            return []
        case .keys: break
        }
        switch input {
        case .key(let key): return handle(key)
        case .mouse(let event): return isMouseOn ? handle(event) : []
        case .paste:
            notice = Notice(text: "pasted text is no keys; ':' begins a command that it can be pasted to", role: .dim)
            return []
        }
    }

    private mutating func handle(_ key: Key) -> [Request] {
        if case .scalar(let digit) = key.code, key.modifiers.isEmpty, ("0"..."9").contains(digit),
            digit != "0" || count != nil
        {
            count = min(Self.countLimit, (count ?? 0) * 10 + Int(digit.value) - 0x30)
            return []
        }
        let typed = count
        count = nil
        notice = nil
        if let request = motion(key, typed) {
            output = []
            pace = nil
            isPinned = false
            return [request]
        }
        if let request = memberKey(key, typed ?? 1) { return [request] }
        return view(key, typed)
    }

    /// Keys that go through the run.
    private func motion(_ key: Key, _ count: Int?) -> Request? {
        let times = count ?? 1
        switch key {
        case Key(.left), .scalar("h"): return .step(.backward, times)
        case Key(.right), .scalar("l"): return .step(.forward, times)
        case Key(.left, .shift), .scalar("H"): return .step(.backward, 10 * times)
        case Key(.right, .shift), .scalar("L"): return .step(.forward, 10 * times)
        case Key(.up), .scalar("k"): return focus == .commits ? .step(.backward, times) : nil
        case Key(.down), .scalar("j"): return focus == .commits ? .step(.forward, times) : nil
        case Key(.pageUp), .control("b"): return focus == .commits ? .step(.backward, times * page) : nil
        case Key(.pageDown), .control("f"): return focus == .commits ? .step(.forward, times * page) : nil
        case .scalar("["): return .stepChange(.backward, times)
        case .scalar("]"): return .stepChange(.forward, times)
        case .scalar("c"): return .resume(.forward)
        case .scalar("C"): return .resume(.backward)
        case .scalar("g"): return count.map { .goTo($0) } ?? .start
        case .scalar("G"): return count.map { .goTo($0) } ?? .end
        case Key(.home): return focus == .commits ? .start : nil
        case Key(.end): return focus == .commits ? .end : nil
        case .scalar("u"), Key(.backspace): return .back(times)
        case .scalar("U"): return .forward(times)
        default: return nil
        }
    }

    private var page: Int { max(1, (layout.place(of: focus)?.body.rows ?? 2) - 1) }

    /// Keys about the selected member.
    private mutating func memberKey(_ key: Key, _ times: Int) -> Request? {
        guard case .scalar(let scalar) = key.code, key.modifiers.isEmpty, "nNbw".unicodeScalars.contains(scalar) else {
            return nil
        }
        guard !selected.segments.isEmpty else {
            notice = Notice(text: "no member is selected: Tab goes to the state, the arrows select", role: .warning)
            return nil
        }
        output = []
        pace = nil
        isPinned = true
        switch scalar {
        case "n": return .memberChange(selected, .forward, times)
        case "N": return .memberChange(selected, .backward, times)
        case "b": return .lastWriter(selected)
        default: return .watch(selected)
        }
    }

    /// Keys that change what is seen, and the rest.
    private mutating func view(_ key: Key, _ count: Int?) -> [Request] {
        switch key {
        case Key(.up), .scalar("k"): scroll(-(count ?? 1))
        case Key(.down), .scalar("j"): scroll(count ?? 1)
        case Key(.pageUp), .control("b"): scroll(-page)
        case Key(.pageDown), .control("f"): scroll(page)
        case Key(.home): scroll(-rows.count - changed.paths.count)
        case Key(.end): scroll(rows.count + changed.paths.count)
        case Key(.tab): moveFocus(1)
        case Key(.tab, .shift): moveFocus(-1)
        case Key(.enter): enter()
        case .scalar("e"): selectChange(1)
        case .scalar("E"): selectChange(-1)
        case .scalar(" "): pace = pace == nil ? min(count ?? 4, 50) : nil
        case .scalar(":"): type(.command, commands)
        case .scalar("/"): type(.search, searches)
        case .scalar("."): return again(.forward)
        case .scalar(","): return again(.backward)
        case .scalar("?"), Key(.function(1)):
            mode = .help
            helpTop = 0
        case .scalar("m"):
            isMouseOn.toggle()
            notice = Notice(
                text: isMouseOn ? "the mouse clicks and scrolls" : "the mouse is the terminal's", role: .dim)
            return [.mouse(isMouseOn)]
        case Key(.escape), .control("c"), .control("g"):
            if output.isEmpty, pace == nil, key == .control("c") {
                notice = Notice(text: "'q' quits", role: .dim)
            }
            output = []
            pace = nil
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .scalar("q"): return output.isEmpty ? [.quit] : closeOutput()
        default: break
        }
        return []
    }

    private mutating func closeOutput() -> [Request] {
        output = []
        return []
    }

    private mutating func scroll(_ distance: Int) {
        if !output.isEmpty {
            outputTop = max(0, min(outputTop + distance, output.count - 1))
        } else if focus == .state {
            moveSelection(distance)
        } else if focus == .change {
            selectChange(distance)
        }
    }

    private mutating func moveFocus(_ distance: Int) {
        let panes = Pane.allCases
        let index = panes.firstIndex(of: focus) ?? 0
        focus = panes[(index + distance + panes.count) % panes.count]
        scrollToSelection()
    }

    private mutating func enter() {
        switch focus {
        case .state:
            guard rows.indices.contains(selectedRow) else { return }
            tree.toggle(rows[selectedRow])
            renewRows()
        case .change: focus = .state
        case .commits: focus = .state
        }
        scrollToSelection()
    }

    // MARK: Help

    private mutating func help(_ key: Key) -> [Request] {
        switch key {
        case Key(.up), .scalar("k"): helpTop = max(0, helpTop - 1)
        case Key(.down), .scalar("j"): helpTop = min(helpTop + 1, max(0, FullScreenHelp.lines.count - 1))
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        default: mode = .keys
        }
        return []
    }

    // MARK: The line at the bottom

    private mutating func type(_ mode: Mode, _ history: LineHistory) {
        self.mode = mode
        pace = nil
        editor = LineEditor(history: history)
    }

    private mutating func edit(_ input: TerminalInput, _ completing: (String) -> LineCompletion) -> [Request] {
        if case .key(let key) = input, key == Key(.escape), editor.search == nil { return leaveLine() }
        if case .key(let key) = input, key == Key(.backspace), editor.characters.isEmpty { return leaveLine() }
        switch editor.handle(input, completing: mode == .command ? completing : { _ in .none }) {
        case .changed, .nothing: break
        case .submit(let text): return submit(text)
        case .cancel, .end: return leaveLine()
        case .list(let candidates): output = candidates
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
            return again(.forward)
        }
        for line in lines { commands.add(line) }
        return lines.map { .command($0) }
    }

    // MARK: Search

    /// Looks on for what was looked for last: in the state where that has the keys, else in the commits.
    private mutating func again(_ direction: SessionDirection) -> [Request] {
        guard let text = searches.lines.last else {
            notice = Notice(text: "nothing was looked for yet: '/' begins", role: .warning)
            return []
        }
        guard focus == .state else { return [.search(text, direction)] }
        if let found = StateSearch(text).next(in: facts.state, from: selected, direction) {
            select(found)
        } else {
            notice = Notice(text: "'\(text)' is nowhere in this state", role: .warning)
        }
        return []
    }

    // MARK: The mouse

    private mutating func handle(_ event: MouseEvent) -> [Request] {
        let layout = layout
        if let timeline = layout.timeline, timeline.contains(row: event.row, column: event.column) {
            guard event.action == .press else { return [] }
            pace = nil
            let bar = TimelineBar(timeline, facts.bounds)
            return bar.position(atColumn: event.column).map { [.goTo($0)] } ?? []
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
            guard shown.lines.indices.contains(row), case .record(let record) = shown.lines[row] else { return [] }
            return [.goTo(record.seq)]
        case .state:
            let index = treeTop + row
            guard rows.indices.contains(index) else { return [] }
            let isSelected = index == selectedRow
            selected = rows[index].path
            if isSelected { enter() }
        case .change: break
        }
        return []
    }
}
