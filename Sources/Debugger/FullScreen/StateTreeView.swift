import CommandLine
import Diagnostics
import JSONCore

/// Draws the state as a tree: what the commit changed is lit, with what was there before.
struct StateTreeView {
    private let model: FullScreenModel

    init(_ model: FullScreenModel) { self.model = model }

    func draw(in area: ScreenArea, on screen: inout ScreenBuffer) {
        var area = area
        if let breadcrumb = model.breadcrumb {
            let text = DisplayWidth.shortenedInMiddle(ControlCharacters.escaped(breadcrumb.text), to: area.columns - 2)
            screen.writeLine([StyledText("  " + text, .dim)], row: area.row, area)
            area.row += 1
            area.rows -= 1
        }
        let selected = model.selectedRow
        for index in 0..<area.rows {
            let row = model.treeTop + index
            guard model.rows.indices.contains(row) else { break }
            screen.writeLine(parts(model.rows[row], columns: area.columns), row: area.row + index, area)
            if row == selected {
                if model.focus == .state {
                    screen.select(row: area.row + index, area)
                } else {
                    let line = ScreenArea(row: area.row + index, column: area.column, rows: 1, columns: area.columns)
                    screen.restyle(line) { $0.with(.underline) }
                }
            }
        }
    }

    private func parts(_ row: StateTree.Row, columns: Int) -> [StyledText] {
        var parts = [StyledText(row.isChanged ? "●" : row.holdsChange ? "○" : " ", .changed)]
        parts.append(StyledText(String(repeating: "  ", count: min(row.depth - 1, columns / 4))))
        let name = row.path.segments.last ?? ""
        var style = row.depth == 1 ? TimelineView.style(ofStore: name, in: model).with(.bold) : .role(.key)
        if row.isChanged || row.holdsChange { style = style.with(.bold) }
        switch row.content {
        case .leaf:
            parts.append(StyledText("  " + shown(name) + ": ", style))
            parts.append(value(row, limit: columns))
            if let old = row.old {
                parts.append(
                    StyledText(
                        (model.facts.isPaired ? "  left " : "  was ") + FittedValue.text(old, limit: columns), .removed
                    ))
            }
        case .opened(let count):
            parts.append(StyledText("▾ " + shown(name) + " ", style))
            parts.append(StyledText(counted(row.value, count), .dim))
        case .folded(let count):
            parts.append(StyledText("▸ " + shown(name) + " ", style))
            parts.append(StyledText(counted(row.value, count) + " ", .dim))
            parts.append(StyledText(FittedValue.text(row.value, limit: columns), .dim))
        case .more(let count): parts.append(StyledText("  … \(count) more: Enter shows them", .dim))
        }
        return parts
    }

    /// A name as it is, an empty one so that it is seen.
    private func shown(_ name: String) -> String { name.isEmpty ? "\"\"" : name }

    private func counted(_ value: JSONValue, _ count: Int) -> String {
        if case .array = value { "[\(count)]" } else { "{\(count)}" }
    }

    private func value(_ row: StateTree.Row, limit: Int) -> StyledText {
        let text = FittedValue.text(row.value, limit: limit)
        if row.isChanged { return StyledText(text, CellStyle.role(.added).with(.bold)) }
        switch row.value {
        case .string: return StyledText(text, .string)
        case .number: return StyledText(text, .number)
        case .null, .bool: return StyledText(text, .word)
        case .array, .object: return StyledText(text, .dim)
        }
    }
}
