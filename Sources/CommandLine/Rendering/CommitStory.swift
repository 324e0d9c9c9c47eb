import Diagnostics
package import JSONCore
package import JournalReading
package import TimeTravel

/// Changes are an aligned table: the path, and beside it `12 → -3`, `+ added`, `- removed` or where it came from; of
/// two runs `left 12  right -3`, since an arrow is from before to after.
package struct CommitStory {
    /// How many changes of a commit, or places of a stop, are listed; further ones are only counted.
    package enum ListedChanges: Int {
        case text = 40
        case debugger = 12
        case markdown = 20
        /// SARIF, JUnit and annotations, which have no room for a whole state.
        case document = 8
        case page = 60
        case all = 1_000_000_000_000
    }

    package enum Sides {
        case beforeAndAfter, leftAndRight
    }

    package struct Firing: Equatable {
        package let name: String
        /// `12 → -3`; nil where the values are not known.
        package let change: StateChange.ChangeKind?
    }

    package struct Firings: Equatable {
        package var fired: [Firing] = []
        /// Touched, but everything they read is equal.
        package var unchanged: [String] = []
        /// Recomputed, but their outputs are equal.
        package var same: [String] = []

        package init() {}
    }

    package static let defaultWidth = 120
    /// The widest that the column of paths grows; longer paths push their change to the right.
    package static let pathColumn = 40
    private static let leastRoom = 16
    private static let mostFirings = 8
    /// The columns of a label, as `caused by   `.
    private static let labelWidth = 12

    private let width: Int
    private let screen: Int?
    private let sides: Sides
    /// Whether what is cut has its size after it, as in an answer that has to fit.
    private let showsSizes: Bool

    package init(width: Int?, of sides: Sides = .beforeAndAfter, showsSizes: Bool = false) {
        (self.sides, self.showsSizes) = (sides, showsSizes)
        screen = width
        self.width = width ?? Self.defaultWidth
    }

    package init(_ context: CommandContext, of sides: Sides = .beforeAndAfter) {
        self.init(width: context.terminal.width, of: sides, showsSizes: context.output.fit != nil)
    }

    // MARK: A commit

    /// As `first bad commit  118 of 412   cart   Shop/Cart.swift:42   applyDiscount(_:)   12:00:03.482`.
    package func head(_ title: String, _ record: RecordSummary, of total: Int?) -> [StoryLine] {
        let parts = [record.store, record.location, record.label, record.clock].compactMap(\.self)
        let details = parts.filter { !$0.isEmpty }.joined(separator: "   ")
        let number =
            switch record.kind {
            case .commit: "\(record.seq)" + (total.map { " of \($0)" } ?? "")
            case .store, .gap, .keyframe, .never: record.title
            }
        let heading: StoryLine = "\(title, .heading)  \(number, .commit)   \(details)"
        return [heading, action(record)].compactMap(\.self)
    }

    /// As `action      CheckoutAction.chooseDelivery "post"`; nil where there was none.
    package func action(_ record: RecordSummary) -> StoryLine? {
        record.action.map { line($0, indent: 2, column: Self.labelWidth) }
    }

    package func line(_ action: RecordSummary.RecordedAction, indent: Int, column: Int) -> StoryLine {
        let label = DisplayWidth.padded("action", to: column)
        var line = StoryLine(margin: indent) + "\(label, .dim)\(action.type, .heading)"
        if let payload = action.payload { line += " \(value(payload, after: line.columns + 1))" }
        return line.clipped(to: screen)
    }

    /// As `caused by   117  session  Shop/Session.swift:20  refresh()`.
    package func cause(_ record: RecordSummary) -> StoryLine {
        let parts = [record.title, record.store, record.location, record.label].compactMap(\.self)
        return "  \("caused by", .dim)   \(parts.joined(separator: "  "))"
    }

    /// As `trace       4bf92f3577b34da6a3ce929d0e0e4736  span 00f067aa0ba902b7`; nil where the commit is in none.
    package func trace(_ commit: Record) -> StoryLine? {
        commit.string(.trace).map { trace in
            "  \("trace", .dim)       \(trace + (commit.string(.span).map { "  span " + $0 } ?? ""))"
        }
    }

    /// As `fired       total 12 → -3, canCheckOut true → false   (badge did not: its input is equal)`.
    package func firings(_ firings: Firings) -> StoryLine? {
        var shown = firings.fired.prefix(Self.mostFirings).map { firing -> StoryLine in
            "\(firing.name)" + (firing.change.map { " " + effect($0, room: 40) } ?? "")
        }
        if firings.fired.count > Self.mostFirings { shown.append("and \(firings.fired.count - Self.mostFirings) more") }
        let quiet = [
            quietly(firings.unchanged, "its input is equal", "their inputs are equal"),
            quietly(firings.same, "its output is equal", "their outputs are equal"),
        ].compactMap(\.self).joined(separator: "; ")
        guard !shown.isEmpty || !quiet.isEmpty else { return nil }
        return "  \("fired", .dim)       \(shown.isEmpty ? "nothing" : shown.joined(", "))"
            + (quiet.isEmpty ? "" : "   (\(quiet))")
    }

    /// As `badge did not: its input is equal`.
    private func quietly(_ names: [String], _ one: String, _ many: String) -> String? {
        guard !names.isEmpty else { return nil }
        return names.prefix(Self.mostFirings).joined(separator: ", ") + " did not: " + (names.count == 1 ? one : many)
    }

    // MARK: Changes

    /// The changes that a face has room for, how many more there are, and an empty commit said in words.
    package func lines(_ changes: [StateChange], indent: Int = 2, most: ListedChanges) -> [StoryLine] {
        let left = changes.count - most.rawValue
        let margin = StoryLine(margin: indent)
        if changes.isEmpty { return [(margin + "changed nothing").clipped(to: screen)] }
        let shown = lines(Array(changes.prefix(most.rawValue)), indent: indent)
        return left > 0 ? shown + [margin + "and \(left) more"] : shown
    }

    package func lines(_ changes: [StateChange], indent: Int) -> [StoryLine] {
        let limit = screen.map { max(Self.leastRoom, $0 - indent - 3 - Self.leastRoom) } ?? .max
        let paths = changes.map { change in
            DisplayWidth.shortenedInMiddle(ControlCharacters.escaped(change.place), to: limit)
        }
        let column = min(Self.pathColumn, paths.map(DisplayWidth.of).max() ?? 0)
        return zip(changes, paths).map { change, path in
            let path = DisplayWidth.padded(path, to: column)
            let room = width - indent - DisplayWidth.of(path) - 3
            return (StoryLine(margin: indent) + "\(path, .path)   \(effect(change.kind, room: room))").clipped(
                to: screen)
        }
    }

    package func effect(_ effect: StateChange.ChangeKind, room: Int) -> StoryLine {
        let room = max(room, Self.leastRoom)
        if sides == .leftAndRight { return difference(effect, room: room) }
        switch effect {
        case .added(let value): return "\("+ " + text(value, room: room - 2), .added)"
        case .removed(let value?): return "\("- " + text(value, room: room - 2), .removed)"
        case .removed(nil): return "\("removed", .removed)"
        case .moved(let from): return "\("moved from " + from.text, .changed)"
        case .copied(let from): return "\("copied from " + from.text, .added)"
        case .replaced(let new, nil): return "\("is now " + text(new, room: room - 7), .changed)"
        case .replaced(let new, let old?):
            let (old, new) = shared(old, new, room: room - 3)
            return "\(old, .removed) → \(new, .added)"
        }
    }

    package func effect(_ effect: StateChange.ChangeKind, after column: Int) -> StoryLine {
        self.effect(effect, room: width - column)
    }

    /// No more than the screen has.
    package func wantedWidth(of effect: StateChange.ChangeKind) -> Int { self.effect(effect, room: width).columns }

    /// No more than the screen has.
    package func wantedWidth(of value: JSONValue) -> Int { DisplayWidth.of(text(value, room: width)) }

    package func value(_ value: JSONValue, after column: Int) -> String {
        text(value, room: max(width - column, Self.leastRoom))
    }

    package func summary(_ changes: [StateChange], after column: Int) -> StoryLine {
        let room = max(24, width - column)
        guard let first = changes.first else { return "\("changed nothing", .dim)" }
        if changes.count == 1 {
            let path: StoryLine = "\(first.path.text, .path) "
            return path + effect(first.kind, room: room - path.columns)
        }
        let paths = changes.prefix(8).map(\.path.text).joined(separator: ", ")
        return ("\(paths)" + (changes.count > 8 ? ", … (\(changes.count))" : "")).clipped(to: room)
    }

    private func difference(_ effect: StateChange.ChangeKind, room: Int) -> StoryLine {
        let room = room - "left   right ".count
        let nothing = "(nothing)"
        let (left, right): (String, String) =
            switch effect {
            case .added(let value): (nothing, text(value, room: room - nothing.count))
            case .removed(let value?): (text(value, room: room - nothing.count), nothing)
            case .removed(nil): ("something", nothing)
            case .moved(let from): ("at " + from.text, "here")
            case .copied(let from): (nothing, "as at " + from.text)
            case .replaced(let new, nil): ("something else", text(new, room: room))
            case .replaced(let new, let old?): shared(old, new, room: room)
            }
        return "\("left ", .dim)\(left, .removed)\("  right ", .dim)\(right, .added)"
    }

    /// Both values share the room; what one does not need the other gets.
    private func shared(_ old: JSONValue, _ new: JSONValue, room: Int) -> (String, String) {
        let newWidth = DisplayWidth.of(text(new, room: room))
        let oldText = text(old, room: max(room / 2, room - newWidth))
        let newText = text(new, room: max(room / 2, room - DisplayWidth.of(oldText)))
        return (oldText, newText)
    }

    private func text(_ value: JSONValue, room: Int) -> String {
        showsSizes ? FittedValue.line(value, room: room) : FittedValue.clipped(value, to: room)
    }
}
