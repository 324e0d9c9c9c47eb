import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// What there is to see in a journal that was typed without a command, besides what `info` says: its marks of the level error, the
/// commits that were aborted, and how to look further.
struct Overview {
    private static let shownCount = 10
    /// A longer journal is not replayed: of this one it takes less than a second.
    private static let replayedBytes = 2 << 20

    let path: String

    func write(_ journal: Journal, _ context: CommandContext) throws {
        let (mark, abort) = try showErrors(of: journal, context)
        // That a patch does not fit is damage that no line shows by itself.
        if let bytes = journal.byteCount, bytes <= Self.replayedBytes { _ = try journal.state(at: journal.lastCommit) }
        if context.terminal.isTerminal, context.format == .human, Advice(path).isPossible {
            try suggest(mark, abort, context)
        }
    }

    /// - Returns: the positions of the first mark and of the first abort.
    private func showErrors(
        of journal: Journal, _ context: CommandContext
    ) throws -> (mark: CommitNumber?, abort: CommitNumber?) {
        let summary = try JournalSummary(journal)
        var (found, mark, abort) = (0, CommitNumber?.none, CommitNumber?.none)
        guard summary.marks + summary.aborts > 0 else { return (mark, abort) }
        var filter = RecordFilter(touching: .nothing, kinds: [.mark, .abort])
        var reader = journal.records()
        while let line = try reader.next(matching: &filter) {
            guard line.kind == .abort || line.kind == .mark else { continue }
            let record = try Record(line)
            guard line.kind == .abort || record.string(.level) == MarkLevel.error.rawValue else { continue }
            found += 1
            if line.kind == .abort { abort = abort ?? line.seq } else { mark = mark ?? line.seq }
            if found <= Self.shownCount { try show(record, line, context) }
        }
        if found > Self.shownCount {
            context.messages.note("\(found - Self.shownCount) more marks of the level error and aborted commits")
        }
        return (mark, abort)
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

    /// Says how to look further, first where something went wrong.
    ///
    /// An abort changed nothing, so it is not where a bad state comes from: it is no symptom, and stands last.
    private func suggest(_ mark: CommitNumber?, _ abort: CommitNumber?, _ context: CommandContext) throws {
        let advice = Advice(path)
        var commands: [String] = []
        if let mark {
            commands = (mark > .zero ? [advice.command(.show, ["\(mark)"])] : []) + [advice.command(.suspects)]
        }
        commands += [advice.command(.log), advice.command(.state), advice.command(.debug)]
        if mark == nil, let abort, abort > .zero { commands.append(advice.command(.show, ["\(abort)"])) }
        try context.writeText("")
        for line in Advice.lookFurther(commands, context.style) { try context.writeText(line) }
    }
}
