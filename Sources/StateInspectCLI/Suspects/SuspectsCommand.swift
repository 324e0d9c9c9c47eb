import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// `suspects BAD…`: which places in the source are to blame for a run that went bad.
struct SuspectsCommand: Command {
    static let definition = CommandDefinition(
        name: .suspects, summary: "which lines are to blame for a bad run",
        synopsis: ["BAD... --bad QUERY [--good GOOD...] [OPTIONS]", "BAD... [--invariants FILE] [--good GOOD...]"],
        operands: [.repeated("BAD", .file)],
        options: [.bad, .goodRuns, .invariant, .invariants, .suspectsMaxCount, .sourceRoot] + .queryValues,
        details: [
            """
            Compares what was done before a symptom showed with what was done where it did not, and ranks the places in \
            the source by it. The symptom is the first position at which '--bad' is true or an invariant is violated; \
            without either, the first abort or mark of level error. Where there is none, it is what held through fifty \
            changes of the run and then broke first, and beside good runs the end of the run.
            """,
            """
            A run is cut into trials, from one commit with which the symptom can show to the next: the trial in which \
            it shows failed, those before it passed. So one bad run can be enough; good runs of the same program make the \
            answer surer. The score of a place is Ochiai's coefficient, from 0 to 1: the mean of the place's own and of its \
            surest sign's.
            """,
            """
            A score says where to look first, not what is wrong. Where nothing stands out that is said, and the status \
            is 1.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect suspects samples/checkout.jsonl --bad '.cart.total < 0' "
                    + "--good samples/checkout-good.jsonl",
                purpose: "which lines the bad run executed and a good one did not"),
            .init(
                line: "state-inspect suspects samples/checkout.jsonl --invariants samples/invariants.jq "
                    + "--good samples/checkout-good.jsonl",
                purpose: "the same, where several rules say what is bad"),
        ])

    private let bad: [String]
    private let good: [String]
    private let questions: [SuspectRuns.Question]
    private let limit: Int?
    private let report: ReportFormat?
    private let arguments: TypedArguments

    init(_ typed: TypedArguments) throws {
        let (bad, good) = (try JournalFiles.named(typed.operands), try JournalFiles.named(typed.all(.goodRuns)))
        if let both = bad.first(where: { path in good.contains { UTF8Order.equal($0, path) } }) {
            throw UsageError.value(.goodRuns, both, expected: "a good run: it is named as a bad one too")
        }
        (self.bad, self.good) = (bad, good)
        questions = try Self.questions(typed)
        limit = try typed.number(.maxCount, atLeast: 0)
        report = try ReportFormat.chosen(by: typed)
        arguments = typed
    }

    private static func questions(_ typed: TypedArguments) throws -> [SuspectRuns.Question] {
        let invariants = [Option.invariant, .invariants].filter(typed.has)
        guard let text = typed.value(.bad) else {
            return invariants.isEmpty
                ? []
                : try InvariantDefinitions(typed).invariants.map { invariant in
                    SuspectRuns.Question(
                        symptom: Symptom.Question(invariant), condition: ScopedQuery(condition: invariant.query),
                        isBad: false)
                }
        }
        if let other = invariants.first { throw UsageError.exclusive([.bad, other]) }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw UsageError.value(.bad, text, expected: "a query, such as '.cart.total < 0'")
        }
        let query = try ScopedQuery(text, name: Option.bad.typed, scope: try StoreScope(typed), asks: .condition)
        return [.init(symptom: Symptom.Question(bad: query.whole, named: text), condition: query, isBad: true)]
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let root = try SourceRoot(arguments, context.messages)
        var runs = SuspectRuns(questions, hasGood: !good.isEmpty, context)
        for path in bad { try runs.look(for: path) }
        let found = try runs.search(good)
        let count = bad.count + good.count
        context.searched = { "to suspect in " + count.counted("run") }
        try write(found, runs, root, context)
        runs.noteOutcome(found)
        return runs.status(of: found)
    }

    /// So many are printed unless '-n' says otherwise: a rank below them is no better than chance.
    private static let most = (human: 3, json: 10)

    private func write(
        _ found: Suspects, _ runs: SuspectRuns, _ root: SourceRoot?, _ context: CommandContext
    ) throws {
        let limit = limit ?? (context.format == .human ? Self.most.human : Self.most.json)
        let shown = found.isAbstaining ? [] : Array(found.ranking.prefix(limit))
        if report?.isDocument != true {
            switch context.format {
            case .json:
                for (index, suspect) in shown.enumerated() {
                    try context.writeJSON(suspect.answer(rank: index + 1, try runs.record(of: suspect), runs), nil)
                }
                try context.writeJSON(found.answer(runs), nil)
            case .human:
                let story = SuspectsStory(found, shown, runs, context)
                for line in try story.lines() { try context.writeText(line) }
            }
        }
        guard var document = context.report?.report(context, root) else { return }
        try document.begin([
            FindingRule(id: "suspect", summary: "commits here are suspected of a symptom", description: runs.question)
        ])
        for (path, findings) in try runs.findings(shown) {
            try document.write(FindingsOfJournal(path: path, findings: findings))
        }
        try document.finish(runs.status(of: found), nil)
    }
}

extension Option {
    static let goodRuns = Option(
        "good", argument: "GOOD...", completion: .file, isRepeatable: true, takesSeveral: true,
        "runs of the same program in which the symptom does not show",
        details: "Takes every file up to the next option. Of a folder, its journals are taken.")
    static let suspectsMaxCount = Option(
        "max-count", short: "n", argument: "K", "so many suspects; 3 unless given, in JSON 10")
}
