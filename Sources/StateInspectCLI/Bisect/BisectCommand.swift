import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage
import TimeTravel

/// `bisect J`: finds the commit that made the state bad.
struct BisectCommand: Command {
    static let definition = CommandDefinition(
        name: .bisect, summary: "find the commit that made the state bad",
        synopsis: [
            "JOURNAL --bad QUERY [OPTIONS]", "JOURNAL --good QUERY [OPTIONS]", "JOURNAL [OPTIONS] --run CMD...",
        ],
        operands: [.required("JOURNAL", .file)],
        options: [
            .bad, .good, .run, .from, .to, .monotone, .log, .resume, .skip, .sourceRoot, .store, .path, .recover,
        ],
        details: [
            """
            Finds the first commit after which the state is bad, with the source line that made it. One pass sees \
            every change between good and bad, so a history that goes bad twice is told as such.
            """,
            """
            With '--run' a program is the judge and the search goes by halves; both ends are tested first.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect bisect samples/checkout.jsonl --bad '.cart.total < 0'",
                purpose: "which line made the total negative"),
            .init(
                line: "state-inspect bisect samples/checkout.jsonl --run jq -e '.cart.total >= 0'",
                purpose: "the same, with jq as the judge"),
        ])

    /// Who says what is bad.
    private enum Judge {
        case bad(ScopedQuery)
        case good(ScopedQuery)
        case program([String], log: String?, resume: String?)
    }

    private let path: String
    private let judge: Judge
    private let range: RangeText
    private let scope: StoreScope
    private let options: BisectOptions
    private let isMonotone: Bool
    private let arguments: TypedArguments

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        scope = StoreScope(typed)
        judge = try Self.judge(typed, scope)
        range = RangeText(
            from: try typed.value(.from).map { try PositionText(parsing: $0) },
            to: try typed.value(.to).map { try PositionText(parsing: $0) })
        options = try Self.options(typed, scope)
        isMonotone = typed.has(.monotone)
        arguments = typed
    }

    private static func judge(_ typed: TypedArguments, _ scope: StoreScope) throws -> Judge {
        let judges: [OptionName] = [.bad, .good, .run]
        let given = judges.filter(typed.has)
        guard let judge = given.first else { throw UsageError.needsOne(.bisect, judges) }
        guard given.count == 1 else { throw UsageError.exclusive(given) }
        for option in [OptionName.log, .resume] where judge != .run && typed.has(option) {
            throw UsageError.exclusive([judge, option])
        }
        switch judge {
        case .bad: return .bad(try ScopedQuery(typed.value(.bad) ?? "", name: "--bad", scope: scope))
        case .good: return .good(try ScopedQuery(typed.value(.good) ?? "", name: "--good", scope: scope))
        default: return .program(typed.rest, log: typed.value(.log), resume: typed.value(.resume))
        }
    }

    private static func options(_ typed: TypedArguments, _ scope: StoreScope) throws -> BisectOptions {
        var options = BisectOptions()
        if let list = typed.value(.skip) { options.skip = try CommitList(parsing: list) }
        options.recover = typed.has(.recover)
        let patterns = try scope.patterns(typed, .path)
        guard let pattern = patterns.last else { return options }
        guard let pointer = pattern.pointer, patterns.count == 1 else {
            throw UsageError.value(
                .path, pattern.text, expected: "one path without '*', which is all that 'bisect' takes")
        }
        options.path = pointer
        return options
    }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let range = try input.range(self.range)
        try StoreNames(input.journal, at: range.upper).check(scope)
        let answer = try search(input, range, context)
        let report = BisectReport(answer, input.journal, range, scope, query: query)
        try write(report, answer, input.journal, context)
        report.warn(context.messages)
        return report.status
    }

    /// Writes the answer, or the document that another tool wants of it.
    private func write(
        _ report: BisectReport, _ answer: BisectAnswer, _ journal: Journal, _ context: CommandContext
    ) throws {
        let root = try SourceRoot(arguments, context.messages)
        if context.report == .sarif {
            var document = SarifDocument(context.output, root)
            try document.begin([
                .init(id: BisectFinding.rule, summary: "a commit turned the state bad", description: question)
            ])
            if let finding = try finding(report, answer, journal) {
                try document.add(finding.finding.json(SarifPlace(root: root)))
            }
            _ = try document.finish(report.status, isSuccessful: true)
            return
        }
        switch context.format {
        case .json:
            try context.output.writeLine(try report.answer().line)
        case .human:
            let story = BisectStory(try report.facts(path), style: context.style, width: context.terminal.width)
            for line in story.lines { try context.output.writeLine(line) }
        }
        if context.report == .github, let finding = try finding(report, answer, journal) {
            var annotations = Annotations(context.messages, root)
            finding.annotate(&annotations)
            annotations.finish()
        }
    }

    private func finding(_ report: BisectReport, _ answer: BisectAnswer, _ journal: Journal) throws -> BisectFinding? {
        var history: [CheckedJournal.HistoryStep] = []
        if let query, let author = answer.firstBad {
            history = try HistorySteps(journal, reading: query.query.footprint.paths).through(author.seq, by: author)
        }
        return try BisectFinding(answer, try report.facts(path), question: question, history: history)
    }

    /// What bad is, in words.
    private var question: String {
        switch judge {
        case .bad(let query): query.typed.text
        case .good(let query): "not (\(query.typed.text))"
        case .program(let arguments, _, _): "the status of " + ShellQuoting.line(arguments)
        }
    }

    private var query: BisectReport.Question? {
        switch judge {
        case .bad(let query): .init(query: query, isBad: true)
        case .good(let query): .init(query: query, isBad: false)
        case .program: nil
        }
    }

    private func search(
        _ input: JournalInput, _ range: PositionRange, _ context: CommandContext
    ) throws -> BisectAnswer {
        switch judge {
        case .program(let arguments, let log, let resume):
            let program = try BisectProgram(arguments, scope: scope, context: context)
            let id = try input.journal.headerRecord.object()["id"]?.string ?? ""
            var steps = try BisectLog(log: log, resume: resume, id: id)
            return try program.search(input.journal, range, options, &steps)
        case .bad(let query), .good(let query):
            try StoreNames(input.journal, at: range.upper).warn(of: query, context.messages)
            return try search(input, range, query, context)
        }
    }

    private func search(
        _ input: JournalInput, _ range: PositionRange, _ query: ScopedQuery, _ context: CommandContext
    ) throws -> BisectAnswer {
        let condition: Condition
        if case .good = judge {
            condition = Condition(good: query.whole)
        } else {
            condition = Condition(bad: query.whole)
        }
        if isMonotone {
            if query.footprint.usesOld || query.footprint.usesCommit { throw Self.refused(query) }
            return try search(input.journal, range, condition)
        }
        let progress = input.progress("bisecting")
        defer { progress.finish() }
        var options = options
        options.progress = { commits, bytes in progress.update(bytes: bytes, commits: commits) }
        return try FlipScan.run(input.journal, range, condition, options: options)
    }

    /// Searches by halves, with the query as the judge.
    private func search(
        _ journal: Journal, _ range: PositionRange, _ condition: Condition
    ) throws -> BisectAnswer {
        do throws(SearchError<Never>) {
            return try MonotoneSearch<Never>.run(
                journal, range, reading: condition.query.footprint.paths, options: options
            ) { (candidate) throws(Never) in
                let verdict = condition.verdict(
                    on: candidate.state, context: QueryContext(seq: candidate.position.rawValue))
                return verdict.isBad.map { $0 ? .bad : .good } ?? .skip
            }
        } catch {
            switch error {
            case .journal(let error): throw error
            }
        }
    }

    private static func refused(_ query: ScopedQuery) -> CommandFailure {
        CommandFailure(
            .usage,
            Diagnostic(
                code: "bisect.monotone-context", "'--monotone' cannot ask about the commit or '$old'",
                notes: ["'\(query.typed.text)' does, and a search by halves sees states only"],
                help: ["leave out '--monotone'"]))
    }
}
