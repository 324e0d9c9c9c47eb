import Diagnostics
import JSONCore
import JournalFormat
import TimeTravel

extension JournalError {
    /// The damage as a warning, where reading went on behind it.
    var warning: Diagnostic {
        var diagnostic = diagnostic
        diagnostic.severity = .warning
        diagnostic.help = ["'state-inspect verify \(path)' lists all damage"]
        return diagnostic
    }
}

/// A journal as a command reads it: opened, with what has to be said about it said.
struct JournalInput {
    /// The journal.
    let journal: Journal

    private let context: CommandContext

    /// A line's number costs a pass over what is before it, so lines behind more bytes than this are not counted.
    private static let countedLength = 64 << 20

    /// Opens a journal that is read from front to back.
    static func sequential(_ path: String, in context: CommandContext) throws -> JournalInput {
        JournalInput(journal: try Journal.open(path, access: .sequential), context: context)
    }

    /// Opens a journal that is read from front to back, more than once.
    static func whole(_ path: String, in context: CommandContext) throws -> JournalInput {
        JournalInput(journal: try Journal.open(path, access: .random), context: context)
    }

    /// Opens a journal that is read here and there; an incomplete last record is told.
    static func random(_ path: String, in context: CommandContext) throws -> JournalInput {
        let input = JournalInput(journal: try Journal.open(path, access: .random), context: context)
        var torn = try input.journal.tail().torn
        if let offset = torn?.offset, offset.rawValue <= countedLength {
            torn?.line = try? input.journal.lineNumber(at: offset)
        }
        input.tell(torn)
        return input
    }

    /// Tells of an incomplete last record.
    func tell(_ torn: TornTail?) {
        guard let torn else { return }
        context.messages.tellOnce(torn.diagnostic(path: journal.path))
    }

    /// The position that was typed.
    func position(_ text: PositionText) throws -> CommitNumber { try journal.position(text) }

    /// Told how far a pass has come.
    func progress(_ label: String) -> Progress { context.progress(label, total: journal.byteCount) }
}
