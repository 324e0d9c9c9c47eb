import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage
import TimeTravel

/// `history J PATH|QUERY`: each change of one value.
struct HistoryCommand: Command {
    static let definition = CommandDefinition(
        name: .history, summary: "each change of one value", synopsis: ["JOURNAL PATH|QUERY [OPTIONS]"],
        operands: [.required("JOURNAL", .file), .required("PATH|QUERY")],
        options: .filters + [.maxCount, .reverse, .recover],
        details: [
            """
            Prints a line each time the value at a path, or a query's first output, differs from the one before: \
            the commit, what was there and what is there. What begins with '/' is a path; with '*' or '**' in it \
            each place that matches has its own lines.
            """
        ],
        examples: [
            .init(
                line: "state-inspect history samples/checkout.jsonl /cart/total", purpose: "every total there was"),
            .init(
                line: "state-inspect history samples/checkout.jsonl '.cart.items | length' --reverse -n 3",
                purpose: "the last three changes of the number of items"),
        ])

    /// What is followed.
    private enum Subject {
        case pattern(PathPattern)
        case query(ScopedQuery)
    }

    private let path: String
    private let range: RangeText
    private let subject: Subject
    private let filter: CommitFilter
    private let isReversed: Bool
    private let recovers: Bool
    private let limit: Int

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        range = try typed.value(.range).map { try RangeText(parsing: $0) } ?? RangeText()
        filter = try CommitFilter(typed)
        let (text, scope) = (typed.operands[1], filter.scope)
        // No query begins with a slash, and every path but that of everything does.
        if text.isEmpty || text.utf8.first == UInt8(ascii: "/") {
            let pattern = try PathPattern(parsing: text, operand: "PATH")
            subject = .pattern(scope.store.map { pattern.below(store: $0) } ?? pattern)
        } else {
            subject = .query(try ScopedQuery(text, name: "query", scope: scope))
        }
        isReversed = typed.has(.reverse)
        recovers = typed.has(.recover)
        limit = try typed.number(.maxCount, atLeast: 0) ?? .max
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let range = try input.journal.range(range)
        let stores = try StoreNames(input.journal, at: range.upper)
        try stores.check(filter.scope)
        if case .query(let query) = subject { stores.warn(of: query, context.messages) }
        try filter.follow(input.journal, range, recovers: recovers, context.messages)
        var printer = HistoryPrinter(limit: limit, isReversed: isReversed, filter.scope, showsPaths, context)
        let progress = input.progress("following")
        defer { progress.finish() }
        var history = try History(followed, range, in: input.journal, recover: recovers)
        var isConstant = !printer.isFull
        while !printer.isFull, let changes = try history.next() {
            isConstant = isConstant && changes.isEmpty
            for change in changes where try passes(change.record) { try printer.take(change) }
            progress.update(
                bytes: history.offset.rawValue, commits: history.lastCommit.rawValue - range.lower.rawValue)
        }
        try printer.finish()
        if isConstant { try checkIsThere(input.journal, range) }
        for damage in history.damages { context.messages.tell(damage.warning) }
        let status = tellFailures(
            QueryFailures(count: history.failures, first: history.firstFailure), context.messages)
        return status.or(filter.tellFailures(context.messages))
    }

    /// Refuses a path that never changed where that is because nothing was ever there; one with wildcards may find nothing.
    private func checkIsThere(_ journal: Journal, _ range: PositionRange) throws {
        guard case .pattern(let pattern) = subject, let pointer = pattern.pointer else { return }
        guard pointer.value(in: try journal.state(at: range.lower, pruning: pattern.paths).value) == nil else { return }
        let state = try journal.state(at: range.upper).value
        throw CommandFailure(
            .notThere,
            Diagnostic(
                code: "history.no-such-path",
                "nothing is at '\(filter.scope.text(of: pointer))' at any position from \(range.lower) to \(range.upper)",
                help: NearestPath.help(for: pattern, in: state, filter.scope)))
    }

    /// Whether a change is at a path that the answer has to name.
    private var showsPaths: Bool {
        guard case .pattern(let pattern) = subject else { return false }
        return pattern.pointer == nil
    }

    private var followed: HistorySubject {
        switch subject {
        case .query(let query): .query(query.whole)
        case .pattern(let pattern):
            .places(pattern.paths) { state in
                pattern.matches(in: state).compactMap { path in path.value(in: state).map { (path, $0) } }
            }
        }
    }

    private func passes(_ record: OwnedRecord) throws -> Bool {
        if filter.passesAll { return true }
        guard record.kind == .commit else { return false }
        return try filter.passes(try record.object())
    }

    private func tellFailures(_ failures: QueryFailures, _ messages: MessageWriter) -> ExitStatus {
        guard case .query(let query) = subject else { return .done }
        return failures.tell(
            of: query, one: "that position says nothing", several: "positions that say nothing", messages)
    }
}
