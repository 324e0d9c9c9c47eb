package import Diagnostics
import JSONCore
package import JournalFormat
package import JournalReading
import Platform
import TimeTravel

extension JournalError {
    package var warning: Diagnostic {
        var diagnostic = diagnostic
        diagnostic.severity = .warning
        diagnostic.help = Advice(path).help(.verify, to: "lists all damage")
        return diagnostic
    }
}

extension TornTail {
    package func warning(path: String) -> Diagnostic {
        var diagnostic = diagnostic(path: path)
        diagnostic.help = Advice(path).help(
            .verify, [], [(.repair, FreeName.of("whole.jsonl"))], to: "writes the journal without it")
        return diagnostic
    }
}

package struct JournalInput {
    package let journal: Journal
    private let context: CommandContext

    /// A line's number costs a pass over the bytes before it, so lines after more bytes than this are not counted.
    private static let countedLength = 64 << 20

    /// Opens a journal that is read from front to back.
    package static func sequential(_ path: String, recovers: Bool = false, in context: CommandContext) throws
        -> JournalInput
    {
        let journal = try open(path, .sequential, recovers, context)
        return JournalInput(journal: recovers ? journal.recovering() : journal, context: context)
    }

    /// Opens a journal that is read from front to back as it is written, up to the record that ends the run.
    package static func followed(_ path: String, in context: CommandContext) throws -> JournalInput {
        JournalInput(
            journal: try context.journals.follow(path, awaitsFile: true, until: StopRequest()), context: context)
    }

    /// Opens a journal that is read from front to back, more than once.
    package static func whole(_ path: String, recovers: Bool = false, in context: CommandContext) throws -> JournalInput
    {
        JournalInput(journal: try open(path, .random, recovers, context), context: context)
    }

    private static func open(
        _ path: String, _ access: Journal.Access, _ recovers: Bool, _ context: CommandContext
    ) throws -> Journal {
        let journal = try context.journals.open(path, access, recovers: recovers)
        context.searched = {
            guard journal.isSeekable, let last = try? journal.lastCommit else { return nil }
            return "in " + (last.rawValue - journal.start.rawValue).counted("commit")
        }
        return journal
    }

    /// Opens a journal for random access, and reports an incomplete last record.
    package static func random(_ path: String, recovers: Bool = false, in context: CommandContext) throws
        -> JournalInput
    {
        let journal = try open(path, .random, recovers, context)
        let input = JournalInput(journal: recovers ? journal.recovering() : journal, context: context)
        var torn = try input.journal.tail().torn
        if let offset = torn?.offset, offset.rawValue <= countedLength {
            torn?.line = try? input.journal.lineNumber(at: offset)
        }
        input.report(torn)
        return input
    }

    package func report(_ torn: TornTail?) {
        guard let torn else { return }
        context.messages.reportOnce(torn.warning(path: journal.path))
    }

    /// The position that a text names; reports which one is meant if it is ambiguous.
    package func position(_ text: PositionText) throws -> CommitNumber {
        let position = try journal.position(text) { context.messages.note($0.text) }
        context.searched = { "at commit \(position.rawValue)" }
        return position
    }

    package func range(_ text: RangeText) throws -> PositionRange {
        let range = try journal.range(text) { context.messages.note($0.text) }
        context.searched = { "in " + (range.upper.rawValue - range.lower.rawValue).counted("commit") }
        return range
    }
}
