import JSONCore
import JournalFormat
import QueryLanguage
import TimeTravel

/// `replay J`: the state after each commit.
struct ReplayCommand: Command {
    static let definition = CommandDefinition(
        name: .replay, summary: "the state after each commit", synopsis: ["JOURNAL [--select QUERY] [OPTIONS]"],
        operands: [.required("JOURNAL", .file)],
        options: .filters + [.select, .maxCount, .reverse, .recover, .changed, .final, .without, .only, .pace],
        details: [
            """
            Prints a line for each commit with the state after it, or a query's first output there (no output: no \
            line). With '--without' and '--only' it tells what would have been without some commits.
            """
        ],
        examples: [
            .init(
                line: "state-inspect replay samples/checkout.jsonl --select .cart.total --changed",
                purpose: "each new value of the total")
        ])

    private let path: String
    private let range: RangeText
    private let select: ScopedQuery?
    private let filter: CommitFilter
    private let rules: ReplayRules
    private let isReversed: Bool
    private let whatIf: WhatIfChoice?

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        range = try typed.value(.range).map { try RangeText(parsing: $0) } ?? RangeText()
        filter = try CommitFilter(typed)
        let scope = filter.scope
        select = try typed.value(.select).map { try ScopedQuery($0, name: "--select", scope: scope) }
        rules = try ReplayRules(typed)
        // The last line is the same either way.
        isReversed = typed.has(.reverse) && !rules.isFinal
        whatIf = try WhatIfChoice(typed, scope)
    }

    var isPaged: Bool { rules.pace == nil }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let range = try input.range(self.range)
        try whatIf?.check(in: input.journal)
        try StoreNames(input.journal).check(filter.scope, near: range.upper)
        let warnings = QueryWarnings(input.journal, range, filter.scope)
        for query in [select, whatIf?.only].compactMap(\.self) { warnings.tell(of: query, context.messages) }
        if whatIf == nil { try filter.follow(input.journal, range, recovers: rules.recovers, context.messages) }
        let question = ReplayQuestion(select, filter, isOfOwnStates: whatIf == nil)
        var printer = ReplayPrinter(rules, filter.scope, upTo: range.upper, context)
        for damage in try play(input, range, question, &printer) { context.messages.tell(damage.warning) }
        try printer.finish()
        let status = question.tellFailures(printer.failures, context.messages)
        return status.or(try filter.finish(input.journal, context.messages))
            .or(whatIf?.tellFailures(context.messages) ?? .done)
    }

    /// Prints the lines.
    ///
    /// - Returns: the damage that was jumped over.
    private func play(
        _ input: JournalInput, _ range: PositionRange, _ question: ReplayQuestion, _ printer: inout ReplayPrinter
    ) throws -> [JournalError] {
        if let whatIf {
            let choice = whatIf.choice(usesOld: question.usesOld || filter.asksStates)
            let replay = WhatIfReplay(choice, question, rules, isReversed: isReversed)
            return try replay.run(input.journal, range, &printer)
        }
        let backward = BackwardReplay(input.journal, range, question, recovers: rules.recovers)
        if rules.isFinal, !rules.isChanged, !rules.recovers, filter.passesAll, try backward.takeLast(&printer) {
            return []
        }
        let forward = ForwardReplay(input.journal, range, question, recovers: rules.recovers)
        guard isReversed else { return try forward.run(&printer, onlyChanges: rules.isChanged) }
        // Whether a value differs from the one before is known from the front only.
        let wanted = rules.isChanged ? try forward.changedPositions() : nil
        return try backward.run(&printer, only: wanted)
    }
}
