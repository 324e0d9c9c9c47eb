import CommandLine
import Diagnostics
import JournalFormat
import JournalReading
import Platform
import TimeTravel

struct CheckCommand: Command {
    static let definition = CommandDefinition(
        name: .check, summary: "check invariants at every position",
        synopsis: ["JOURNAL... QUERY... [OPTIONS]", "JOURNAL... --invariants FILE [OPTIONS]"],
        operands: [.repeated("JOURNAL", .file)],
        options: [.invariant, .invariants, .counts, .jobs, .sourceRoot, .recover, .checkFollow, .cite]
            + .queryValues,
        details: [
            """
            Holds every invariant against every position of each journal, all in one pass, and reports for each that \
            is violated the record that began it, for how long it was, and how often. An invariant holds where its \
            query has an output and none is false or null. Positions that were lost in a gap or in damage, or at \
            which it cannot be evaluated, are counted apart.
            """,
            """
            The status is 0 where every invariant held, 1 where one is violated, 3 where a journal could not be \
            read (the others are checked all the same), and otherwise 5 where positions have no answer.
            """,
            """
            With '--counts' it says of each invariant how often it was violated, first and last, and how often which line \
            of the source began that.
            """,
            """
            With '--follow', and of a pipe, it reports a violation as soon as its record is there, and at the end record, or at \
            Ctrl-C, what became of every invariant. What caused a commit and what fired is not reported then.
            """,
            """
            '--format github' also annotates the source lines in a GitHub workflow, 'sarif' is a document for code \
            scanning, 'junit' one for test reports, 'markdown' one for a job's summary.
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
        ],
        answers: [
            CheckLines.violated.definition, CheckLines.violation.definition, CheckLines.holds.definition,
            CheckLines.failure.definition, CheckSummary.answer.definition,
        ])

    /// The most journals that are checked at a time: each takes a thread.
    static let mostJobs = 256

    private let paths: [String]
    private let definitions: InvariantDefinitions
    private let jobs: Int
    private let recovers: Bool
    private let isFollowing: Bool
    private let counts: Bool
    private let report: ReportFormat?
    private let arguments: TypedArguments

    init(_ typed: TypedArguments) throws {
        paths = try JournalFiles.named(typed.operands)
        report = try ReportFormat.chosen(by: typed)
        jobs = try typed.number(.jobs, atLeast: 1) ?? 1
        definitions = try InvariantDefinitions(typed)
        recovers = typed.has(.recover)
        isFollowing = typed.has(.follow)
        counts = typed.has(.counts)
        if isFollowing, counts { throw UsageError.exclusive([.follow, .counts]) }
        if counts, let report, report != .human, report != .json {
            throw UsageError.value(.format, report.rawValue, expected: "'human' or 'json' with '--counts'")
        }
        arguments = typed
        if isFollowing, paths.count > 1 {
            throw UsageError.value(.follow, paths[1], expected: "one journal: several cannot be followed at once")
        }
        if isFollowing, let report, report.isDocument {
            throw UsageError.value(.format, report.rawValue, expected: "'human', 'json' or 'github' with '--follow'")
        }
    }

    var isPaged: Bool { !isWatching }

    /// Violations are reported as they come, also of a pipe, but not in a document, which is written at the end.
    private var isWatching: Bool {
        isFollowing || (paths == ["-"] && report?.isDocument != true && !counts)
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let scope = StoreScope(store: nil, recovers: recovers)
        let root = try SourceRoot(arguments, context.messages)
        let answer = report?.isDocument == true ? nil : answer(context)
        var reports = [answer, report?.report(context, root)].compactMap(\.self)
        var summary = CheckSummary()
        let check = JournalCheck(
            definitions, context, recovers: recovers, keepsHistory: context.report == .sarif,
            isOneOfMany: paths.count > 1 && jobs > 1, countsPlaces: counts)
        func take(_ checked: CheckedJournal) throws {
            report(checked, context)
            summary.add(checked)
            let found = checked.findings(definitions, scope)
            for index in reports.indices { try reports[index].write(found) }
        }
        for index in reports.indices { try reports[index].begin(definitions.rules) }
        if isWatching {
            try take(
                watch(check, context) { event in
                    for index in reports.indices { try reports[index].write(event) }
                })
        } else {
            if paths.count > 1 { context.progress.expect(JournalFiles.byteCount(of: paths)) }
            try ParallelMap.run(paths, threads: min(jobs, Self.mostJobs)) { (path: String) -> CheckedJournal in
                check.run(path)
            } each: { (checked: CheckedJournal) in
                try take(checked)
            }
        }
        for index in reports.indices { try reports[index].finish(summary.worst.exit, summary) }
        return summary.worst.exit
    }

    /// Checks a journal as it is written; a file that is neither a pipe nor followed is checked like any other.
    private func watch(
        _ check: JournalCheck, _ context: CommandContext, _ write: (CheckedJournal.Event) throws -> Void
    ) throws -> CheckedJournal {
        let stop = StopRequest()
        let journal = try context.journals.follow(paths[0], awaitsFile: isFollowing, until: stop)
        guard !journal.isSeekable else { return check.run(journal) }
        SignalHandling.interruptOnce(stop)
        var checked = try check.watch(journal, context.messages) { event in
            try write(event)
            try context.output.flush()
        }
        checked.isReported = true
        return checked
    }

    private func answer(_ context: CommandContext) -> any FindingReport {
        switch context.format {
        case .human where counts: CheckCounts(context, hasSeveral: paths.count > 1)
        case .human: CheckText(context, hasSeveral: paths.count > 1, arguments)
        case .json: CheckLines(context: context)
        }
    }

    private func report(_ checked: CheckedJournal, _ context: CommandContext) {
        let isStory = context.format == .human && report?.isDocument != true && !counts
        for message in isStory ? checked.messages : checked.allMessages { context.messages.reportOnce(message) }
        for diagnostic in checked.problem?.diagnostics ?? [] { context.messages.report(diagnostic) }
    }
}
