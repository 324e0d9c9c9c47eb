import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import QueryLanguage
import TimeTravel

struct BisectCommand: Command {
    static let definition = CommandDefinition(
        name: .bisect, summary: "find the commit that made the state bad",
        synopsis: [
            "JOURNAL QUERY [OPTIONS]", "JOURNAL --bad QUERY [OPTIONS]", "JOURNAL --good QUERY [OPTIONS]",
            "JOURNAL [OPTIONS] --run CMD...",
            "JOURNAL [--interactive] [OPTIONS]",
        ],
        operands: [.required("JOURNAL", .file)],
        options: [
            .bad, .good, .run, .from, .interactive, .to, .monotone, .log, .resume, .skip, .sourceRoot, .store, .path,
            .recover, .cite,
        ] + .queryValues,
        details: [
            """
            Finds the first commit after which the state is bad, with the source line that made it. One pass sees \
            every change between good and bad, so a history that goes bad twice is reported as such.
            """,
            """
            With '--run' a program is the judge and the search goes by halves; both ends are tested first. So it does \
            with '--interactive', or on a terminal where none of these options is given: you are shown one commit \
            after another and answer 'good', 'bad' or 'skip'.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect bisect samples/checkout.jsonl --bad '.cart.total < 0'",
                purpose: "which line made the total negative"),
            .init(
                line: "state-inspect bisect samples/checkout.jsonl --run jq -e '.cart.total >= 0'",
                purpose: "the same, with jq as the judge"),
        ],
        answers: [BisectReport.answer.definition, BisectLog.heading.definition, BisectLog.step.definition])

    private enum Judge {
        case query(BisectReport.AskedQuery)
        case program([String])
        case person
    }

    private let path: String
    private let judge: Judge
    private let range: RangeText
    private let scope: StoreScope
    private let options: BisectOptions
    private let paths: [PathPattern]
    private let isMonotone: Bool
    private let arguments: TypedArguments

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        scope = try StoreScope(typed)
        judge = try Self.judge(typed, scope)
        range = RangeText(
            from: try typed.value(.from).map { try PositionText(parsing: $0) },
            to: try typed.value(.to).map { try PositionText(parsing: $0) })
        paths = try scope.patterns(typed, .path)
        options = try Self.options(typed, paths)
        isMonotone = typed.has(.monotone)
        arguments = typed
    }

    private static func judge(_ typed: TypedArguments, _ scope: StoreScope) throws -> Judge {
        let judges: [Option] = [.bad, .good, .run, .interactive]
        let given = judges.filter(typed.has)
        guard given.count <= 1 else { throw UsageError.exclusive(given) }
        for option in [Option.log, .resume] where typed.has(option) {
            if let query = given.first(where: { $0 == .bad || $0 == .good }) {
                throw UsageError.exclusive([query, option])
            }
        }
        switch given.first {
        case .bad?, .good?: return .query(try BisectReport.AskedQuery(typed, given[0], scope))
        case .run?: return .program(typed.rest)
        default:
            let journal = typed.operands[0]
            guard !JournalFiles.isStandardInput(journal) else {
                throw UsageError.operand("JOURNAL", journal, expected: "a file: answers are read from standard input")
            }
            return .person
        }
    }

    private static func options(_ typed: TypedArguments, _ paths: [PathPattern]) throws -> BisectOptions {
        var options = BisectOptions()
        if let list = typed.value(.skip) { options.skip = try CommitList(parsing: list) }
        options.recover = typed.has(.recover)
        options.paths = PathMatcher(paths.map(\.steps))
        return options
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        if case .person = judge, !arguments.has(.interactive), !TerminalDevice.isTerminal(context.input) {
            throw UsageError.needsOne(.bisect, [.bad, .good, .run, .interactive])
        }
        let root = try SourceRoot(arguments, context.messages)
        let input = try JournalInput.random(path, recovers: scope.recovers, in: context)
        let range = try input.range(self.range)
        try scope.checkStore(in: input.journal, near: range.upper)
        try checkSkipped(in: range)
        try checkPathsAreThere(in: input.journal, range)
        let answer = try search(input, range, context)
        let report = BisectReport(answer, input.journal, range, scope, query: query)
        try write(report, answer, root, context)
        report.warn(context.messages)
        return report.status
    }

    /// - Complexity: a seek where they are there at the end, else a pass over the journal.
    private func checkPathsAreThere(in journal: Journal, _ range: PositionRange) throws {
        guard !paths.isEmpty else { return }
        let there = try journal.state(at: range.upper, pruning: options.paths.paths).value
        let absent = paths.filter { $0.matches(in: there).isEmpty }
        var things = absent.map { NamedThing.path($0, scope) }
        guard !things.isEmpty,
            try NamedThing.look(for: &things, in: journal, touching: options.paths.paths)
        else { return }
        guard let index = things.firstIndex(where: { !$0.isMet }) else { return }
        let state = try journal.state(at: range.upper).value
        throw things[index].absence(in: journal.path, help: NearestPath.help(for: absent[index], in: state, scope))
    }

    /// Refuses to skip what is not asked about anyway: the number was meant otherwise.
    private func checkSkipped(in range: PositionRange) throws(CommandFailure) {
        guard let part = options.skip.part(outside: range) else { return }
        let shown = part.count == 1 ? "\(part.lowerBound)" : "\(part.lowerBound)..\(part.upperBound)"
        throw CommandFailure(
            .notThere, code: "bisect.skip-outside", "'\(shown)' of '--skip' is outside of the range",
            notes: ["positions \(range.lower) to \(range.upper) are searched"])
    }

    private func write(
        _ report: BisectReport, _ answer: BisectAnswer, _ root: SourceRoot?, _ context: CommandContext
    ) throws {
        if context.report?.isDocument != true {
            let citation = try context.cite(report.cited, reading: query?.query, of: report.journal)
            switch context.format {
            case .json:
                let (first, flip) = (
                    try answer.firstBad.map { try Record($0) }, try answer.lastFlip.map { try Record($0) }
                )
                try context.writeJSON(BisectReport.answer((answer, first, flip)), citation)
            case .human:
                try context.write(report.finding(path, of: question, context.messages).lines(CommitStory(context)))
            }
        }
        let rule = FindingRule(id: "bisect", summary: "a commit turned the state bad", description: question)
        try context.writeReport(rule, root, report.status) {
            var finding = try report.finding(path, of: question, context.messages)
            if context.report == .sarif, let query, let author = answer.firstBad {
                finding.result?.history = Finding.HistoryStep.last(
                    through: author.seq, by: author, reading: query.query.footprint.paths, in: report.journal)
            }
            return [FindingsOfJournal(path: path, findings: [finding])]
        }
    }

    private var question: String {
        switch judge {
        case .query(let asked): asked.text
        case .program(let arguments): "the status of " + ShellQuoting.line(arguments)
        case .person: "what you said"
        }
    }

    private var query: BisectReport.AskedQuery? {
        if case .query(let asked) = judge { asked } else { nil }
    }

    private func search(
        _ input: JournalInput, _ range: PositionRange, _ context: CommandContext
    ) throws -> BisectAnswer {
        switch judge {
        case .program(let arguments):
            let program = try BisectProgram(arguments, on: path, scope: scope, context: context)
            return try program.search(input.journal, range, options, log(input, context))
        case .person:
            let dialogue = BisectDialogue(scope: scope, lastCommit: try input.journal.lastCommit, context: context)
            return try dialogue.search(input.journal, range, options, log(input, context))
        case .query(let asked):
            try QueryWarnings(input.journal, range, scope).check(asked.query, context.messages)
            guard isMonotone else {
                return try BisectAnswer(input.journal, range, asked.condition, options: options)
            }
            let footprint = asked.query.footprint
            if footprint.usesOld || footprint.usesCommit { throw Self.refused(asked.query) }
            return try search(input.journal, range, asked.condition)
        }
    }

    private func log(_ input: JournalInput, _ context: CommandContext) throws -> BisectLog {
        try BisectLog(
            log: arguments.value(.log), resume: arguments.value(.resume),
            id: try input.journal.headerRecord.object()["id"]?.string ?? ""
        ) { FileSystem.isSame($0, path, standardInput: context.input) }
    }

    private func search(
        _ journal: Journal, _ range: PositionRange, _ condition: Condition
    ) throws -> BisectAnswer {
        var failed = Unanswered()
        var answer = try MonotoneSearch.run(
            journal, range, reading: condition.query.footprint.paths, options: options
        ) { candidate in
            let verdict = condition.verdict(
                on: candidate.state, context: QueryContext(seq: candidate.position.rawValue))
            if let error = verdict.error { failed.fail(error, at: candidate.position) }
            return verdict.isBad.map { $0 ? .bad : .good } ?? .skip
        }
        answer.unanswered.add(failed)
        return answer
    }

    private static func refused(_ query: ScopedQuery) -> CommandFailure {
        CommandFailure(
            .usage, code: "bisect.monotone-context", "'--monotone' cannot ask about the commit or '$old'",
            notes: ["'\(query.typed.text)' does, and a search by halves sees states only"],
            help: ["leave out '--monotone'"])
    }
}
