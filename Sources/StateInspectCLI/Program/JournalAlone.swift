import Diagnostics
import JSONCore
import JournalFormat
import JournalReading

/// A journal without a command: what `info` says of it, its marks of the level error, and the commits that were aborted.
struct JournalAlone: Command {
    static let definition = InfoCommand.definition

    /// No more of them are shown.
    private static let shownCount = 10

    private let path: String
    private let info: InfoCommand

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        info = try InfoCommand(typed)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let status = try info.run(in: context)
        // Standard input is read once.
        guard path != "-" else { return status }
        let found = try showErrors(in: context)
        if context.terminal.isTerminal { suggest(found, context) }
        return status
    }

    /// - Returns: the position of the first that was found.
    private func showErrors(in context: CommandContext) throws -> CommitNumber? {
        let journal = try JournalInput.random(path, in: context).journal
        let summary = try JournalSummary(journal)
        guard summary.marks + summary.aborts > 0 else { return nil }
        var (found, first) = (0, CommitNumber?.none)
        var filter = RecordFilter(touching: .nothing, kinds: [.mark, .abort])
        var reader = journal.records()
        while let line = try reader.next(matching: &filter) {
            guard line.kind == .abort || line.kind == .mark else { continue }
            let record = try Record(line)
            guard line.kind == .abort || record.string(.level) == MarkLevel.error.rawValue else { continue }
            found += 1
            first = first ?? line.seq
            if found <= Self.shownCount { try show(record, line, context) }
        }
        if found > Self.shownCount {
            context.messages.note("\(found - Self.shownCount) more marks of the level error and aborted commits")
        }
        return first
    }

    private func show(_ record: Record, _ line: RecordLine, _ context: CommandContext) throws {
        guard context.format == .human else { return try context.output.writeLine(line.bytes) }
        let summary = RecordSummary(record)
        let isMark = line.kind == .mark
        let text = isMark ? record.text ?? "" : (record.store ?? "") + "  " + (record.string(.error) ?? "")
        try context.writeText(
            context.style(.error, DisplayWidth.padded(isMark ? "error" : "abort", to: 9)) + "  "
                + context.style(.commit, summary.title) + "  " + context.style(.dim, summary.clock) + "  "
                + ControlCharacters.escaped(text))
    }

    private func suggest(_ found: CommitNumber?, _ context: CommandContext) {
        let advice = Advice(path)
        let error = found.flatMap { seq in
            seq > .zero ? "'\(advice.command(.show, ["\(seq)"]))' shows the commit before the first error, " : nil
        }
        context.messages.note(
            (error ?? "")
                + "'\(advice.command(.log))' lists its commits, '\(advice.command(.state))' shows its last state, "
                + "'\(advice.command(.debug))' walks through it, 'state-inspect -h' lists what else can be asked")
    }
}
