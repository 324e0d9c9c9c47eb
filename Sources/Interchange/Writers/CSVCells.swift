import JSONCore

/// The cells of comma-separated values, RFC 4180 with plain line breaks.
///
/// A text that begins with `=`, `+`, `-`, `@` or a tab would be a formula where a person opens the table, so it gets a `'` in front.
struct CSVCells {
    /// Whether texts stand as they are, also those that would be formulas.
    let isRaw: Bool

    /// A string bare, null as nothing, anything else as JSON.
    func cell(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): self.text(text)
        case .null: ""
        default: value.text()
        }
    }

    /// A text, with the apostrophe if it needs one.
    func text(_ text: String) -> String {
        guard !isRaw, let first = text.utf8.first, Self.formulaSigns.contains(first) else { return text }
        return "'" + text
    }

    /// With which bytes a formula begins; white space before it counts for nothing to some programs.
    private static let formulaSigns = Array("=+-@\t\r".utf8)

    /// Writes a row.
    func write(_ cells: [String], to buffer: inout ExportBuffer) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { buffer.text(",") }
            let needsQuotes = cell.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
            buffer.text(needsQuotes ? Self.quoted(cell) : cell)
        }
        buffer.text("\n")
    }

    private static func quoted(_ cell: String) -> String {
        var text = "\""
        for scalar in cell.unicodeScalars {
            if scalar == "\"" { text += "\"" }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }
}
