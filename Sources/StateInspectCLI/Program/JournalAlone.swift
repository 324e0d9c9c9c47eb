import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// A journal without a command: what `info` says of it, its marks of the level error, the commits that were aborted, and what held
/// through many changes and then broke.
struct JournalAlone: Command {
    static let definition = InfoCommand.definition

    /// No more of them are shown.
    private static let shownCount = 10
    /// Nothing is learned of a longer journal: of this one it takes less than a second, also where each commit changes a long array.
    private static let learnedBytes = 2 << 20

    private let path: String
    private let info: InfoCommand

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        info = try InfoCommand(typed)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let status = try info.run(in: context)
        let journal = try JournalInput.random(path, in: context).journal
        let (mark, abort) = try showErrors(of: journal, context)
        let broken = try showBroken(of: journal, context)
        if context.terminal.isTerminal, context.format == .human, Advice(path).isPossible {
            try suggest(mark ?? broken, abort, context)
        }
        return status
    }

    /// Shows what broke, of several at one position the surest.
    ///
    /// - Returns: the position of the first that did.
    private func showBroken(of journal: Journal, _ context: CommandContext) throws -> CommitNumber? {
        guard let bytes = journal.byteCount, bytes <= Self.learnedBytes else { return nil }
        let broken = try BrokenInvariant.all(in: journal)
        var shown: [CommitNumber] = []
        for one in broken where shown.count < Self.shownCount && !shown.contains(one.position) {
            shown.append(one.position)
            try show(one, try journal.record(of: one.position), context)
        }
        return shown.first
    }

    private func show(_ broken: BrokenInvariant, _ commit: OwnedRecord, _ context: CommandContext) throws {
        let record = try Record(commit)
        var answer = Answer(.broken)
        answer.set("seq", broken.position.rawValue)
        answer.set("condition", broken.invariant.condition)
        answer.set("changes", broken.invariant.samples)
        answer.set("at", .at, of: record)
        let summary = RecordSummary(record)
        try context.write(
            answer,
            or: context.style(.error, DisplayWidth.padded("broke", to: 9)) + "  "
                + context.style(.commit, summary.title) + "  " + context.style(.dim, summary.clock) + "  "
                + ControlCharacters.escaped(broken.invariant.condition)
                + context.style(.dim, "  held through \(broken.invariant.samples.counted("change"))"))
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
    /// An abort changed nothing, so it is not where a bad state comes from, and stands last.
    private func suggest(_ wrong: CommitNumber?, _ abort: CommitNumber?, _ context: CommandContext) throws {
        let advice = Advice(path)
        var commands: [String] = []
        if let wrong {
            commands = (wrong > .zero ? [advice.command(.show, ["\(wrong)"])] : []) + [advice.command(.suspects)]
        }
        commands += [advice.command(.log), advice.command(.state), advice.command(.debug)]
        if wrong == nil, let abort {
            commands += [advice.command(.suspects)] + (abort > .zero ? [advice.command(.show, ["\(abort)"])] : [])
        }
        try context.writeText("")
        for line in Advice.lookFurther(commands, context.style) { try context.writeText(line) }
    }
}

extension AnswerDefinition {
    static let broken = AnswerDefinition(
        "broken", "something that held through many changes of a run and then broke",
        [
            .always("seq", "the first position at which it does not hold"),
            .always("condition", "what held, as a query that 'check' takes"),
            .always("changes", "through how many changes of what it reads it held"),
            .always("at", "the place in the source of the commit there, null where it has none"),
        ])
}
