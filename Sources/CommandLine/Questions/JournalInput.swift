package import Diagnostics
import JSONCore
package import JournalFormat
package import JournalReading
package import Platform
import Synchronization
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

    package static func sequential(_ path: String, recovers: Bool = false, in context: CommandContext) throws
        -> JournalInput
    {
        let journal = try open(path, .sequential, recovers, context)
        return JournalInput(journal: recovers ? journal.recovering() : journal, context: context)
    }

    /// Reading ends with the record that ends the run.
    package static func followed(_ path: String, in context: CommandContext) throws -> JournalInput {
        JournalInput(
            journal: try context.journals.follow(path, awaitsFile: true, until: StopRequest()), context: context)
    }

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

    /// Reports an incomplete last record.
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

    /// Reports which position is meant if the text is ambiguous.
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

    package func nothing(
        at pattern: PathPattern, _ position: CommitNumber, _ command: CommandName, _ advice: Advice, _ scope: StoreScope
    ) throws -> CommandFailure {
        let state = try journal.state(at: position).value
        return CommandFailure(
            .notThere, code: "\(command.rawValue).no-such-path",
            "nothing is at '\(scope.text(of: pattern))' after commit \(position.rawValue)",
            notes: NearestPath.notes(for: pattern, in: state, scope),
            help: NearestPath.help(for: pattern, in: state, scope)
                + advice.help(.state, [], [(.at, "\(position.rawValue)")], to: "shows what is there"))
    }
}

/// A pipe can be read once only, so the opener keeps the journal that it made of one for the parts of the command that
/// read it later.
package final class JournalOpener: Sendable {
    private let progress: Progress
    private let spoolLimit: Int
    private let pipes = Mutex<NameTable<Journal>>(NameTable())

    package init(_ environment: Environment, _ progress: Progress) {
        self.progress = progress
        spoolLimit = Self.spoolLimit(environment)
    }

    package func open(_ path: String, _ access: Journal.Access, recovers: Bool = false) throws -> Journal {
        let isPipe = JournalFiles.isReadOnce(path)
        var journal = isPipe ? pipes.withLock { $0[path] } : nil
        if access == .random, journal?.isSeekable == false { throw JournalError(path: path, .notSeekable) }
        if journal == nil {
            journal = try progress.reading(size: \.byteCount) {
                try Journal.open(
                    path, access: access, spoolLimit: spoolLimit, recover: recovers, until: progress.stop, progress: $0)
            }
        }
        guard let journal else { throw JournalError(path: path, .missing) }
        if isPipe { keep(journal) }
        return journal
    }

    /// Reading ends with the record that ends the run.
    package func follow(_ path: String, awaitsFile: Bool, until stop: StopRequest) throws -> Journal {
        let journal = try progress.reading(size: \.byteCount) {
            try Journal.follow(path, awaitsFile: awaitsFile, until: stop, progress: $0)
        }
        if JournalFiles.isReadOnce(path) { keep(journal) }
        return journal
    }

    private func keep(_ journal: Journal) { pipes.withLock { $0[journal.path] = journal } }

    package static let spoolLimitVariable = "STATE_INSPECT_SPOOL_LIMIT"

    package static func spoolLimit(_ environment: Environment) -> Int {
        environment[spoolLimitVariable].flatMap { Int($0) }.map { max(0, $0) } ?? Journal.defaultSpoolLimit
    }
}
