import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct InfoCommand: Command {
    static let definition = CommandDefinition(
        name: .info, summary: "what a journal holds", synopsis: ["JOURNAL"],
        operands: [.required("JOURNAL", .file)], options: [.cite],
        details: [
            """
            Says which stores, commits, derived values and marks a journal holds, when it began and ended, and \
            whether it ended cleanly. It reads the first records and the last totals; where there are no totals it \
            counts. Damage in what it reads is reported, with the status 3; 'verify' answers for the whole file.
            """
        ],
        examples: [.init(line: "state-inspect info samples/checkout.jsonl", purpose: "what is in this journal")],
        answers: [answer.definition])

    private let path: String
    private let isOverview: Bool

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        isOverview = typed.isJournalAlone
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let header = try input.journal.headerRecord.object()
        let summary = try JournalSummary(input.journal)
        let isTorn = try input.journal.tail().torn != nil
        let citation = try context.citations == nil ? nil : context.cite(input.journal.lastCommit, of: input.journal)
        switch context.format {
        case .json: try context.writeJSON(Self.answer((path, header, summary, input.journal, isTorn)), citation)
        case .human:
            try context.write(lines(header, summary, input.journal, isTorn))
        }
        if let damage = summary.damage { throw damage }
        if isOverview { try writeOverview(input.journal, summary, context) }
        return .done
    }

    private static func value(_ store: JournalSummary.Store) -> JSONValue {
        .members([
            "store": .string(store.name), "type": store.type.map(JSONValue.string) ?? .null,
            "commits": .number(store.commits), "open": .bool(store.isOpen),
        ])
    }

    private func lines(
        _ header: JSONObject, _ summary: JournalSummary, _ journal: Journal, _ isTorn: Bool
    ) -> [StoryLine] {
        func row(_ name: String, _ text: String) -> StoryLine { "\(DisplayWidth.padded(name, to: 9), .dim)  \(text)" }
        let ending =
            summary.isEnded
            ? "ended cleanly" : isTorn ? "stopped while writing a record" : "no end: still running, or stopped"
        var lines = [row("journal", path), row("id", header["id"]?.string ?? "")]
        if let app = header["app"]?.string { lines.append(row("app", app)) }
        lines.append(row("recorded", "\(summary.start ?? "") to \(summary.end ?? ""), \(ending)"))
        lines.append(row("bytes", journal.byteCount.map { Progress.size(Double($0)) } ?? ""))
        lines.append(row("commits", "\(summary.commits)"))
        let stores: [[StoryLine]] = summary.stores.map { store in
            ["\(store.name)", "\(store.commits)  \(store.type ?? "")\(store.isOpen ? "" : "  closed")"]
        }
        lines += stores.aligned().map { row("  store", $0.text) }
        if !summary.derived.isEmpty {
            let more = summary.moreDerived > 0 ? ", and \(summary.moreDerived) more" : ""
            lines.append(row("derived", summary.derived.joined(separator: ", ") + more))
        }
        lines.append(row("marks", "\(summary.marks)"))
        if summary.aborts > 0 { lines.append(row("aborts", "\(summary.aborts)")) }
        if summary.gaps > 0 { lines.append(row("gaps", "\(summary.gaps)")) }
        return lines
    }

    static let answer = AnswerKind<
        (path: String, header: JSONObject, summary: JournalSummary, journal: Journal, isTorn: Bool)
    >(
        "info", "what a journal holds",
        [
            .always("journal", "the path of the journal, as it was typed", \.path),
            .always("version", "the version of the format", \.journal.version),
            .always("id", "the id of the run") { $0.header["id"]?.string },
            .always("app", "the program that was recorded, null where it is not said") { $0.header["app"]?.string },
            .always("commits", "how many commits are in the file", \.summary.commits),
            .always(
                "stores",
                #"one object a store, by name: "store", "type" (null where it was not read), "commits", "open""#
            ) { $0.summary.stores.map(value) },
            .always(
                "derived", "the names of the derived values, of the first thousand of them", \.summary.derived),
            .sometimes(
                "moreDerived", "how many derived values there are besides, missing where all are named"
            ) { $0.summary.moreDerived > 0 ? $0.summary.moreDerived : nil },
            .always("marks", "how many marks there are", \.summary.marks),
            .always("gaps", "how many gaps there are", \.summary.gaps),
            .always(
                "aborts", "how many commits were aborted: their closure threw, and nothing changed", \.summary.aborts),
            .always("start", "the time of the first record", \.summary.start),
            .always("end", "the time of the last record", \.summary.end),
            .always("bytes", "the size of the journal, null for a pipe", \.journal.byteCount),
            .always("ended", "whether the run ended cleanly", \.summary.isEnded),
            .always("torn", "whether the last record is incomplete", \.isTorn),
        ])
}

extension InfoCommand {
    private static let shownCount = 10
    /// A longer journal is not replayed: of this one it takes less than a second.
    private static let replayedBytes = 2 << 20

    private func writeOverview(_ journal: Journal, _ summary: JournalSummary, _ context: CommandContext) throws {
        let (mark, abort) = try showErrors(of: journal, summary, context)
        // That a patch does not fit is damage that no line shows by itself.
        if let bytes = journal.byteCount, bytes <= Self.replayedBytes { _ = try journal.state(at: journal.lastCommit) }
        if context.terminal.isTerminal, context.format == .human, Advice(path).isPossible {
            try suggest(mark, abort, context)
        }
    }

    /// - Returns: the positions of the first mark and of the first abort.
    private func showErrors(
        of journal: Journal, _ summary: JournalSummary, _ context: CommandContext
    ) throws -> (mark: CommitNumber?, abort: CommitNumber?) {
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
        let name = DisplayWidth.padded(isMark ? "error" : "abort", to: 9)
        try context.write("\(name, .error)  \(summary.title, .commit)  \(summary.clock, .dim)  \(text)")
    }

    /// First where something went wrong; an abort changed nothing, so it comes last.
    private func suggest(_ mark: CommitNumber?, _ abort: CommitNumber?, _ context: CommandContext) throws {
        let advice = Advice(path)
        var commands: [String] = []
        if let mark {
            commands = (mark > .zero ? [advice.command(.show, ["\(mark)"])] : []) + [advice.command(.suspects)]
        }
        commands += [advice.command(.log), advice.command(.state), advice.command(.debug)]
        if mark == nil, let abort, abort > .zero { commands.append(advice.command(.show, ["\(abort)"])) }
        try context.write(Advice.lookFurther(commands))
    }
}
