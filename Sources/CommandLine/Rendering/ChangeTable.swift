import Diagnostics
package import JSONCore

/// Changes as an aligned table: the path, and beside it `12 → -3`, `+ added`, `- removed` or where it came from; of two runs
/// `left 12  right -3`, since an arrow is from before to after.
package struct ChangeTable {
    package enum Sides {
        case beforeAndAfter, leftAndRight
    }

    package static let defaultWidth = 120
    /// The widest that the column of paths grows; longer paths push their change to the right.
    package static let pathColumn = 40
    private static let leastRoom = 16

    private let style: Style
    private let width: Int
    private let screen: Int?
    private let sides: Sides

    package init(style: Style, width: Int?, of sides: Sides = .beforeAndAfter) {
        (self.style, self.sides) = (style, sides)
        screen = width
        self.width = width ?? Self.defaultWidth
    }

    package func lines(_ changes: [Change], indent: Int) -> [String] {
        let limit = screen.map { max(Self.leastRoom, $0 - indent - 3 - Self.leastRoom) } ?? .max
        let paths = changes.map { change in
            let path = change.path.isEmpty ? "(all)" : ControlCharacters.escaped(change.path)
            return DisplayWidth.shortenedInMiddle(path, to: limit)
        }
        let column = min(Self.pathColumn, paths.map(DisplayWidth.of).max() ?? 0)
        return zip(changes, paths).map { change, path in
            let padded = DisplayWidth.padded(path, to: column)
            let room = width - indent - DisplayWidth.of(padded) - 3
            let margin = String(repeating: " ", count: indent)
            let line = margin + style(.path, padded) + "   " + effect(change.effect, room: room)
            return DisplayWidth.clipped(line, to: screen)
        }
    }

    /// The action of a commit: its label, its type, and what it carried in what the line leaves.
    package func line(_ action: RecordSummary.RecordedAction, indent: Int, column: Int) -> String {
        let label = style(.dim, DisplayWidth.padded("action", to: column))
        var line = String(repeating: " ", count: indent) + label
        line += style(.heading, ControlCharacters.escaped(action.type))
        if let payload = action.payload {
            line += " " + value(payload, after: DisplayWidth.of(line) + 1)
        }
        return DisplayWidth.clipped(line, to: screen)
    }

    /// What happened, in at most `room` columns, but never less than a few.
    package func effect(_ effect: Change.Effect, room: Int) -> String {
        let room = max(room, Self.leastRoom)
        if sides == .leftAndRight { return difference(effect, room: room) }
        switch effect {
        case .added(let value): return style(.added, "+ " + text(value, room: room - 2))
        case .removed(let value?): return style(.removed, "- " + text(value, room: room - 2))
        case .removed(nil): return style(.removed, "removed")
        case .moved(let from): return style(.changed, "moved from " + ControlCharacters.escaped(from))
        case .replaced(nil, let new): return style(.changed, "is now " + text(new, room: room - 7))
        case .replaced(let old?, let new): return replacement(old, new, room: room)
        }
    }

    package func effect(_ effect: Change.Effect, after column: Int) -> String {
        self.effect(effect, room: width - column)
    }

    /// How many columns the value, or what happened, would have whole; no more than the screen has.
    package func wantedWidth(of effect: Change.Effect) -> Int { DisplayWidth.of(self.effect(effect, room: width)) }

    /// How many columns a value would have whole; no more than the screen has.
    package func wantedWidth(of value: JSONValue) -> Int { DisplayWidth.of(text(value, room: width)) }

    /// A value, in what a line of so many columns leaves.
    package func value(_ value: JSONValue, after column: Int) -> String {
        text(value, room: max(width - column, Self.leastRoom))
    }

    /// What changed, in what a line of so many columns leaves: one change with its values, of several the paths.
    package func summary(_ changes: [Change], after column: Int) -> String {
        let room = max(24, width - column)
        guard let first = changes.first else { return style(.dim, "changed nothing") }
        if changes.count == 1 {
            let path = ControlCharacters.escaped(first.path)
            return style(.path, path) + " " + effect(first.effect, room: room - DisplayWidth.of(path) - 1)
        }
        let paths = changes.prefix(8).map { ControlCharacters.escaped($0.path) }.joined(separator: ", ")
        return DisplayWidth.clipped(paths + (changes.count > 8 ? ", … (\(changes.count))" : ""), to: room)
    }

    private func difference(_ effect: Change.Effect, room: Int) -> String {
        let labels = (left: style(.dim, "left "), right: style(.dim, "  right "))
        let room = room - DisplayWidth.of(labels.left + labels.right)
        let nothing = "(nothing)"
        let (left, right): (String, String) =
            switch effect {
            case .added(let value): (nothing, text(value, room: room - nothing.count))
            case .removed(let value?): (text(value, room: room - nothing.count), nothing)
            case .removed(nil): ("something", nothing)
            case .moved(let from): ("at " + ControlCharacters.escaped(from), "here")
            case .replaced(nil, let new): ("something else", text(new, room: room))
            case .replaced(let old?, let new): shared(old, new, room: room)
            }
        return labels.left + style(.removed, left) + labels.right + style(.added, right)
    }

    private func replacement(_ old: JSONValue, _ new: JSONValue, room: Int) -> String {
        let (oldText, newText) = shared(old, new, room: room - 3)
        return style(.removed, oldText) + " → " + style(.added, newText)
    }

    /// Both values share the room; what one does not need the other gets.
    private func shared(_ old: JSONValue, _ new: JSONValue, room: Int) -> (String, String) {
        let newWidth = DisplayWidth.of(text(new, room: room))
        let oldText = text(old, room: max(room / 2, room - newWidth))
        let newText = text(new, room: max(room / 2, room - DisplayWidth.of(oldText)))
        return (oldText, newText)
    }

    private func text(_ value: JSONValue, room: Int) -> String {
        if style.showsSizes { return FittedValue.line(value, room: room) }
        return DisplayWidth.clipped(ControlCharacters.escaped(FittedValue.text(value, limit: room * 4)), to: room)
    }
}
