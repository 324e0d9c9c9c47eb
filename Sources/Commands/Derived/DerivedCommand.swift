import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// `derived J`: which derived values would have fired.
struct DerivedCommand: Command {
    static let definition = CommandDefinition(
        name: .derived, summary: "which derived values would have fired", synopsis: ["JOURNAL [POS] [OPTIONS]"],
        operands: [.required("JOURNAL", .file)],
        options: [.at, .define, .derivedDefinitions, .summary, .check, .why] + .filters
            + [.maxCount, .reverse, .recover, .derivedAll, .cite, .arg, .argjson],
        details: [
            """
            Reports for each commit which derived values would have fired. They come from '--define', from a file \
            of definitions and from the journal's own records.
            """
        ],
        examples: [
            .init(
                line: "state-inspect derived samples/checkout.jsonl --define 'total=.cart.total' --summary",
                purpose: "how often the total changed")
        ],
        answers: [.derived, .derivedSummary, .derivedWhy, .derivedDifference, .derivedCheck])

    private let path: String
    private let position: PositionText?
    private let range: RangeText
    private let definitions: DerivedDefinitions
    private let filter: CommitFilter
    private let isWhole: Bool
    private let isSummary: Bool
    private let isChecking: Bool
    private let asked: String?
    private let order: ListOrder
    private let recovers: Bool

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        if typed.has(.at), typed.has(.range) { throw UsageError.exclusive([.at, .range]) }
        position = try typed.value(.at).map { try PositionText(parsing: $0) }
        range = try typed.value(.range).map { try RangeText(parsing: $0) } ?? RangeText()
        filter = try CommitFilter(typed)
        definitions = try DerivedDefinitions(typed, filter.scope)
        isWhole = typed.has(.derivedAll)
        isSummary = typed.has(.summary)
        isChecking = typed.has(.check)
        asked = typed.value(.why)
        try Self.checkForm(typed)
        order = try ListOrder(typed)
        recovers = typed.has(.recover)
    }

    /// Refuses options that ask for several answers at once.
    private static func checkForm(_ typed: TypedArguments) throws(UsageError) {
        let forms: [Option] = [.summary, .check, .why].filter(typed.has)
        if forms.count > 1 { throw .exclusive(forms) }
        if typed.has(.check), typed.has(.reverse) { throw .exclusive([.check, .reverse]) }
        if typed.has(.why), typed.has(.range) { throw .exclusive([.why, .range]) }
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, recovers: recovers, in: context)
        let range = try askedRange(input)
        try StoreNames(input.journal).check(filter.scope, near: range.upper)
        // What is declared after the range was not there in it.
        let declared = try input.journal.declaredDerivedValues(
            through: asked == nil ? range.upper : nil, recover: recovers)
        for damage in declared.damages { context.messages.reportOnce(damage.warning) }
        let values = definitions.values(declared: declared.values)
        if values.isEmpty {
            context.messages.note("'\(path)' declares no derived values; '--define NAME=QUERY' defines one")
        }
        if let asked {
            try DerivedWhy(asked, at: range, of: values, in: input.journal, filter.scope)
                .write(context, context.cite(range.upper, of: input.journal))
            return .done
        }
        try filter.follow(input.journal, range, recovers: recovers, context.messages)
        let status =
            try isChecking ? check(values, range, input, context) : list(values, range, input, context)
        return status.or(try filter.finish(input.journal, context.messages))
    }

    /// Prints what the values did.
    private func list(
        _ values: [DerivedValue], _ range: PositionRange, _ input: JournalInput, _ context: CommandContext
    ) throws -> ExitStatus {
        var printer = DerivedPrinter(isSummary ? nil : order, context)
        printer.cite = { try context.cite($0.seq, of: input.journal) }
        let firings = try DerivedFirings(
            input.journal, range, values: values, everyCommit: isWhole || (isSummary && !filter.passesAll),
            recover: recovers)
        while !printer.isFull, let position = try firings.next() {
            for firing in position where try isWanted(firing, input.journal) { try printer.take(firing) }
        }
        let positions = filter.passesAll ? range.count - firings.lost.count : nil
        try printer.finish(values, positions: positions, lost: firings.lost.count)
        return warn(of: firings, context.messages)
    }

    /// Says where there was no answer.
    ///
    /// - Returns: the status that this comes to: a definition that fails is null there, but one that never has a value says
    ///   nothing.
    private func warn(of firings: DerivedFirings, _ messages: MessageWriter) -> ExitStatus {
        for damage in firings.damages { messages.reportOnce(damage.warning) }
        if let lost = UnansweredReport(firings.lost).lost(in: path, "what fired there is not known") {
            messages.report(lost)
        }
        for failing in firings.failures {
            var diagnostic = failing.failure.error.diagnostic
            diagnostic.severity = .warning
            diagnostic.notes.append(
                "in '\(failing.name)' at \(failing.failure.position)"
                    + (failing.positions > 1 ? ", the first of \(failing.positions) positions" : "")
                    + ", where its value counts as null")
            messages.report(diagnostic)
        }
        return firings.lost.count > 0 || firings.isAnyWithoutValue ? .inconclusive : .done
    }

    /// Holds what the app recorded against the definitions.
    private func check(
        _ values: [DerivedValue], _ range: PositionRange, _ input: JournalInput, _ context: CommandContext
    ) throws -> ExitStatus {
        var check = DerivedCheck(values, order, context)
        let firings = try DerivedFirings(
            input.journal, range, values: values, everyCommit: true, comparing: true, recover: recovers)
        while let position = try firings.next() {
            for firing in position where firing.recorded != nil {
                if try filter.passes(changing: firing.record, in: input.journal) { try check.take(firing) }
            }
        }
        let status = warn(of: firings, context.messages)
        for value in values { check.note(incomparable: firings.incomparable(value.name), of: value.name) }
        return try check.finish(path).or(status)
    }

    private func askedRange(_ input: JournalInput) throws -> PositionRange {
        guard let position = position ?? (asked == nil ? nil : .end(minus: 0)) else { return try input.range(range) }
        let commit = try input.position(position)
        _ = try input.journal.record(of: commit)
        guard let range = PositionRange(commit.previous, commit) else { return try input.range(range) }
        return range
    }

    /// Whether a line is asked for.
    private func isWanted(_ firing: DerivedFiring, _ journal: Journal) throws -> Bool {
        guard isWhole || isSummary || firing.outcome == .fired || firing.outcome == .recomputed else { return false }
        return try filter.passes(changing: firing.record, in: journal)
    }
}
