import Diagnostics

/// Commits as lines of an aligned list: number, time, store, function, source location, cause.
///
/// The columns are as wide as the widest text seen so far, so that a list can be printed while it is read; a caller that
/// knows more lines `measure`s them first.
struct CommitLine {
    /// No column grows wider than this: one long name must not push every line off the screen.
    static let widestColumn = 36

    private let style: Style
    /// How wide the columns may be together; nil where nothing needs to be cut.
    private let room: Int?
    private var widths = [0, 0, 0, 0, 0, 0]

    /// A list in this style.
    ///
    /// - Parameters:
    ///   - width: the screen's columns; nil where there is none.
    ///   - reserve: how many of them are for what follows a line.
    init(style: Style, width: Int? = nil, reserve: Int = 0) {
        self.style = style
        room = width.map { $0 - reserve }
    }

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
        let widths = fittedWidths
        var texts = texts(record)
        // Of a place the module goes first.
        if DisplayWidth.of(texts[4]) > widths[4], let file = texts[4].split(separator: "/").last {
            texts[4] = String(file)
        }
        texts = zip(texts, widths).map { DisplayWidth.shortenedInMiddle($0, to: max($1, 1)) }
        let roles: [Style.Role] = [.commit, .dim, .heading, .number, .location, .dim]
        let columns = zip(zip(texts, widths), roles).filter { $0.0.1 > 0 }.map { column, role in
            style(role, column.0) + String(repeating: " ", count: max(0, column.1 - DisplayWidth.of(column.0)))
        }
        return columns.joined(separator: "  ")
    }

    /// The columns' widths, made less where they do not fit: of functions first, then of places, stores and times; numbers
    /// are left as they are.
    private var fittedWidths: [Int] {
        guard let room else { return widths }
        var widths = widths
        var excess = widths.reduce(-2) { $0 + ($1 > 0 ? $1 + 2 : 0) } - room
        for (column, least) in [(3, 10), (4, 18), (2, 6), (3, 6), (4, 10), (1, 8)] where excess > 0 {
            let cut = min(excess, max(0, widths[column] - least))
            widths[column] -= cut
            excess -= cut
        }
        return widths
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
