import CommandLine
import Diagnostics
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

struct MinimizeCommand: Command {
    static let definition = CommandDefinition(
        name: .minimize, summary: "the fewest commits that still end bad",
        synopsis: ["JOURNAL --bad QUERY [-o FILE]"], operands: [.required("JOURNAL", .file)],
        options: [.bad, .minimizeWithEffects, .output] + .queryValues,
        details: [
            """
            Leaves out commits as long as the last state is bad, and writes the journal of those that are left: \
            none of them can be left out. Which they are is reported on standard error. A patch that no longer \
            applies without others is left out with them.
            """,
            """
            With '--with-effects' a commit is left out only with all that it caused: what is kept has its causes, and \
            reads as 'why' does.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect minimize samples/checkout.jsonl --bad '.cart.total < 0'",
                purpose: "what it takes to make the total negative")
        ],
        isAnswer: false)

    private let path: String
    private let query: ScopedQuery
    private let output: String?
    private let keepsCauses: Bool

    private static let mostNamed = 20

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        guard let bad = typed.value(.bad) else { throw UsageError.needsOne(.minimize, [.bad]) }
        query = try ScopedQuery(bad, name: "--bad", scope: try StoreScope(typed), asks: .condition)
        output = JournalOutput.path(typed)
        keepsCauses = typed.has(.withEffects)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.whole(path, in: context)
        let output = try JournalOutput(output, of: [path], context)
        let progress = context.progress
        let scope = StoreScope(store: nil)
        try QueryWarnings(input.journal, try input.journal.range(RangeText()), scope).check(query, context.messages)
        let causes = keepsCauses ? try CommitCauses(of: input.journal) : nil
        let answer = try Minimizer(input.journal, bad: query.whole, causes: causes) { tested, left in
            progress.report("\(left) commits left, \(tested) sets tried")
        }.answer()
        input.report(answer.torn)
        guard let kept = answer.kept else {
            if let failure = answer.failure {
                context.messages.report(failure.diagnostic(of: query, at: try input.journal.lastCommit))
                return .inconclusive
            }
            context.messages.note("the run does not end bad: there is nothing to minimize")
            return .negative
        }
        var minimal = MinimalJournal(input.journal, keeping: kept, from: answer.from)
        try minimal.write(to: output.sink)
        try output.finish()
        for warning in AbsentPaths(of: query, isBad: true, in: answer.end, scope).warnings {
            context.messages.report(warning)
        }
        report(answer, kept, context)
        return .done
    }

    private func report(_ answer: Minimizer.Answer, _ kept: [CommitNumber], _ context: CommandContext) {
        if answer.from > .zero, answer.commits < answer.from.rawValue {
            context.messages.note("it begins at commit \(answer.from): what came before cannot be left out in part")
        }
        let names = kept.prefix(Self.mostNamed).map { "\($0)" }.joined(separator: ", ")
        let more = kept.count > Self.mostNamed ? ", …" : ""
        let list = kept.isEmpty ? "it is bad without any" : names + more
        let causes = answer.causes.prefix(Self.mostNamed).map { "\($0)" }.joined(separator: ", ")
        let added = causes.isEmpty ? "" : "; for their effects: \(causes)"
        context.messages.note(
            "\(kept.count) of \(answer.commits) commits are enough: \(list) (\(answer.tested) sets tried)\(added)")
    }
}
