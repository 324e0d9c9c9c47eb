import JSONCore
public import JournalFormat
import Platform

/// Why a journal, or a position of it, cannot be read.
public struct JournalError: Error, Sendable, Equatable {
    /// What went wrong.
    public enum Fact: Sendable, Equatable {
        /// There is no such file.
        case missing
        /// The path is a folder.
        case directory
        /// The file may not be read.
        case notPermitted
        /// A system call failed; `code` is its `errno`.
        case system(operation: String, code: Int32)
        /// The file has no bytes.
        case empty
        /// The first line is none of a journal.
        case notAJournal(FirstLine)
        /// The journal is of a version that this package does not know.
        case newerVersion(Int)
        /// Something in the middle is not what the format says.
        case damage(JournalDamage)
        /// A line is longer than ``Journal/lineLengthLimit``.
        case lineTooLong(line: LineNumber?, offset: ByteOffset)
        /// The program that unpacks the file is not on PATH.
        case programMissing(program: String)
        /// The program that unpacks the file ended with an error.
        case programFailed(program: String, status: Int32)
        /// The file would unpack to more bytes than a temporary file may have.
        case unpacksTooLarge(limit: Int)
        /// A pipe can be read once, from front to back.
        case notSeekable
        /// The file was cut while it was read: it had `size` bytes when it was opened, and ends before.
        case cut(size: Int, end: Int)
        /// The file became shorter while it was followed: `read` bytes of it were read, now it has `size`.
        case shortened(size: Int, read: Int)
        /// The answer is not wanted any more.
        case stopped

        /// A position after the last commit.
        case pastEnd(asked: CommitNumber, first: CommitNumber, last: CommitNumber)
        /// A position before the start of a segment, or a negative one.
        case beforeStart(asked: CommitNumber, first: CommitNumber, last: CommitNumber)
        /// No commit has the number of the start.
        case noCommitAtStart(CommitNumber, last: CommitNumber)
        /// A position whose state was never kept; commits `first` to `last` are lost.
        case insideGap(asked: CommitNumber, first: CommitNumber, last: CommitNumber)
        /// No store of that name is open there; `known` are.
        case noSuchStore(name: String, at: CommitNumber, known: [String])
    }

    /// What the first line of a file is that is not a journal.
    public enum FirstLine: Sendable, Equatable {
        /// The line is not JSON.
        case notJSON
        /// The line is longer than ``Journal/headerLengthLimit``.
        case tooLong
        /// The file begins with a byte order mark.
        case byteOrderMark
        /// The line is JSON, but not a record.
        case notARecord
        /// The line is a record of another kind.
        case otherKind(String)
        /// The line is a `journal` record whose `version` is not a number, or is missing.
        case noVersion
        /// The line is cut off before its end.
        case torn
    }

    /// What a command's exit status makes of an error.
    public enum Category: Sendable, Equatable {
        /// The journal cannot be read: status 3.
        case unreadable
        /// The journal has no such position or store: status 4.
        case noSuchPosition
    }

    /// The file, as it was named; `-` is standard input.
    public var path: String
    /// What went wrong.
    public var fact: Fact

    /// States what went wrong.
    public init(path: String, _ fact: Fact) {
        self.path = path
        self.fact = fact
    }

    init(path: String, _ failure: SystemFailure) {
        self.init(path: path, .system(operation: failure.operation, code: failure.code))
    }

    /// Whether the journal is to blame, or the question.
    public var category: Category {
        switch fact {
        case .pastEnd, .beforeStart, .noCommitAtStart, .insideGap, .noSuchStore: .noSuchPosition
        default: .unreadable
        }
    }

    /// Whether what is in the file is to blame.
    package var isDamage: Bool { if case .damage = fact { true } else { false } }

    /// Whether a patch needs values that a pruned state does not have: the same question over whole states has an answer.
    public var needsWholeState: Bool {
        if case .damage(let damage) = fact, case .patch(_, _, let error) = damage.reason {
            return error.reason == .notPrunable
        }
        return false
    }
}
