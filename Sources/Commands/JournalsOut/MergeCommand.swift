import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import Platform
import TimeTravel

struct MergeCommand: Command {
    static let definition = CommandDefinition(
        name: .merge, summary: "several journals as one, by time", synopsis: ["JOURNAL... [-o FILE]"],
        operands: [.repeated("JOURNAL", .file)],
        options: [.output],
        details: [
            """
            Writes the records of several journals in the order of their times, of several processes for example. \
            Commits are numbered anew, and causes follow. A store whose name is taken gets another one ('cart_2'). \
            Segments of one run, recognised by their 'id' and 'after', are put together again; where they overlap they have \
            to say the same, or nothing is merged.
            """
        ],
        examples: [
            .init(
                line: "state-inspect merge samples/checkout.jsonl samples/checkout-good.jsonl",
                purpose: "two runs in one journal")
        ],
        isAnswer: false)

    private let paths: [String]
    private let output: String?

    init(_ typed: TypedArguments) throws {
        paths = typed.operands
        output = JournalOutput.path(typed)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        try checkDistinct()
        let paths = JournalFiles.distinct(paths, standardInput: context.input)
        let journals = try paths.map { try JournalInput.sequential($0, in: context).journal }
        let output = try JournalOutput(output, of: paths, context)
        var merge = try JournalMerge(journals)
        let summary = try merge.write(to: output.sink)
        try output.finish()
        report(summary, context)
        return .done
    }

    /// A name that is typed twice is a mistake; two names of one file are what a kill may leave of a flight recorder.
    private func checkDistinct() throws(CommandFailure) {
        for (index, path) in paths.enumerated() where paths[..<index].contains(where: { UTF8Order.equal($0, path) }) {
            throw CommandFailure(
                .usage,
                code: "usage.given-twice", "'\(path)' is given twice", notes: ["a journal is merged with others"])
        }
    }

    private func report(_ summary: JournalMerge.Summary, _ context: CommandContext) {
        for (path, tail) in summary.torn { context.messages.reportOnce(tail.warning(path: path)) }
        if summary.apps.count > 1 {
            let names = summary.apps.map { $0.isEmpty ? "one that is not named" : "'\($0)'" }.joined(separator: ", ")
            context.messages.warn(
                code: "merge.different-apps", "the journals are of different apps: \(names)",
                notes: ["the merged journal names none"])
        }
        for (journal, old, new) in summary.renamed {
            context.messages.note("the store '\(old)' of '\(journal)' is called '\(new)'")
        }
        for path in summary.cut { context.messages.note("'\(path)' has no end: its run was cut, or goes on") }
    }
}
