/// One problem, as facts: what it is, where it is, why, and what to type next.
///
/// Every typed error of this package turns into one of these at the edge (``DiagnosticConvertible``), and a single renderer
/// makes sentences or JSON of it. No text in here is escaped for a terminal: the renderer does that, because it alone knows
/// where the text goes.
public struct Diagnostic: Error, Sendable, Equatable {
    /// Whether the work stopped (`error`) or went on (`warning`).
    public enum Severity: String, Sendable {
        case error
        case warning
    }

    /// Whether the work stopped or went on.
    public var severity: Severity
    /// A stable name for scripts: kebab-case words, dots between the area and the problem, as `journal.torn-tail`.
    public var code: String
    /// What happened: lower case, no full stop, the subject in single quotes.
    public var message: String
    /// Where it happened, if it has a place.
    public var place: Place?
    /// Why it happened, one line each.
    public var notes: [String]
    /// What to do about it, one statement or command each.
    public var help: [String]

    /// Creates a problem from its facts.
    public init(
        _ severity: Severity = .error, code: String, _ message: String, place: Place? = nil, notes: [String] = [],
        help: [String] = []
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.place = place
        self.notes = notes
        self.help = help
    }
}

/// A typed error that can be shown as a ``Diagnostic``.
public protocol DiagnosticConvertible: Error, CustomStringConvertible {
    /// The error as one problem with its place, reason and remedy.
    var diagnostic: Diagnostic { get }
}

extension DiagnosticConvertible {
    /// The diagnostic in lines, as `print` and a failing test show it.
    public var description: String {
        let diagnostic = diagnostic
        let lines =
            [diagnostic.message] + diagnostic.notes.map { "note: \($0)" } + diagnostic.help.map { "help: \($0)" }
        return lines.joined(separator: "\n")
    }
}
