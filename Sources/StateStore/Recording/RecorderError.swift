public import Diagnostics
public import JournalFormat

/// What kept a recorder from writing something; the app goes on, and the journal tells what it lacks with a `gap`.
public enum RecorderError: DiagnosticConvertible, Sendable {
    /// The file cannot be written.
    case writing(JournalWriteError)
    /// A store's state has no JSON form; the store is not recorded until it has one.
    ///
    /// `path` is a JSON Pointer into the state, `type` the Swift type found there.
    case encoding(store: String, path: String, type: String, problem: Diagnostic)

    /// The error as a sentence with its reason and a remedy.
    public var diagnostic: Diagnostic {
        switch self {
        case .writing(let error): return error.diagnostic
        case .encoding(let store, _, _, var problem):
            problem.message = "store '\(store)': \(problem.message)"
            problem.severity = .warning
            return problem
        }
    }
}
