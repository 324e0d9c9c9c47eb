import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

struct GrepCommand: JournalCommand {
    static let definition = CommandDefinition(
        name: .grep, summary: "where a text came in, and where it went",
        synopsis: ["JOURNAL TEXT [OPTIONS]", "JOURNAL -e REGEX [OPTIONS]"],
        operands: [.required("JOURNAL", .file), .optional("TEXT")],
        options: [.regexp, .ignoreCase] + .filters + [.maxCount, .reverse, .recover] + .queryValues,
        details: [
            """
            Looks for a text in the texts and numbers of the state, in the names of members, in marks, and in the \
            payloads of actions and marks. Prints each place where it came in, with the record that brought it, and \
            the commit after which it is not there any more.
            """,
            """
            A place that holds the text comes in once, also where its array shifts, it is moved, or another value \
            with the text is written over it. The text of an array that is written whole is compared index by index.
            """,
        ],
        examples: [
            .init(line: "state-inspect grep samples/checkout.jsonl SPRING", purpose: "which commit brought 'SPRING'"),
            .init(
                line: "state-inspect grep samples/checkout.jsonl -i -e '^spr' --path /cart",
                purpose: "texts in the cart that begin so, in small letters or capitals"),
        ],
        answers: [GrepPrinter.answer.definition])

    let subject: JournalSubject
    private let pattern: TextPattern
    private let text: String
    private let isExpression: Bool
    private let order: ListOrder

    init(_ typed: TypedArguments) throws {
        subject = try JournalSubject(typed)
        (pattern, text) = try Self.pattern(typed)
        isExpression = typed.has(.regexp)
        order = try ListOrder(typed)
    }

    private static func pattern(_ typed: TypedArguments) throws -> (TextPattern, String) {
        let text = typed.operands.dropFirst().first
        if let expression = typed.value(.regexp) {
            if let text { throw UsageError.extraOperand(.grep, text) }
            do throws(QueryError) {
                return (try TextPattern(expression: expression, ignoringCase: typed.has(.ignoreCase)), expression)
            } catch {
                throw UsageError.value(.regexp, expression, expected: "a regular expression, as 'test' takes it")
            }
        }
        guard let text else {
            // '-6' was read as '-n 6'.
            let line = typed.value(.maxCount).map { Advice.line(.grep, [typed.operands[0], "-" + $0]) }
            throw UsageError.missingOperand(.grep, "TEXT", line: line)
        }
        guard !text.isEmpty else { throw UsageError.operand("TEXT", text, expected: "a text") }
        return (TextPattern(text, ignoringCase: typed.has(.ignoreCase)), text)
    }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let range = asked.range
        var printer = GrepPrinter(order, subject.filter, asked.context)
        guard order.limit > 0 else { return .lookedUp(.done) }
        var (unanswered, damages) = (Unanswered(), [JournalError]())
        if let start = try TextSearch.start(of: pattern, range, in: asked.journal) {
            let search = try TextSearch(pattern, range, from: start, in: asked.journal, recover: subject.recovers)
            while !printer.isDone, let step = try search.next() { try printer.take(step) }
            (unanswered, damages) = (search.unanswered, search.damages)
        }
        try printer.finish()
        if let failure = unanswered.firstFailure {
            var diagnostic = failure.error.diagnostic
            diagnostic.severity = .warning
            diagnostic.notes.append("at \(failure.position), where the expression was not found for that")
            asked.messages.report(diagnostic)
        }
        if printer.isEmpty { noteNothing(in: range, asked.messages) }
        // What was lost may have had it.
        return Answered(
            printer.isEmpty && unanswered.count == 0 ? .negative : .done, damages: damages, unanswered: unanswered,
            lost: .commits("what they brought and took away is not known"))
    }

    private func noteNothing(in range: PositionRange, _ messages: MessageWriter) {
        let commits = range.count.counted("commit")
        let choice = subject.filter.passesAll ? "" : ", of those that are asked for,"
        messages.note(
            "nothing in \(commits)\(choice) has '\(text)': values, names, marks and payloads were searched")
        guard !isExpression, Advice(subject.path).isPossible,
            text.unicodeScalars.contains(where: { "*+?[]|^$\\".unicodeScalars.contains($0) })
        else { return }
        messages.note("as a regular expression: " + Advice(subject.path).command(.grep, [], [(.regexp, text)]))
    }
}

/// Places come in the order in which the text came in, each once it is known where it went.
struct GrepPrinter {
    struct Appearance {
        let hit: TextSearch.Hit
        let seq: CommitNumber
        let record: RecordFacts?
        var gone: CommitNumber?
        var isOpen: Bool
    }

    private let filter: CommitFilter
    private let matcher: PathMatcher?
    private let order: ListOrder
    private let context: CommandContext
    private let story: CommitStory
    private var columns: CommitLine
    private var list: LineList<Appearance>
    /// The rows that are not handed on, in their order.
    private var waiting: [Appearance] = []
    /// Of how many at their front all is known.
    private var known = 0
    private var passed = 0
    /// The numbers of rows, by the numbers of the places that still have the text.
    private var open: [Int: Int] = [:]
    private var taken = 0

