public import Diagnostics
public import JournalFormat

/// Why a recorded state could not be read back.
public enum JournalReaderError: DiagnosticConvertible, Sendable {
    /// The journal cannot be read, or has no such position or store; its diagnostic names the similar ones.
    case journal(JournalError)
    /// The position names no place in the journal: a mark that is not there, a time before the run.
    case position(PositionError)
    /// A recorded value does not become the Swift value that was asked for.
    ///
    /// `path` is a JSON Pointer into the state, `type` the Swift type that was expected there.
    case value(store: String, path: String, type: String, problem: Diagnostic)
    /// A substitute cannot be put where it belongs, or has no JSON form.
    case substitution(path: String, problem: Diagnostic)

    /// The error as a sentence with its reason and a remedy.
    public var diagnostic: Diagnostic {
        switch self {
        case .journal(let error): return error.diagnostic
        case .position(let error): return error.diagnostic
        case .value(let store, _, _, var problem):
            problem.message = "store '\(store)': \(problem.message)"
            return problem
        case .substitution(let path, var problem):
            problem.message = "the substitute for '\(path)': \(problem.message)"
            return problem
        }
    }
}

extension JournalReaderError: CustomStringConvertible {
    /// The diagnostic in lines, as a failing test shows it.
    public var description: String {
        let diagnostic = diagnostic
        let lines =
            [diagnostic.message] + diagnostic.notes.map { "note: \($0)" } + diagnostic.help.map { "help: \($0)" }
        return lines.joined(separator: "\n")
    }
}
