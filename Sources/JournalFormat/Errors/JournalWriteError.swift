import Platform

/// Why a journal could not be made or written, and what of it is safe.
public struct JournalWriteError: Error, Sendable, Equatable {
    /// What went wrong.
    public enum Cause: Sendable, Equatable {
        /// There is a file of that name, and it was not to be replaced.
        case exists
        /// What is to be replaced is not a regular file, or is a symbolic link.
        case notAFile
        /// Another process is writing the file that is to be replaced.
        case locked
        /// A system call failed; `code` is its `errno`.
        case system(operation: String, code: Int32)
        /// The journal was closed before.
        case closed
    }

    /// The file.
    public var path: String
    /// What went wrong.
    public var cause: Cause
    /// Every commit up to this one is in the file; what was appended after it is not.
    public var lastKept: CommitNumber

    /// States what went wrong.
    public init(path: String, cause: Cause, lastKept: CommitNumber) {
        self.path = path
        self.cause = cause
        self.lastKept = lastKept
    }

    init(path: String, _ failure: SystemFailure, lastKept: CommitNumber) {
        self.init(path: path, cause: .system(operation: failure.operation, code: failure.code), lastKept: lastKept)
    }
}
