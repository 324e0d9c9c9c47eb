import JSONCore
import TimeTravel

/// The line at the bottom: commands and texts to look for that are typed there.
extension FullScreenModel {
    /// Begins a line.
    mutating func type(_ mode: Mode, _ history: LineHistory) {
        self.mode = mode
        pace = nil
        editor = LineEditor(history: history)
    }

    /// Takes input to the line.
    mutating func edit(_ input: TerminalInput, _ completing: (String) -> LineCompletion) -> [Request] {
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
    mutating func again(_ direction: SessionDirection) -> [Request] {
        guard let text = searches.lines.last else {
            notice = Notice(text: "nothing was looked for yet: '/' begins", role: .warning)
            return []
        }
        guard focus == .state else { return [.search(text, direction)] }
        if let found = StateSearch(text).next(in: facts.state, from: selected, direction) {
            select(found.path)
            if found.isWrapped { notice = Notice(text: RunSearch.wrapped(direction), role: .note) }
        } else {
            notice = Notice(text: "'\(text)' is nowhere in this state", role: .warning)
        }
        return []
    }
}
