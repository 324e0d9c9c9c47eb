public import Diagnostics

/// Why a typed position names no place in a journal.
public enum PositionError: DiagnosticConvertible {
    /// The text is no position.
    case syntax(String)
    /// The text is no stretch `A..B`.
    case rangeSyntax(String)
    /// A part of a list of commits is neither a number nor a stretch.
    case listSyntax(String)
    /// The stretch ends before it begins.
    case reversed(from: CommitNumber, to: CommitNumber)
    /// No mark contains the text.
    case noMark(String, journal: String)
    /// The time is before the journal's first record.
    case beforeFirstTime(Timestamp, first: Timestamp, journal: String)
    /// The journal has no such position, or cannot be read.
    case journal(JournalError)

    /// Whether the text, the journal's contents or the journal itself is to blame.
    public enum Category: Sendable, Equatable {
        case usage
        case noSuchPosition
        case unreadable
    }

    /// Whether the text, the journal's contents or the journal itself is to blame.
    public var category: Category {
        switch self {
        case .syntax, .rangeSyntax, .listSyntax, .reversed: .usage
        case .noMark, .beforeFirstTime: .noSuchPosition
        case .journal(let error): error.category == .noSuchPosition ? .noSuchPosition : .unreadable
        }
    }

    /// The error in words.
    public var diagnostic: Diagnostic {
        switch self {
        case .syntax(let text):
            return Diagnostic(
                code: "position.syntax", "'\(text)' is no position",
                help: ["a position is '12', 'start', 'end', 'end-3', a time as '2026-11-21T12:00:03Z', or 'mark:TEXT'"])
        case .rangeSyntax(let text):
            return Diagnostic(
                code: "position.range-syntax", "'\(text)' is no stretch of commits",
                help: ["a stretch is 'A..B', the commits after A up to B; 'A..' goes on to the end"])
        case .listSyntax(let part):
            return Diagnostic(
                code: "position.list-syntax", "'\(part)' is neither a commit nor a stretch of commits",
                help: ["a list is numbers and stretches with commas between them, as '3,5,10..20'"])
        case .reversed(let from, let to):
            return Diagnostic(
                code: "position.reversed",
                "the stretch ends at commit \(to.rawValue), before it begins at \(from.rawValue)")
        case .noMark(let text, let journal):
            return Diagnostic(
                code: "position.no-mark", "no mark of '\(journal)' contains '\(text)'")
        case .beforeFirstTime(let time, let first, let journal):
            return Diagnostic(
                code: "position.before-first-time", "'\(time.text)' is before the first record of '\(journal)'",
                notes: ["it begins at \(first.text)"], help: ["write 'start' for the state before the first commit"])
        case .journal(let error): return error.diagnostic
        }
    }
}
