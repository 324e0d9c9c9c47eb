import Diagnostics
import JournalFormat
import TimeTravel

/// `check J…`: holds invariants against every position of each journal.
struct CheckCommand: Command {
    static let definition = CommandDefinition(
        name: .check, summary: "hold invariants against every position",
        synopsis: ["JOURNAL... --invariant NAME=QUERY [OPTIONS]", "JOURNAL... --invariants FILE [OPTIONS]"],
        operands: [.repeated("JOURNAL", .file)],
        options: [.invariant, .invariants, .jobs, .sourceRoot, .recover] + .queryValues,
        details: [
            """
            Holds every invariant against every position of each journal, all in one pass, and tells of each that \
            is violated the record that began it, for how long it was, and how often. An invariant holds where its \
            query has an output and none is false or null. Positions that were lost in a gap or in damage, or at \
            which it cannot be evaluated, are counted apart.
            """,
            """
            The status is 0 where every invariant held, 1 where one is violated, 3 where a journal could not be \
            read (the others are checked all the same), and otherwise 5 where positions have no answer.
            """,
            """
            '--format github' also annotates the source lines in a GitHub workflow, 'sarif' is a document for code \
            scanning, 'junit' one for test reports.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect check samples/checkout-good.jsonl --invariants samples/invariants.jq",
                purpose: "does what must always hold, hold"),
            .init(
                line:
                    "state-inspect check samples/checkout-good.jsonl --invariant 'total=.cart.total >= 0' --jobs 2",
                purpose: "the same of one invariant, which is typed"),
        ])

    /// The most journals that are checked at a time: each takes a thread.
    static let mostJobs = 256

    private let paths: [String]
    private let definitions: InvariantDefinitions
    private let jobs: Int
    private let recovers: Bool
    private let arguments: TypedArguments

    init(_ typed: TypedArguments) throws {
        paths = try JournalFiles.named(typed.operands)
        _ = try ReportFormat.chosen(by: typed)
        jobs = try typed.number(.jobs, atLeast: 1) ?? 1
        definitions = try InvariantDefinitions(typed)
        recovers = typed.has(.recover)
        arguments = typed
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        var printer = try printer(context)
        var summary = CheckSummary()
        let isAlone = paths.count == 1
        let check = JournalCheck(
            definitions: definitions, recovers: recovers, spoolLimit: JournalInput.spoolLimit(context.environment),
            keepsHistory: context.report == .sarif,
            isOneOfMany: !isAlone && jobs > 1)
        let progress = context.progress("checking", total: nil)
        defer { progress.finish() }
        var (bytes, commits) = (0, 0)
        try printer.begin()
        try OrderedLanes.run(paths, lanes: min(jobs, Self.mostJobs)) { (path: String) -> CheckedJournal in
            guard isAlone else { return check.run(path) }
            return check.run(path) { commits, bytes in progress.update(bytes: bytes, commits: commits) }
        } each: { (checked: CheckedJournal) in
            bytes += checked.bytes
            commits += checked.positions
            progress.update(bytes: bytes, commits: commits)
            tell(checked, context.messages)
            summary.add(checked)
            try printer.write(checked)
        }
        try printer.finish(summary)
        return summary.worst.exit
    }

    private func printer(_ context: CommandContext) throws -> any CheckPrinter {
        let root = try SourceRoot(arguments, context.messages)
        switch context.report {
        case .sarif: return CheckSarif(definitions, root, context)
        case .junit: return CheckJUnit(context.output)
        case .github: return CheckAnnotations(beside: answer(context), Annotations(context.messages, root))
        case .human, .json, nil: return answer(context)
        }
    }

    private func answer(_ context: CommandContext) -> any CheckPrinter {
        switch context.format {
        case .human: CheckStories(context, hasSeveral: paths.count > 1)
        case .json: CheckLines(context.output)
        }
    }

    private func tell(_ checked: CheckedJournal, _ messages: MessageWriter) {
        for message in checked.messages { messages.tellOnce(message) }
        for diagnostic in checked.problem?.diagnostics ?? [] { messages.tell(diagnostic) }
    }
}
