import CommandLine
import JSONCore
import TimeTravel

extension FullScreenModel {
    /// No number that is typed before a key counts for more.
    private static let countLimit = 99_999_999

    mutating func handle(_ input: TerminalInput, completing: (String) -> LineCompletion = { _ in .none }) -> [Request] {
        switch mode {
        case .command, .search: return edit(input, completing)
        case .help, .value:
            guard case .key(let key) = input else { return [] }
            return mode == .help ? help(key) : handleValue(key)
        case .keys: break
        }
        switch input {
        case .key(let key): return handle(key)
        case .mouse(let event): return isMouseOn ? handle(event) : []
        case .paste:
            notice = "\("pasted text is no keys; ':' begins a command that it can be pasted to", .dim)"
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
        defer { isQuitBegun = key == .scalar("Z") }
        if isQuitBegun, key == .scalar("Z") { return [.quit] }
        if isSearching, key == .scalar("n") || key == .scalar("N") {
            return again(key == .scalar("n") ? .forward : .backward)
        }
        if let request = motion(key, typed) {
            output = []
            pace = nil
            isPinned = false
            return [request]
        }
        if let request = memberKey(key, typed ?? 1) { return [request] }
        return view(key, typed)
    }

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
        case .control("u"): return focus == .commits ? .step(.backward, times * halfPage) : nil
        case .control("d"): return focus == .commits ? .step(.forward, times * halfPage) : nil
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
    private var halfPage: Int { max(1, page / 2) }

    private mutating func memberKey(_ key: Key, _ times: Int) -> Request? {
        guard case .scalar(let scalar) = key.code, key.modifiers.isEmpty, "nNbwvo".unicodeScalars.contains(scalar)
        else {
            return nil
        }
        let isOfAll = facts.isPaired && (scalar == "n" || scalar == "N")
        guard isOfAll || !selected.segments.isEmpty else {
            notice = "\("no member is selected: Tab goes to the state, the arrows select", .warning)"
            return nil
        }
        output = []
        pace = nil
        isPinned = !isOfAll
        switch scalar {
        case "n": return .memberChange(selected, .forward, times)
        case "N": return .memberChange(selected, .backward, times)
        case "b": return .lastWriter(selected)
        case "v": return .life(selected)
        case "o": return .origin(selected)
        default: return .watch(selected)
        }
    }

    private mutating func view(_ key: Key, _ count: Int?) -> [Request] {
        switch key {
        case Key(.up), .scalar("k"): scroll(-(count ?? 1))
        case Key(.down), .scalar("j"): scroll(count ?? 1)
        case Key(.pageUp), .control("b"): scroll(-page)
        case Key(.pageDown), .control("f"): scroll(page)
        case .control("u"): scroll(-halfPage)
        case .control("d"): scroll(halfPage)
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
        case .scalar("y"): return copyValue()
        case .scalar("Y"): return copyCommand()
        case .scalar("Z"): notice = "\("'Z' once more quits", .dim)"
        case .scalar("."): return again(.forward)
        case .scalar(","): return again(.backward)
        case .scalar("?"), Key(.function(1)):
            mode = .help
            helpTop = 0
        case .scalar("m"):
            isMouseOn.toggle()
            notice = "\(isMouseOn ? "the mouse clicks and scrolls" : "the mouse is the terminal's", .dim)"
            return [.mouse(isMouseOn)]
        case Key(.escape), .control("c"), .control("g"):
            if output.isEmpty, pace == nil, key == .control("c") {
                notice = "\("'q' quits", .dim)"
            }
            output = []
            pace = nil
            isSearching = false
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .scalar("q"): return output.isEmpty ? [.quit] : closeOutput()
        default: notice = "\("\(Self.name(of: key)) is no key here: '?' lists them", .dim)"
        }
        return []
    }

    private static func name(of key: Key) -> String {
        guard case .scalar(let scalar) = key.code, key.modifiers.isSubset(of: .control) else { return "that" }
        return key.modifiers.isEmpty ? "'\(scalar)'" : "'Ctrl-\(scalar)'"
    }

    // MARK: Copying

    private mutating func copyValue() -> [Request] {
        if let value = selected.value(in: facts.state) { return [.copy(value.text())] }
        notice = "\("nothing is at '\(selected.text)' to be copied", .warning)"
        return []
    }

    private mutating func copyCommand() -> [Request] {
        let advice = Advice(journal)
        guard !facts.isPaired, advice.isPossible else {
            notice = "\("no command shows this again", .warning)"
            return []
        }
        let position = String(facts.position)
        let isCommit = facts.position > facts.bounds.lowerBound
        return [.copy(isCommit ? advice.command(.show, [position]) : advice.command(.state, [], [(.at, position)]))]
    }

    private mutating func closeOutput() -> [Request] {
        output = []
        return []
    }

    mutating func scroll(_ distance: Int) {
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

    mutating func enter() {
        switch focus {
        case .state:
            guard rows.indices.contains(selectedRow) else { return }
            tree.toggle(rows[selectedRow], in: facts.state)
            renewRows()
        case .change: focus = .state
        case .commits: focus = .state
        }
        scrollToSelection()
    }

    // MARK: Help

    private mutating func help(_ key: Key) -> [Request] {
        switch key {
        case Key(.up), .scalar("k"): scrollHelp(-1)
        case Key(.down), .scalar("j"): scrollHelp(1)
        case Key(.pageUp), .control("b"), .control("u"): scrollHelp(-helpRows)
        case Key(.pageDown), .control("f"), .control("d"), .scalar(" "): scrollHelp(helpRows)
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        default: mode = .keys
        }
        return []
    }

    var helpRows: Int { max(1, size.rows - 2) }

    private mutating func scrollHelp(_ distance: Int) {
        helpTop = max(0, min(helpTop + distance, FullScreenHelp.rows(size.columns).count - helpRows))
    }
}

extension FullScreenModel {
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
