import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage
import TimeTravel

/// `history J PATH|QUERY`: each change of one value.
struct HistoryCommand: Command {
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
        while !printer.isFull, let changes = try history.next() {
            for change in changes where try passes(change.record) { try printer.take(change) }
            progress.update(
                bytes: history.offset.rawValue, commits: history.lastCommit.rawValue - range.lower.rawValue)
        }
        try printer.finish()
        for damage in history.damages { context.messages.tell(damage.warning) }
        let status = tellFailures(history.failures, history.firstFailure, context.messages)
        return status.or(filter.tellFailures(context.messages))
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

    private func tellFailures(
        _ count: Int, _ first: (position: CommitNumber, error: QueryError)?, _ messages: MessageWriter
    ) -> ExitStatus {
        guard case .query(let query) = subject, let first else { return .done }
        var diagnostic = first.error.diagnostic(of: query, at: first.position)
        diagnostic.severity = .warning
        diagnostic.notes.append(
            count == 1 ? "that position says nothing" : "that is the first of \(count) positions that say nothing")
        messages.tell(diagnostic)
        return .inconclusive
    }
}
