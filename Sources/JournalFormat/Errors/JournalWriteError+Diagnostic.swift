public import Diagnostics
import Platform

extension JournalWriteError: DiagnosticConvertible {
    /// The error as a message.
    public var diagnostic: Diagnostic {
        switch cause {
        case .exists:
            Diagnostic(
                code: "journal.exists", "'\(path)' exists already",
                notes: ["a journal is never written over another file"],
                help: ["ask to replace it, or put '%p' (the process) or '%t' (the time) into the name"])
        case .notAFile:
            Diagnostic(
                code: "journal.not-a-file", "'\(path)' is not a regular file, so it is not replaced",
                help: ["choose another name"])
        case .locked:
            Diagnostic(
                code: "journal.locked", "'\(path)' is being written by another process",
                help: ["choose another name, for example with '%p' (the process) in it"])
        case .system(let operation, let code):
            Diagnostic(
                code: "journal.write",
                "'\(path)' cannot be \(JournalWriteError.verb(of: operation)): \(SystemFailure.text(of: code))",
                notes: keptNotes, help: JournalWriteError.help(for: code))
        case .closed:
            Diagnostic(
                code: "journal.closed", "'\(path)' is closed", notes: ["a line was handed over after its end"],
                help: ["close the recorder after its stores"])
        }
    }

    private var keptNotes: [String] { lastKept == .zero ? [] : ["every commit up to \(lastKept) is in the file"] }

    private static func verb(of operation: String) -> String {
        switch operation {
        case "open", "unlink", "pthread_create": "made"
        case "rename": "replaced"
        case "fsync": "brought to the disk"
        default: "written"
        }
    }

    private static func help(for code: Int32) -> [String] {
        switch code {
        case Errno.noSpace, Errno.diskQuotaExceeded: ["make room on that disk, or choose a path on another one"]
        case Errno.noSuchFileOrDirectory, Errno.notDirectory: ["make the folder first"]
        case Errno.permissionDenied, Errno.notPermitted, Errno.readOnlyFileSystem:
            ["choose a path in a folder that you may write to"]
        case Errno.fileTooLarge:
            ["raise the limit of a file's size ('ulimit -f'), or give the recorder a limit below it"]
        case Errno.badFileDescriptor:
            ["something else in the app closed the journal's descriptor: look for a 'close' of a wrong number"]
        default: []
        }
    }
}
