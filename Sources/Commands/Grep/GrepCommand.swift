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
