import Diagnostics
import JournalFormat
import TimeTravel

/// `merge J…`: several journals as one, by time.
struct MergeCommand: Command {
    static let definition = CommandDefinition(
        name: .merge, summary: "several journals as one, by time", synopsis: ["JOURNAL... [-o FILE]"],
        operands: [.repeated("JOURNAL", .file)],
        options: [.output],
        details: [
            """
            Writes the records of several journals in the order of their times, of several processes for example. \
            Commits are numbered anew, and causes follow. A store whose name is taken gets another one ('cart_2'). \
            Segments of one run, told by their 'id' and 'after', are put together again.
            """
        ],
        examples: [
            .init(
                line: "state-inspect merge samples/checkout.jsonl samples/checkout-good.jsonl",
                purpose: "two runs in one journal")
        ])

    private let paths: [String]
    private let output: String?

    init(_ typed: TypedArguments) throws {
        paths = typed.operands
        output = typed.value(.output)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let journals = try paths.map { try JournalInput.whole($0, in: context).journal }
        let output = try JournalOutput(output, of: paths, context)
        let progress = context.progress("merging", total: nil)
        var merge = try JournalMerge(journals)
        let summary = try merge.write(to: output.sink) { progress.update(bytes: 0, commits: $0) }
        try output.finish()
        progress.finish()
        tell(summary, context)
        return .done
    }

    private func tell(_ summary: JournalMerge.Summary, _ context: CommandContext) {
        for (path, tail) in summary.torn { context.messages.tellOnce(tail.warning(path: path)) }
        if summary.apps.count > 1 {
            let names = summary.apps.map { $0.isEmpty ? "one that is not named" : "'\($0)'" }.joined(separator: ", ")
            context.messages.tell(
                Diagnostic(
                    .warning, code: "merge.different-apps", "the journals are of different apps: \(names)",
                    notes: ["the merged journal names none"]))
        }
        for (journal, old, new) in summary.renamed {
            context.messages.note("the store '\(old)' of '\(journal)' is called '\(new)'")
        }
        for path in summary.cut { context.messages.note("'\(path)' has no end: its run was cut, or goes on") }
    }
}
