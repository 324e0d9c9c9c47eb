import Diagnostics
package import JournalReading
import TimeTravel

/// One commit in a few lines: the heading, what it changed, what caused it and what fired.
package struct CommitBlock {
    /// A derived value that fired, or one whose input was touched and that did not.
    package struct Firing: Equatable {
        package let name: String
        /// `12 → -3`; nil where the values are not known.
        package let change: Change.Effect?
    }

    package struct Firings: Equatable {
        package var fired: [Firing] = []
        /// Touched, but everything they read is equal.
        package var unchanged: [String] = []
        /// Recomputed, but their outputs are equal.
        package var same: [String] = []

        package init() {}
    }

    static let mostFirings = 8
    package static let mostChanges = 40

    private let style: Style
    private let table: ChangeTable

    package init(style: Style, width: Int?) {
        self.style = style
        table = ChangeTable(style: style, width: width)
    }

    /// The columns of a label, as `caused by   `.
    private static let labelWidth = 12

    /// As `first bad commit  118 of 412   cart   Shop/Cart.swift:42   applyDiscount(_:)   12:00:03.482`, and the commit's
    /// action below it.
    package func head(_ title: String, _ record: RecordSummary, of total: Int?) -> [String] {
        [heading(title, record, of: total), action(record)].compactMap(\.self)
    }

    /// As `action      CheckoutAction.chooseDelivery "post"`; nil where there was none.
    package func action(_ record: RecordSummary) -> String? {
        record.action.map { table.line($0, indent: 2, column: Self.labelWidth) }
    }

    private func heading(_ title: String, _ record: RecordSummary, of total: Int?) -> String {
        let parts = [record.store, record.location, record.label, record.clock].compactMap(\.self)
        let details = parts.map(ControlCharacters.escaped).filter { !$0.isEmpty }.joined(separator: "   ")
        let number: String
        switch record.kind {
        case .commit: number = "\(record.seq)" + (total.map { " of \($0)" } ?? "")
        case .store, .gap, .keyframe, .never: number = record.title
        }
        return style(.heading, title) + "  " + style(.commit, number) + "   " + details
    }

    /// The changes, an empty commit said in words.
    package func changes(_ changes: [Change]) -> [String] {
        guard !changes.isEmpty else { return ["  changed nothing"] }
        let left = changes.count - Self.mostChanges
        let shown = table.lines(Array(changes.prefix(Self.mostChanges)), indent: 2)
        return left > 0 ? shown + ["  and \(left) more"] : shown
    }

    /// As `caused by   117  session  Shop/Session.swift:20  refresh()`.
    package func cause(_ record: RecordSummary) -> String {
        let parts = [record.title, record.store, record.location, record.label].compactMap(\.self)
        return "  " + style(.dim, "caused by") + "   " + parts.map(ControlCharacters.escaped).joined(separator: "  ")
    }

    /// As `trace       4bf92f3577b34da6a3ce929d0e0e4736  span 00f067aa0ba902b7`; nil where the commit is in none.
    package func trace(_ commit: Record) -> String? {
        guard let trace = commit.string(.trace) else { return nil }
        let text = trace + (commit.string(.span).map { "  span " + $0 } ?? "")
        return "  " + style(.dim, "trace") + "       " + ControlCharacters.escaped(text)
    }

    /// As `fired       total 12 → -3, canCheckOut true → false   (badge did not: its input is equal)`.
    package func firings(_ firings: Firings) -> String? {
        var shown = firings.fired.prefix(Self.mostFirings).map { firing in
            ControlCharacters.escaped(firing.name) + (firing.change.map { " " + table.effect($0, room: 40) } ?? "")
        }
        if firings.fired.count > Self.mostFirings { shown.append("and \(firings.fired.count - Self.mostFirings) more") }
        let quiet = [
            quietly(firings.unchanged, "its input is equal", "their inputs are equal"),
            quietly(firings.same, "its output is equal", "their outputs are equal"),
        ].compactMap(\.self).joined(separator: "; ")
        guard !shown.isEmpty || !quiet.isEmpty else { return nil }
        let text = (shown.isEmpty ? "nothing" : shown.joined(separator: ", ")) + (quiet.isEmpty ? "" : "   (\(quiet))")
        return "  " + style(.dim, "fired") + "       " + text
    }

    /// As `badge did not: its input is equal`.
    private func quietly(_ names: [String], _ one: String, _ many: String) -> String? {
        guard !names.isEmpty else { return nil }
        let shown = names.prefix(Self.mostFirings).map(ControlCharacters.escaped).joined(separator: ", ")
        return shown + " did not: " + (names.count == 1 ? one : many)
    }
}
