package import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// What a report asks of each run: whether invariants hold, and where the state turned bad.
package struct ReportQuestions {
    /// The query that says what bad is.
    private struct Judge {
        let query: ScopedQuery
        let isBad: Bool

        /// What bad is, in words.
        var text: String { isBad ? query.typed.text : "not (\(query.typed.text))" }
    }

    let definitions: InvariantDefinitions?
    private let judge: Judge?
    private let recovers: Bool
    private let arguments: TypedArguments

    /// The questions that were typed.
    package init(_ typed: TypedArguments) throws {
        definitions = typed.has(.invariant) || typed.has(.invariants) ? try InvariantDefinitions(typed) : nil
        judge = try Self.judge(typed)
        recovers = typed.has(.recover)
        arguments = typed
    }

    private static func judge(_ typed: TypedArguments) throws -> Judge? {
        let given = [Option.bad, .good].filter(typed.has)
        guard given.count <= 1 else { throw UsageError.exclusive(given) }
        guard let option = given.first, let text = typed.value(option) else { return nil }
        let scope = try StoreScope(typed)
        let query = try ScopedQuery(text, name: option.typed, scope: scope, asks: .condition)
        return Judge(query: query, isBad: option == .bad)
    }

    /// The answers about a run, and what `check` says of it.
    ///
    /// - Parameters:
    ///   - copy: what may be shown of the run, where that is not all of it; the answers are those of the run itself.
    func answers(
        about input: JournalInput, _ range: PositionRange, shown copy: RedactedCopy?, in context: CommandContext
    ) throws -> (findings: [Finding], checked: CheckedJournal?) {
        let bisected = try judge.map { try [finding($0, input.journal, range, copy, context)] } ?? []
        guard let definitions else { return (bisected, nil) }
        let check = JournalCheck(definitions, context, recovers: recovers, range: RangeText(range))
        var checked = check.run(input.journal)
        for message in checked.allMessages { context.messages.reportOnce(message) }
        for diagnostic in checked.problem?.diagnostics ?? [] { context.messages.report(diagnostic) }
        if let problem = checked.problem {
            throw CommandFailure(
                problem.status, problem.diagnostics.first ?? Diagnostic(code: "report.check", "the journal is damaged"))
        }
        if let copy { checked = try copy.redacted(checked) }
        return (bisected + checked.findings(definitions, StoreScope(store: nil, recovers: recovers)), checked)
    }

    /// Where the run turned bad.
    private func finding(
        _ judge: Judge, _ journal: Journal, _ range: PositionRange, _ copy: RedactedCopy?, _ context: CommandContext
    ) throws -> Finding {
        let scope = StoreScope(store: nil, recovers: recovers)
        try QueryWarnings(journal, range, scope).check(judge.query, context.messages)
        let condition = judge.isBad ? Condition(bad: judge.query.whole) : Condition(good: judge.query.whole)
        var options = BisectOptions()
        options.recover = recovers
        let answer = try BisectAnswer(journal, range, condition, options: options)
        let question = BisectReport.AskedQuery(query: judge.query, isBad: judge.isBad)
        BisectReport(answer, journal, range, scope, query: question).warn(context.messages)
        let shown = try copy?.redacted(answer) ?? answer
        let facts = try BisectReport(shown, copy?.journal ?? journal, range, scope, query: nil)
            .facts(journal.path, context.messages)
        return facts.finding(of: judge.text, isConclusive: answer.isConclusive)
    }
}

extension RangeText {
    /// A range that is known, as it is typed.
    fileprivate init(_ range: PositionRange) {
        self.init(from: .commit(range.lower.rawValue), to: .commit(range.upper.rawValue))
    }
}
