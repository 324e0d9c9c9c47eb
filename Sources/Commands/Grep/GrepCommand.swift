import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// `grep J TEXT`: where a text came into the run, and which commit took it away.
struct GrepCommand: Command {
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
        answers: [.hit])

    private let path: String
    private let pattern: TextPattern
    /// What was looked for, as it was typed.
    private let text: String
    private let isExpression: Bool
    private let range: RangeText
    private let filter: CommitFilter
    private let order: ListOrder
    private let recovers: Bool

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        (pattern, text) = try Self.pattern(typed)
        isExpression = typed.has(.regexp)
        range = try typed.value(.range).map { try RangeText(parsing: $0) } ?? RangeText()
        filter = try CommitFilter(typed)
        order = try ListOrder(typed)
        recovers = typed.has(.recover)
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

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, recovers: recovers, in: context)
        let range = try input.range(range)
        try StoreNames(input.journal).check(filter.scope, near: range.upper)
        try filter.follow(input.journal, range, recovers: recovers, context.messages)
        var printer = GrepPrinter(order, filter, context)
        guard order.limit > 0 else { return .done }
        var unanswered = Unanswered()
        if let start = try TextSearch.start(of: pattern, range, in: input.journal) {
            let search = try TextSearch(pattern, range, from: start, in: input.journal, recover: recovers)
            while !printer.isDone, let step = try search.next() { try printer.take(step) }
            for damage in search.damages { context.messages.report(damage.warning) }
            unanswered = search.unanswered
        }
        try printer.finish()
        let status = warn(of: unanswered, context.messages)
        if printer.isEmpty { noteNothing(in: range, context.messages) }
        return status.or(printer.isEmpty ? .negative : .done).or(try filter.finish(input.journal, context.messages))
    }

    /// Says what was searched in vain.
    private func noteNothing(in range: PositionRange, _ messages: MessageWriter) {
        let commits = range.count.counted("commit")
        let choice = filter.passesAll ? "" : ", of those that are asked for,"
        messages.note(
            "nothing in \(commits)\(choice) has '\(text)': values, names, marks and payloads were searched")
        guard !isExpression, Advice(path).isPossible,
            text.unicodeScalars.contains(where: { "*+?[]|^$\\".unicodeScalars.contains($0) })
        else { return }
        messages.note("as a regular expression: " + Advice(path).command(.grep, [], [(.regexp, text)]))
    }

    /// Says where there was no answer.
    ///
    /// - Returns: the status that this comes to.
    private func warn(of unanswered: Unanswered, _ messages: MessageWriter) -> ExitStatus {
        if let lost = UnansweredReport(unanswered).lostCommits(in: path, "what they brought and took away is not known")
        {
            messages.report(lost)
        }
        if let failure = unanswered.firstFailure {
            var diagnostic = failure.error.diagnostic
            diagnostic.severity = .warning
            diagnostic.notes.append("at \(failure.position), where the expression was not found for that")
            messages.report(diagnostic)
        }
        return unanswered.count > 0 ? .inconclusive : .done
    }
}
