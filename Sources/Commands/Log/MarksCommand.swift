import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading

/// `marks J`: what the app and its tests said while it ran.
struct MarksCommand: Command {
    static let definition = CommandDefinition(
        name: .marks, summary: "list the marks", synopsis: ["JOURNAL [OPTIONS]"],
        operands: [.required("JOURNAL", .file)],
        options: [.range, .maxCount, .reverse, .recover],
        details: [
            """
            Lists the marks, oldest first: the commit before it, time, level and text. As JSON these are the mark lines of \
            the journal, byte for byte. 'mark:TEXT' is the position of the first mark that contains TEXT, 'mark:TEXT#2' \
            that of the second.
            """
        ],
        examples: [
            .init(line: "state-inspect marks samples/checkout.jsonl", purpose: "what was said while this ran")
        ])

    private let path: String
    private let range: RangeText
    private let order: ListOrder
    private let recovers: Bool

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        range = try typed.value(.range).map { try RangeText(parsing: $0) } ?? RangeText()
        order = try ListOrder(typed)
        recovers = typed.has(.recover)
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, recovers: recovers, in: context)
        let range = try input.range(self.range)
        var reader = try input.journal.records(after: range.lower, through: range.upper, recover: recovers)
        var marks = RecordFilter(touching: .nothing, kinds: .mark)
        var list = LineList<OwnedRecord>(order, lookAhead: 1)
        while let line = try reader.next(matching: &marks) {
            guard line.kind == .mark else { continue }
            do throws(JournalError) { _ = try line.token() } catch {
                // The keyframe at which reading goes on is not a mark.
                _ = try reader.recover(from: error)
                continue
            }
            for mark in list.take(line.owned()) { try mark.withLine { try print($0, context) } }
        }
        for damage in reader.damages { context.messages.report(damage.warning) }
        for mark in list.flush() { try mark.withLine { try print($0, context) } }
        return .done
    }

    private func print(_ line: RecordLine, _ context: CommandContext) throws {
        guard context.format == .human else { return try context.output.writeLine(line.bytes) }
        let mark = try Record(line)
        let record = RecordSummary(mark)
        let level = mark.string(.level).map { "  " + ControlCharacters.escaped($0) } ?? ""
        try context.writeText(
            context.style(.commit, record.title) + "  " + context.style(.dim, record.clock) + level + "  "
                + ControlCharacters.escaped(mark.text ?? ""))
    }
}
