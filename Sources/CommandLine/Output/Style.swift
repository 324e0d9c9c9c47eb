package struct Style: Sendable {
    package enum Role: Sendable {
        case commit, location, heading, dim
        case path, added, removed, changed
        case key, string, number, word
        case error, warning, note, help, mark
    }

    package static let plain = Style(isColored: false)

    package let isColored: Bool
    /// Whether what is cut has its size after it, as in an answer that has to fit.
    var showsSizes = false

    package init(isColored: Bool, showsSizes: Bool = false) {
        (self.isColored, self.showsSizes) = (isColored, showsSizes)
    }

    package func callAsFunction(_ role: Role, _ text: String) -> String {
        guard isColored, !text.isEmpty else { return text }
        let parameters = CellStyle.role(role).parameters(.sixteen)
        return parameters.isEmpty ? text : "\u{1B}[" + parameters + "m" + text + "\u{1B}[0m"
    }
}
