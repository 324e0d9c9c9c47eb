import CommandLine
import Diagnostics
import JSONCore

struct ChangeView {
    private let model: FullScreenModel

    init(_ model: FullScreenModel) { self.model = model }

    var heading: String {
        guard let record = model.facts.record else { return "the start: no commit was made yet" }
        let parts = [record.location, record.label].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? record.title : parts.joined(separator: "  ")
    }

    func draw(in area: ScreenArea, on screen: inout ScreenBuffer) {
        let lines = lines(area)
        let top = max(0, min(model.changeTop, lines.count - area.rows))
        for (index, line) in lines.dropFirst(top).prefix(area.rows).enumerated() {
            screen.writeLine(line.text, row: area.row + index, area)
            if line.change != nil, line.change == model.selectedChange {
                screen.select(row: area.row + index, area, isFocus: model.focus == .change, else: .underline)
            }
        }
    }

    private typealias Line = (text: StoryLine, change: Int?)

    private func lines(_ area: ScreenArea) -> [Line] {
        var lines: [Line] = []
        let facts = model.facts
        if let problem = facts.problem { lines.append(("\(problem, .warning)", nil)) }
        let source = facts.source.map { sourceLines($0, rows: area.rows) } ?? []
        // Where there is little room, the line itself comes first; of two runs what differs does.
        let isNarrow = area.rows < 9
        if facts.isPaired { lines += differenceLines(area.columns, commit: isNarrow ? 2 : .max) }
        if isNarrow { lines += source }
        let story = CommitStory(width: area.columns)
        if let action = facts.record.flatMap(story.action) { lines.append((action, nil)) }
        if !facts.isPaired { lines += changeLines(area.columns) }
        let after = [facts.cause.map(story.cause), story.firings(facts.firings)].compactMap(\.self)
        lines += after.map { ($0, nil) }
        lines += facts.marks.map { ("\("  mark        ", .dim)\($0, .changed)", nil) }
        if !isNarrow, !source.isEmpty { lines += [("", nil)] + source }
        return lines
    }

    /// The commit's changes, at most `limit`, from before to after; apart from them what differs between the runs.
    private func differenceLines(_ columns: Int, commit limit: Int) -> [Line] {
        let facts = model.facts
        let made = Array(facts.changes.prefix(facts.changes.count > limit ? max(1, limit - 1) : limit))
        var lines: [Line] = CommitStory(width: columns).lines(made, indent: 2).map { ($0, nil) }
        if made.count < facts.changes.count {
            lines.append(("\("  and \(facts.changes.count - made.count) more", .dim)", nil))
        }
        guard !facts.differences.isEmpty else { return lines + [("\("the states are equal", .heading)", nil)] }
        lines.append(("\("the runs differ here in", .heading)", nil))
        let others = CommitStory(width: columns, of: .leftAndRight)
            .lines(facts.differences, indent: 2)
        return lines + others.enumerated().map { ($0.element, $0.offset) }
    }

    private func changeLines(_ columns: Int) -> [Line] {
        let changes = model.facts.changes
        if changes.isEmpty, model.facts.record?.kind == .commit {
            return [("\("  changed nothing", .dim)", nil)]
        }
        return CommitStory(width: columns - 2).lines(changes, indent: 0).enumerated().map { index, line in
            // Inside a commit: what is made so far, and what is still to come.
            guard let made = model.facts.made else { return ("  \(line)", index) }
            return (index < made ? "\("✓ ", .added)\(line)" : "  \(line.all(.dim))", index)
        }
    }

    private func sourceLines(_ source: FullScreenFacts.Source, rows: Int) -> [Line] {
        let around = rows < 9 ? 0 : rows < 20 ? 2 : 5
        let shown = max(source.first, source.line - around)...max(source.line, source.line + around)
        return source.lines.enumerated().compactMap { index, text in
            let number = source.first + index
            guard shown.contains(number) else { return nil }
            let isLine = number == source.line
            let text = text.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ")
            let start: StoryLine = "\(isLine ? "▶ " : "  ", .heading)\("\(number) │ ", .dim)"
            return (start + "\(text, isLine ? .heading : .plain)", nil)
        }
    }
}
