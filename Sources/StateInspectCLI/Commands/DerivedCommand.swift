import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage
import TimeTravel

/// `derived J`: which derived values would have fired.
struct DerivedCommand: Command {
    private let path: String
    private let position: PositionText?
    private let range: RangeText
    private let definitions: DerivedDefinitions
    private let filter: CommitFilter
    private let isWhole: Bool
    private let isSummary: Bool
    private let isReversed: Bool
    private let recovers: Bool
    private let limit: Int

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        if typed.has(.at), typed.has(.range) { throw UsageError.exclusive([.at, .range]) }
        position = try typed.value(.at).map { try PositionText(parsing: $0) }
        range = try typed.value(.range).map { try RangeText(parsing: $0) } ?? RangeText()
        filter = try CommitFilter(typed)
        definitions = try DerivedDefinitions(typed, filter.scope)
        isWhole = typed.has(.all)
        isSummary = typed.has(.summary)
        isReversed = typed.has(.reverse)
        recovers = typed.has(.recover)
        limit = try typed.number(.maxCount, atLeast: 0) ?? .max
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let range = try stretch(input.journal)
        try StoreNames(input.journal, at: range.upper).check(filter.scope)
        let values = definitions.values(declared: try input.journal.declaredDerivedValues())
        if values.isEmpty {
            context.messages.note("'\(path)' declares no derived values; '--define NAME=QUERY' defines one")
        }
        var printer = DerivedPrinter(isSummary ? .summary : .lines(limit), isReversed, context)
        let progress = input.progress("following")
        defer { progress.finish() }
        var firings = try DerivedFirings(
            input.journal, range, values: values, everyCommit: isWhole || (isSummary && !filter.passesAll),
            recover: recovers)
        var positions = 0
        while !printer.isFull, let told = try firings.next() {
            positions += 1
            if positions % 1024 == 0, let last = told.last { report(last, range, progress) }
            for firing in told where isWanted(firing) { try printer.take(firing) }
        }
        try printer.finish(values, positions: filter.passesAll ? range.count : nil)
        for damage in firings.damages { context.messages.tell(damage.warning) }
        return .done
    }

    /// Tells how far the pass has come, by the commits of its stretch.
    private func report(_ firing: DerivedFiring, _ range: PositionRange, _ progress: Progress) {
        progress.update(bytes: firing.record.offset.rawValue, commits: firing.seq.rawValue - range.lower.rawValue)
    }

    private func stretch(_ journal: Journal) throws -> PositionRange {
        guard let position else { return try journal.range(range) }
        let commit = try journal.position(position)
        _ = try journal.record(of: commit)
        guard let range = PositionRange(commit.previous, commit) else { return try journal.range(range) }
        return range
    }

    /// Whether a line is asked for, before its record has been looked at.
    private func isWanted(_ firing: DerivedFiring) -> Bool {
        guard isWhole || isSummary || firing.outcome == .fired || firing.outcome == .recomputed else { return false }
        if filter.passesAll { return true }
        guard firing.record.kind == .commit, let record = try? firing.record.object() else { return false }
        return filter.passes(record)
    }
}
