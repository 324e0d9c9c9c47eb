public import Diagnostics
public import JournalFormat

/// Why journals cannot be merged.
public enum MergeError: DiagnosticConvertible, Equatable {
    case tooManyCommits
    case differentSegments(String, String, id: String, commit: CommitNumber)

    /// The error in words.
    public var diagnostic: Diagnostic {
        switch self {
        case .tooManyCommits:
            Diagnostic(
                code: "merge.too-many-commits",
                "the journals have more commits together than the \(CommitNumber.largest) that one can number")
        case .differentSegments(let one, let other, let id, let commit):
            Diagnostic(
                code: "merge.different-segments",
                "'\(one)' and '\(other)' are segments of one run, and say different things of commit \(commit)",
                notes: ["both have the id '\(id)'; no more than one of them can be right"])
        }
    }
}
