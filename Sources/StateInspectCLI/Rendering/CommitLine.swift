import Diagnostics

/// Commits as lines of an aligned list: number, time, store, function, source location, cause.
///
/// The columns are as wide as the widest text seen so far, so that a list can be printed while it is read; a caller that
/// knows more lines `measure`s them first.
struct CommitLine {
    /// No column grows wider than this: one long name must not push every line off the screen.
    static let widestColumn = 36

    private let style: Style
    private var widths = [0, 0, 0, 0, 0, 0]

    /// A list in this style.
    init(style: Style) { self.style = style }

    /// Makes room for a line.
    mutating func measure(_ record: RecordSummary) {
        for (index, text) in texts(record).enumerated() {
            widths[index] = max(widths[index], min(Self.widestColumn, DisplayWidth.of(text)))
        }
        // A cause is an earlier commit, so no later one needs more room than the numbers do.
        if widths[5] > 0 { widths[5] = max(widths[5], widths[0] + DisplayWidth.of("← ")) }
    }

    /// The line of a record, without an end and without spaces after its last column.
    mutating func text(_ record: RecordSummary) -> String { Self.trimmed(padded(record)) }

    /// The line of a record as wide as the columns are, for text that follows it.
    mutating func padded(_ record: RecordSummary) -> String {
        measure(record)
        let roles: [Style.Role] = [.commit, .dim, .heading, .number, .location, .dim]
        let columns = zip(zip(texts(record), widths), roles).filter { $0.0.1 > 0 }.map { column, role in
            style(role, column.0) + String(repeating: " ", count: max(0, column.1 - DisplayWidth.of(column.0)))
        }
        return columns.joined(separator: "  ")
    }

    private func texts(_ record: RecordSummary) -> [String] {
        let cause = record.cause.map { "← \($0)" } ?? ""
        return [record.title, record.clock, record.store ?? "", record.label, record.location ?? "", cause]
            .map(ControlCharacters.escaped)
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
