import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct MarksCommand: JournalCommand {
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

    let subject: JournalSubject
    private let order: ListOrder

    init(_ typed: TypedArguments) throws {
        subject = try JournalSubject(typed)
        order = try ListOrder(typed)
    }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let (range, context) = (asked.range, asked.context)
        var reader = try asked.journal.records(after: range.lower, through: range.upper, recover: subject.recovers)
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
        for mark in list.flush() { try mark.withLine { try print($0, context) } }
        return Answered(damages: reader.damages, unanswered: Unanswered(), lost: .nothing)
    }

    private func print(_ line: RecordLine, _ context: CommandContext) throws {
        guard context.format == .human else { return try context.output.writeLine(line.bytes) }
        let mark = try Record(line)
        let record = RecordSummary(mark)
        let level = mark.string(.level).map { "  " + $0 } ?? ""
        try context.write("\(record.title, .commit)  \(record.clock, .dim)\(level)  \(mark.text ?? "")")
    }
}
