import JSONCore

/// The cells of comma-separated values, RFC 4180 with plain line breaks, as ``CSVTable`` reads them.
///
/// What is absent is an empty cell, a value is JSON, and a text is bare, but in quotes where it would be read as one of those:
/// `""`, `"null"`, `"12"`.
///
/// A text that begins with `=`, `+`, `-`, `@` or a tab would be a formula where a person opens the table, so it gets a `'` in front.
struct CSVCells {
    /// Whether texts stand as they are, also those that would be formulas.
    let isRaw: Bool

    func write(_ cells: [JSONValue?], to buffer: inout ExportBuffer) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { buffer.text(",") }
            if let cell { buffer.text(text(of: cell)) }
        }
        buffer.text("\n")
    }

    private func text(of cell: JSONValue) -> String {
        let text = cell.string.map(guarded) ?? cell.text()
        let breaksRow = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        let isMistaken = cell.string != nil && (text.isEmpty || CSVTable.value(ofBare: Array(text.utf8)) != nil)
        return breaksRow || isMistaken ? Self.quoted(text) : text
    }

    private func guarded(_ text: String) -> String {
        guard !isRaw, let first = text.utf8.first, Self.formulaSigns.contains(first) else { return text }
        return "'" + text
    }

    /// With which bytes a formula begins; white space before it counts for nothing to some programs.
    private static let formulaSigns = Array("=+-@\t\r".utf8)

    private static func quoted(_ cell: String) -> String {
        var text = "\""
        for scalar in cell.unicodeScalars {
            if scalar == "\"" { text += "\"" }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }
}
