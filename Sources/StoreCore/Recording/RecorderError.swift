public import Diagnostics
public import JournalFormat
internal import Platform

/// Why a recorder could not write something; the app continues, and a `gap` in the journal shows what is missing.
public enum RecorderError: DiagnosticConvertible, Sendable {
    /// The file cannot be written.
    case writing(JournalWriteError)
    /// A store's state has no JSON form; the store is not recorded until it has one.
    ///
    /// `path` is a JSON Pointer into the state, `type` the Swift type found there.
    case encoding(store: String, path: String, type: String, problem: Diagnostic)
    /// The file was deleted or moved while it is written: the run goes on in a new one in its place, or, where another file
    /// has that, in the one that was moved.
    case missing(path: String)
    /// The file was truncated while it is written: it is begun anew, with a gap where commits were lost.
    case truncated(path: String)
    /// A store was to be attached that another recorder records in `journal`: it stays with that.
    case attached(store: String, journal: String)
    /// What a mark was to carry has no JSON form: the mark is recorded without it.
    case payload(mark: String, problem: Diagnostic)
    /// A property that was to be redacted is not found in a store's state: a part of that is redacted until it is.
    ///
    /// `path` is a JSON Pointer to that part, empty for the whole state.
    case redaction(store: String, keyPath: String, path: String)
    /// A redaction matched nothing in the whole run: what it was to hide may be in clear under another name.
    ///
    /// `commits` is the number of commits that were looked at.
    case unmatched(redaction: String, commits: Int)
    /// A variable of the environment names something to be redacted that is not a path: nothing is recorded.
    case badRedaction(String, variable: String)
    /// A flight recorder's limit is too small for the states: the newest segment alone is kept, and may be larger.
    ///
    /// `opening` is the size of what each segment begins with, `limit` what all of them may have together, in bytes.
    case limit(opening: Int, limit: Int)

    /// The error as a sentence with its reason and a remedy.
    public var diagnostic: Diagnostic {
        switch self {
        case .writing(let error): return error.diagnostic
        case .encoding(let store, _, _, var problem):
            problem.message = "store '\(store)': \(problem.message)"
            problem.severity = .warning
            return problem
        case .missing(let path):
            return Diagnostic(
                .warning, code: "recorder.missing", "'\(path)' was deleted or moved while it is written",
                notes: [
                    "the run goes on in a new file there; where another file has the name, in the one that was moved"
                ],
                help: ["to keep a journal small, give its recorder a limit"])
        case .truncated(let path):
            return Diagnostic(
                .warning, code: "recorder.truncated", "'\(path)' was truncated while it is written",
                notes: ["it is begun anew with the states as they are now, and a gap where commits were lost"],
                help: ["to keep a journal small, give its recorder a limit"])
        case .attached(let store, let journal):
            return Diagnostic(
                .warning, code: "recorder.attached", "store '\(store)' is recorded in '\(journal)' already",
                notes: ["a store has one recorder"], help: ["detach it from that recorder first"])
        case .payload(let mark, var problem):
            problem.message = "mark '\(mark)': \(problem.message)"
            problem.severity = .warning
            return problem
        case .redaction(let store, let keyPath, let path):
            let part = path.isEmpty ? "its whole state" : "'/\(store)\(path)'"
            return Diagnostic(
                .warning, code: "redaction.property",
                "store '\(store)': '\(keyPath)' is not found in its JSON, so \(part) is redacted until it is",
                notes: [
                    "only stored properties that are encoded under their own names, or those of their 'CodingKeys', are found"
                ],
                help: ["name it by its path, such as '/\(store)/token'"])
        case .unmatched(let redaction, let commits):
            return Diagnostic(
                .warning, code: "redaction.unmatched",
                "the redaction '\(redaction)' matched nothing in \(commits) commits",
                notes: ["what it was to hide may be in clear under another name"],
                help: ["correct it, or mark it with '.ifPresent' where it need not match"])
        case .badRedaction(let text, let variable):
            return Diagnostic(
                code: "redaction.path", "'\(text)' in '\(variable)' is not a path, so nothing is recorded",
                help: ["write paths such as '/session/token', with commas between them"])
        case .limit(let opening, let limit):
            return Diagnostic(
                .warning, code: "recorder.limit",
                "the limit of \(limit) bytes is too small for the states",
                notes: ["each segment begins with all states, \(opening) bytes, and four such must fit"],
                help: ["give a limit of at least \(opening * 4) bytes"])
        }
    }
}

extension Recorder {
    static func printToStandardError(_ error: RecorderError) {
        let diagnostic = error.diagnostic
        var text = "StateStore: \(diagnostic.severity.rawValue): \(diagnostic.message)\n"
        for note in diagnostic.notes { text += "note: \(note)\n" }
        for help in diagnostic.help { text += "help: \(help)\n" }
        FileDescriptor.writeToStandardError(text)
    }
}
