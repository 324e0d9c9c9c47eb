/// Puts colours around texts, or leaves them alone.
struct Style: Sendable {
    /// What a text is, from which its colour follows.
    enum Role: Sendable {
        case commit, location, heading, dim
        case path, added, removed, changed
        case key, string, number, word
        case error, warning, note, help, mark
    }

    /// No colours.
    static let plain = Style(isColored: false)

    /// Whether colours are put.
    let isColored: Bool

    /// The text in the colour of its role.
    func callAsFunction(_ role: Role, _ text: String) -> String {
        guard isColored, !text.isEmpty, let code = code(role) else { return text }
        return "\u{1B}[" + code + "m" + text + "\u{1B}[0m"
    }

    /// The parameters of the SGR sequence (ECMA-48, 8.3.117): the eight base colours, which every theme sets readable.
    private func code(_ role: Role) -> String? {
        switch role {
        case .commit: "33"
        case .location: "36"
        case .heading: "1"
        case .dim: "2"
        case .path: "1"
        case .added: "32"
        case .removed: "31"
        case .changed: "33"
        case .key: "34"
        case .string: "32"
        case .number: nil
        case .word: "35"
        case .error: "1;31"
        case .warning: "1;33"
        case .note: "1;36"
        case .help: "1;32"
        case .mark: "1;31"
        }
    }
}