    init(_ order: ListOrder, _ filter: CommitFilter, _ context: CommandContext) {
        (self.order, self.filter, self.context) = (order, filter, context)
        matcher = filter.paths.isEmpty ? nil : PathMatcher(filter.paths.map(\.steps))
        list = LineList(order)
        story = CommitStory(context)
        let width = context.terminal.width
        columns = CommitLine(width: width, rest: width.map { $0 / 2 } ?? 0)
    }

    var isEmpty: Bool { taken == 0 }

    /// Whether no more can be asked: as many places as are wanted came in, and all of them went.
    var isDone: Bool { isFull && open.isEmpty }
    private var isFull: Bool { !order.isReversed && taken >= order.limit }

    mutating func take(_ step: TextSearch.Step) throws {
        for place in step.gone {
            guard let row = open.removeValue(forKey: place) else { continue }
            waiting[row - passed].gone = step.seq
            waiting[row - passed].isOpen = false
        }
        if !step.came.isEmpty, !isFull { try note(step) }
        try pass()
    }

    private mutating func note(_ step: TextSearch.Step) throws {
        let record = try step.record.map { try Record($0) }
        guard try passes(record) else { return }
        var facts: RecordFacts?
        for hit in step.came where !isFull && passes(hit) {
            facts = facts ?? record.map(RecordFacts.init)
            taken += 1
            if let place = hit.place { open[place] = passed + waiting.count }
            waiting.append(Appearance(hit: hit, seq: step.seq, record: facts, isOpen: hit.place != nil))
        }
    }

    mutating func finish() throws {
        for index in waiting.indices { waiting[index].isOpen = false }
        open.removeAll()
        try pass()
        try print(list.flush())
    }

    private mutating func pass() throws {
        while known < waiting.count, !waiting[known].isOpen { known += 1 }
        // What was handed on is removed in one step, so that a row costs O(1).
        guard known > 0, known * 2 >= waiting.count else { return }
        let rows = waiting[..<known]
        waiting.removeFirst(known)
        passed += known
        known = 0
        for row in rows { try print(list.take(row)) }
    }

    private func passes(_ record: Record?) throws -> Bool {
        if filter.passesAll { return true }
        guard let record, record.kind == .commit else { return filter.passesByStore && record?.kind != .mark }
        return try filter.passes(record)
    }

    private func passes(_ hit: TextSearch.Hit) -> Bool {
        guard hit.kind == .value || hit.kind == .name, let path = hit.path else { return true }
        // The name of the one store that is looked at is not seen.
        if let store = filter.scope.store {
            guard let first = path.segments.first, UTF8Order.equal(first, store) else { return false }
            if path.segments.count == 1, hit.kind == .name { return false }
        }
        guard let matcher else { return true }
        if case .inside = matcher.meeting(path.segments) { return true }
        return false
    }

    private mutating func print(_ rows: [Appearance]) throws {
        if context.format == .human {
            for row in rows {
                let path = path(row).map { DisplayWidth.of(ControlCharacters.escaped($0)) + 2 } ?? 0
                let rest = 9 + path + story.wantedWidth(of: row.hit.value) + DisplayWidth.of(Self.end(row))
                columns.measure(Self.summary(row), followedBy: rest)
            }
        }
        for row in rows { try context.write(Self.answer((row, path(row))), or: line(row)) }
    }

    private mutating func line(_ row: Appearance) -> StoryLine {
        var line = columns.padded(Self.summary(row)) + "  \(DisplayWidth.padded(row.hit.kind.rawValue, to: 7))  "
        if let path = path(row) { line += "\(path.isEmpty ? "(all)" : path, .path)  " }
        let end = Self.end(row)
        line += "\(story.value(row.hit.value, after: line.columns + DisplayWidth.of(end)))\(end, .dim)"
        return line.clipped(to: context.terminal.width)
    }

    private static func end(_ row: Appearance) -> String { row.gone.map { "  gone at \($0)" } ?? "" }

    private static func summary(_ row: Appearance) -> RecordSummary {
        var summary = row.record?.summary ?? RecordSummary(seq: row.seq.rawValue, time: "")
        (summary.store, summary.name, summary.function) = (nil, nil, nil)
        return summary
    }

    /// The path as it is printed: in the state, or in a payload.
    private func path(_ row: Appearance) -> String? {
        row.hit.path.map { row.hit.kind == .payload ? $0.text : filter.scope.text(of: $0) }
    }

    static let answer = AnswerKind<(row: Appearance, path: String?)>(
        "hit", "a place at which a text came in",
        [
            .always("in", #""value", "name", "mark" or "payload""#, \.row.hit.kind.rawValue),
            .always(
                "path", "where it is after the record, in a payload where it is there, null for a mark", \.path),
            .always("value", "what has the text: the value, the member's name or the mark's text", \.row.hit.value),
            .always("seq", "the number of the record that brought it in", \.row.seq),
            .always("time", "when the record was made, null where there is none", \.row.record?.time),
            .always("at", "the place in the source of the record, null where it has none", \.row.record?.at),
            .always("gone", "the number of the commit that took it away, null where it stayed", \.row.gone),
        ])
}
