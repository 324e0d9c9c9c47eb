import CommandLine
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

struct ReplayCommand: JournalCommand {
    static let definition = CommandDefinition(
        name: .replay, summary: "the state after each commit", synopsis: ["JOURNAL [--select QUERY] [OPTIONS]"],
        operands: [.required("JOURNAL", .file)],
        options: [.select] + .filters
            + [
                .maxCount, .reverse, .recover, .changed, .replayFinal, .without, .withEffects, .only, .pace,
            ]
            + .queryValues,
        details: [
            """
            Prints a line for each commit with the state after it, or a query's first output there (no output: no \
            line). With '--without' and '--only' it reports what would have been without some commits.
            """
        ],
        examples: [
            .init(
                line: "state-inspect replay samples/checkout.jsonl --select .cart.total --changed",
                purpose: "each new value of the total")
        ],
        answers: [ReplayPrinter.answer.definition, Run.Conflict.answer.definition])

    private(set) var subject: JournalSubject
    private let select: ScopedQuery?
    private let rules: ReplayRules
    private let isReversed: Bool
    private let whatIf: WhatIfChoice?
    private var filter: CommitFilter { subject.filter }

    init(_ typed: TypedArguments) throws {
        subject = try JournalSubject(typed)
        let scope = subject.scope
        select = try typed.value(.select).map { try ScopedQuery($0, name: "--select", scope: scope) }
        rules = try ReplayRules(typed)
        // The last line is the same either way.
        isReversed = typed.has(.reverse) && !rules.isFinal
        whatIf = try WhatIfChoice(typed, scope)
        if whatIf != nil { subject.filterUse = .asked }
        subject.queries = [select, whatIf?.only].compactMap(\.self)
    }

    var isPaged: Bool { rules.pace == nil }

    func answer(_ asked: AskedJournal) throws -> Answered {
        try whatIf?.check(in: asked.journal)
        try whatIf?.followEffects(in: asked.journal, asked.messages)
        var printer = ReplayPrinter(rules, filter.scope, upTo: asked.range.upper, asked.context)
        let (unanswered, damages): (Unanswered, [JournalError])
        do {
            (unanswered, damages) = try play(asked.input, asked.range, try question(), &printer)
        } catch {
            // What stands before the damage is part of the answer.
            try printer.finish()
            throw error
        }
        try printer.finish()
        return Answered(
            whatIf?.reportFailures(asked.messages) ?? .done, damages: damages, unanswered: unanswered,
            lost: .commits("they have no line"),
            failed: select.map { ($0, "that position has no line", "positions without a line") })
    }

    private func question() throws -> ReplayQuestion {
        let query = try select ?? ScopedQuery(".", name: "--select", scope: filter.scope)
        var question = ReplayQuestion(query.whole)
        question.onlyChanges = rules.isChanged
        question.asksEnd = filter.passesByStore
        guard !filter.passesAll else { return question }
        let isOfOwnStates = whatIf == nil
        question.filter = { [filter] (commit, state, old) throws(JournalError) in
            try isOfOwnStates ? filter.passes(commit) : filter.passes(commit, making: state, of: old)
        }
        return question
    }

    private func play(
        _ input: JournalInput, _ range: PositionRange, _ question: ReplayQuestion, _ printer: inout ReplayPrinter
    ) throws -> (Unanswered, [JournalError]) {
        let choice = whatIf?.choice(usesOld: filter.mayAskOld)
        if rules.isFinal {
            let end = try ReplayEnd(input.journal, range, question, choice, recover: rules.recovers) {
                try printer.print($0)
            }
            if let line = end.line { try printer.print(line) }
            return (end.unanswered, end.damages)
        }
        if isReversed, choice == nil {
            let replay = try BackwardReplay(
                input.journal, range, question, recover: rules.recovers)
            while !printer.isFull, let line = try replay.next() { try printer.print(line) }
            return (replay.unanswered, replay.damages)
        }
        // In reverse all lines are made first, since what was left out is known from the front only.
        var kept: [(conflicts: [Run.Conflict], line: ReplayLine?)] = []
        func print(_ conflicts: [Run.Conflict], _ line: ReplayLine?) throws {
            if isReversed { return kept.append((conflicts, line)) }
            for conflict in conflicts where !printer.isFull { try printer.print(conflict) }
            if let line, !printer.isFull { try printer.print(line) }
        }
        let replay = try ForwardReplay(input.journal, range, question, choice, recover: rules.recovers)
        while isReversed || !printer.isFull, let line = try replay.next() { try print(replay.takeConflicts(), line) }
        try print(replay.takeConflicts(), nil)
        for (conflicts, line) in kept.reversed() {
            if let line, !printer.isFull { try printer.print(line) }
            for conflict in conflicts.reversed() where !printer.isFull { try printer.print(conflict) }
        }
        return (replay.unanswered, replay.damages)
    }
}
