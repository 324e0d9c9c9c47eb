import CommandLine
import JSONCore
import TimeTravel

extension Finding {
    private static let valueWidth = 120
    private static let mostChanges = 20

    func markdown(level: Int) -> [String] {
        let sign =
            switch tone {
            case .bad: "❌"
            case .good: "✅"
            case .unknown: "❔"
            }
        let number = record.map { $0.kind == .commit ? ", commit \($0.seq)" : ", \($0.title)" } ?? ""
        var lines = [String(repeating: "#", count: level) + " \(sign) " + Markdown.text(title + number), ""]
        if let record { lines += place(record) + changes(record) }
        if let action = record?.action {
            let payload = action.payload.map { " " + Markdown.code(ValuePreview.shortened($0, to: Self.valueWidth)) }
            lines.append("- action: " + Markdown.code(action.type) + (payload ?? ""))
        }
        if !question.isEmpty { lines.append("- asked: " + Markdown.code(question)) }
        lines += sentences.map { "- " + Markdown.text($0) }
        if let cause {
            lines.append("- caused by " + Markdown.text(cause.title) + " " + Markdown.code(cause.label) + at(cause))
        }
        if !firings.fired.isEmpty {
            lines.append("- fired: " + firings.fired.map { Markdown.code($0.name) }.joined(separator: ", "))
        }
        return lines + Markdown.commands(commands)
    }

    /// As `cart · Shop/Cart.swift:42 · applyDiscount(_:) · 12:00:03.482`, each as code.
    private func place(_ record: RecordSummary) -> [String] {
        let parts = [record.store, record.location, record.label, record.clock].compactMap(\.self)
        let shown = parts.filter { !$0.isEmpty }.map(Markdown.code)
        return shown.isEmpty ? [] : [shown.joined(separator: " · "), ""]
    }

    private func changes(_ record: RecordSummary) -> [String] {
        guard !record.changes.isEmpty else { return record.kind == .commit ? ["changed nothing", ""] : [] }
        let rows = record.changes.prefix(Self.mostChanges).map { change in
            [Markdown.cell(change.path.isEmpty ? "(all)" : change.path)] + Self.cells(change.effect)
        }
        let left = record.changes.count - rows.count
        return Markdown.table(["path", "before", "after"], rows) + [""] + (left > 0 ? ["and \(left) more", ""] : [])
    }

    private static func cells(_ effect: Change.Effect) -> [String] {
        func cell(_ value: JSONValue) -> String { Markdown.cell(ValuePreview.shortened(value, to: valueWidth)) }
        return switch effect {
        case .added(let value): ["", cell(value)]
        case .removed(let old): [old.map(cell) ?? "", "removed"]
        case .replaced(let old, let new): [old.map(cell) ?? "", cell(new)]
        case .moved(let from): ["moved from " + Markdown.cell(from), ""]
        }
    }

    private func at(_ record: RecordSummary) -> String { record.location.map { " in " + Markdown.code($0) } ?? "" }
}
