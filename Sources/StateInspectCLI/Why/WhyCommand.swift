import JSONCore
import JournalFormat
import TimeTravel

/// `why J POS`: what made a commit happen, and what made that happen.
struct WhyCommand: Command {
    static let definition = CommandDefinition(
        name: .why, summary: "what made a commit happen", synopsis: ["JOURNAL POS"],
        operands: [.required("JOURNAL", .file), .required("POS")],
        details: [
            """
            Prints the chain of causes: the commit, the one whose delivery made it (a subscriber, a derived value, \
            a task that it started), what made that one, and so on.
            """
        ],
        examples: [
            .init(line: "state-inspect why samples/checkout.jsonl 118", purpose: "what led to commit 118")
        ])

    private let path: String
    private let position: PositionText
    private let scope: StoreScope

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        position = try PositionText(parsing: typed.operands[1])
        scope = StoreScope(store: nil)
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let chain = try CauseChain.of(try input.position(position), in: input.journal)
        switch context.format {
        case .json:
            for (depth, record) in chain.enumerated() {
                var answer = Answer(.cause)
                answer.set("depth", depth)
                answer.set("commit", Answer.embedded(try record.object()))
                try context.output.writeLine(answer.line)
            }
        case .human: try write(chain, context)
        }
        tellOutside(chain, input.journal, context.messages)
        return .done
    }

    private func write(_ chain: [OwnedRecord], _ context: CommandContext) throws {
        let records = try chain.map { RecordSummary(try $0.object(), scope: scope) }
        var columns = CommitLine(style: context.style)
        for record in records { columns.measure(record.withoutCause) }
        let table = ChangeTable(style: context.style, width: context.terminal.width)
        for (depth, record) in records.enumerated() {
            let margin = depth == 0 ? "          " : context.style(.dim, "caused by ")
            let line = margin + columns.padded(record.withoutCause) + "  "
            try context.output.writeLine(line + table.summary(record.changes, after: DisplayWidth.of(line)))
        }
        if records.count == 1, records[0].cause == nil {
            try context.output.writeLine(context.style(.dim, "          no commit's delivery made it"))
        }
    }

    /// Says where the chain goes on outside the file.
    private func tellOutside(_ chain: [OwnedRecord], _ journal: Journal, _ messages: MessageWriter) {
        guard let last = chain.last, let object = try? last.object(), let cause = object["cause"]?.integer else {
            return
        }
        guard cause <= journal.start.rawValue else { return }
        messages.note("commit \(last.seq.rawValue) was caused by \(cause), which lies before this file")
    }
}

extension AnswerDefinition {
    static let cause = AnswerDefinition(
        "cause", "a commit in the chain of causes",
        [
            .always("depth", "0 for the commit itself, 1 for its cause, and so on"),
            .always("commit", "the record of the commit"),
        ])
}
