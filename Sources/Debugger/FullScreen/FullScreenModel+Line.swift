import CommandLine
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

    /// Looks on for what was looked for last: in the state where that has the keys, else in the changes of this commit and then
    /// of the others.
    ///
    /// - Parameter isFirst: whether the change that is selected counts, too.
    mutating func again(_ direction: SessionDirection, isFirst: Bool = false) -> [Request] {
        guard let text = searches.lines.last else {
            notice = Notice(text: "nothing was looked for yet: '/' begins", role: .warning)
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
            if found.isWrapped { notice = Notice(text: RunSearch.wrapped(direction), role: .note) }
        } else {
            notice = Notice(text: "'\(text)' is nowhere in this state", role: .warning)
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

    /// The changes of the commit that have a text, with the place of it.
    private func hits(_ text: String) -> [(change: Int, path: JSONPointer)] {
        let search = StateSearch(text)
        return facts.changes.enumerated().compactMap { index, change in
            search.place(in: change).map { (index, $0) }
        }
    }
}
