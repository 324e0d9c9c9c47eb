/// A command of the tool, by the word that is typed.
enum CommandName: String, CaseIterable, Sendable {
    case info, log, show, state, replay, diff, bisect, derived, blame, history, why, check, stats, verify
    case slice, merge, redact, minimize
    case query, completions, help
}
