import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
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

struct ReplayRules: Sendable {
    /// Only where the value differs from the last.
    let isChanged: Bool
    /// Only the last line, also where there is no commit.
    let isFinal: Bool
    let limit: Int
    /// How many times as fast as it was; nil for as fast as can be.
    let pace: Double?
    let recovers: Bool

    init(_ typed: TypedArguments) throws(UsageError) {
        isChanged = typed.has(.changed)
        isFinal = typed.has(.final)
        limit = try typed.number(.maxCount, atLeast: 0) ?? .max
        pace = try Self.pace(typed)
        recovers = typed.has(.recover)
    }

    private static func pace(_ typed: TypedArguments) throws(UsageError) -> Double? {
        guard let text = typed.value(.pace) else { return nil }
        guard let pace = Double(text), pace > 0, pace.isFinite else {
            throw .value(.pace, text, expected: "a number greater than 0, such as '2' for twice as fast")
        }
        return pace
    }
}

struct ReplayPrinter {
    private static let valueWidth = 24

    private struct ShownState {
        let record: RecordSummary
        let value: JSONValue
    }

    private let rules: ReplayRules
    private let scope: StoreScope
    private let context: CommandContext
    private var columns: CommitLine
    /// The rows that are held back so that the columns fit them; none in real time.
    private var list: LineList<ShownState>
    private var waiting: [ShownState] = []
    private var printed = 0
    private var lastTime: Timestamp?

    init(_ rules: ReplayRules, _ scope: StoreScope, upTo last: CommitNumber, _ context: CommandContext) {
        (self.rules, self.scope, self.context) = (rules, scope, context)
        columns = CommitLine(width: context.terminal.width, rest: Self.valueWidth)
        columns.measure(RecordSummary(seq: last.rawValue, time: ""))
        list = LineList(ListOrder(), lookAhead: rules.pace == nil ? 64 : 1)
    }

    var isFull: Bool { !rules.isFinal && printed >= rules.limit }

    /// Prints a line that is not a state: a commit whose old value is not the one that it was made for.
    mutating func print(_ conflict: Run.Conflict) throws {
        try finish()
        let record = try Record(conflict.record)
        if let store = record.store, !scope.includes(store) { return }
        try context.write(
            Run.Conflict.answer((conflict, record, scope)),
            or: "\("\(conflict.record.seq)  ", .warning)\(conflict.text(scope))")
    }

    mutating func print(_ line: ReplayLine) throws {
        guard printed < rules.limit else { return }
        printed += 1
        let record = try line.record.map { try Record($0) }
        wait(for: record)
        if context.format == .json {
            try context.output.writeLine(Self.answer((line.position, line.value, record)))
        } else {
            waiting += list.take(row(line, record))
            try printWaiting()
        }
        if rules.pace != nil { try context.output.flush() }
    }

    mutating func finish() throws {
        waiting += list.flush()
        try printWaiting()
    }

    private mutating func printWaiting() throws {
        defer { waiting.removeAll() }
        for row in waiting { measure(row) }
        for row in waiting { try context.writeRow(line(row)) }
    }

    private mutating func measure(_ row: ShownState) {
        let value = DisplayWidth.of(FittedValue.shortened(row.value, to: Self.valueWidth))
        columns.measure(row.record, followedBy: value)
    }

    private func row(_ line: ReplayLine, _ record: Record?) -> ShownState {
        let record =
            record.map { RecordSummary($0).withoutCause }
            ?? RecordSummary(seq: line.position.rawValue, time: "")
        return ShownState(record: record, value: line.value)
    }

    private mutating func line(_ row: ShownState) -> StoryLine {
        let head = columns.padded(row.record) + "  "
        let room = max(24, (context.terminal.width ?? CommitStory.defaultWidth) - head.columns)
        let value: StoryLine = "\(FittedValue.text(row.value, limit: room * 4))"
        return head + value.clipped(to: room)
    }

    /// Lets as much time pass as passed between the commits, divided by the pace.
    private mutating func wait(for record: Record?) {
        guard let pace = rules.pace, let time = record?.time.flatMap({ Timestamp($0) }) else { return }
        defer { lastTime = time }
        guard let lastTime else { return }
        let passed = abs(Double(time.microseconds) - Double(lastTime.microseconds)) / pace
        SystemClock.sleep(microseconds: passed)
    }

    // The row is copied for each member: it has no more than they need.
    static let answer = AnswerKind<(position: CommitNumber, value: JSONValue, record: Record?)>(
        "state", "the state after a commit, or what a query gives of it",
        [
            .always("seq", "the position") { $0.position },
            .always("store", "the store of the commit, null at the start", .store, of: { $0.record }),
            .always("time", "when the record was made, null where there is none", .time, of: { $0.record }),
            .always("at", "the place in the source of the record, null where it has none", .at, of: { $0.record }),
            .always("value", "the state, or the first output of the query") { $0.value },
        ])
}
