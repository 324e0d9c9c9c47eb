package import Diagnostics

/// Writes a problem as a person reads it: what, where, the text with carets, why, and what to type.
///
/// ```
/// state-inspect: error: this '(' is never closed
///  --> query:1:7
/// 1 | select(.cart.total > 100
///   |       ^ opened here     ^ the query ends here
/// help: add ')' at the end
/// ```
package struct DiagnosticRenderer {
    package let style: Style
    package let width: Int?

    package init(style: Style, width: Int?) { (self.style, self.width) = (style, width) }

    /// The lines of a problem, each ended.
    package func text(_ diagnostic: Diagnostic) -> String {
        var lines = [heading(diagnostic)]
        if let place = diagnostic.place { lines += self.lines(of: place) }
        lines += diagnostic.notes.map { style(.note, "note:") + " " + ControlCharacters.escaped($0) }
        lines += diagnostic.help.map { style(.help, "help:") + " " + ControlCharacters.escaped($0) }
        return lines.map { $0 + "\n" }.joined()
    }

    private func heading(_ diagnostic: Diagnostic) -> String {
        let role: Style.Role = diagnostic.severity == .error ? .error : .warning
        return "state-inspect: " + style(role, diagnostic.severity.rawValue + ":") + " "
            + style(.heading, ControlCharacters.escaped(diagnostic.message))
    }

    private func lines(of place: Place) -> [String] {
        switch place {
        case .file(let path, let line, let byte, let length):
            return [arrow + Self.file(path: path, line: line, byte: byte, length: length)]
        case .source(let excerpt):
            let offset = excerpt.marks.first?.range.lowerBound ?? 0
            let (line, column) = excerpt.lineAndColumn(of: offset)
            let name = ControlCharacters.escaped(excerpt.name)
            let heading = arrow + "\(name):\(line):\(column)" + ControlCharacters.escaped(excerpt.suffix ?? "")
            return [heading] + MarkedSource(excerpt, style: style, width: width).lines
        }
    }

    private var arrow: String { style(.location, " -->") + " " }

    /// `shop.jsonl:415 (byte 90112, 37 bytes)`, as much of it as is known.
    package static func file(path: String, line: Int?, byte: Int?, length: Int?) -> String {
        var text = ControlCharacters.escaped(path)
        if let line { text += ":\(line)" }
        var details: [String] = []
        if let byte { details.append("byte \(byte)") }
        if let length { details.append(length.counted("byte")) }
        return details.isEmpty ? text : text + " (" + details.joined(separator: ", ") + ")"
    }
}
