import Diagnostics
import JSONCore
import JournalFormat
import TimeTravel

/// `log J`: the commits, as they stand in the journal or as a list for people.
struct LogCommand: Command {
    static let definition = CommandDefinition(
        name: .log, summary: "list the commits", synopsis: ["JOURNAL [OPTIONS]"],
        operands: [.required("JOURNAL", .file)],
        options: .filters + [.maxCount, .reverse, .recover, .all, .marks, .noMarks, .follow, .patch, .stat],
        details: [
            """
            Lists the commits, oldest first: number, time, store, function, source location and what changed. As \
            JSON these are the commit lines of the journal, byte for byte.
            """,
            """
            Where no filter but '--range' is given, marks, aborted commits and commits that were lost stand among them \
            for people, and are not counted by '-n'.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect log samples/checkout.jsonl -p --range end-3..end",
                purpose: "the last three commits with their changes"),
            .init(
                line: "state-inspect log samples/checkout.jsonl --path /cart/total",
                purpose: "the commits that touched the total"),
        ])

    private let path: String
    private let range: RangeText?
    private let filter: CommitFilter
    private let isReversed: Bool
    private let isFollowing: Bool
    private let recovers: Bool
    private let limit: Int
    private let selection: LogSelection
    private let detail: LogList.Detail

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        range = try typed.value(.range).map { try RangeText(parsing: $0) }
        filter = try CommitFilter(typed)
        isReversed = typed.has(.reverse)
        isFollowing = typed.has(.follow)
        recovers = typed.has(.recover)
        if isFollowing, isReversed { throw UsageError.exclusive([.follow, .reverse]) }
        if isFollowing, path == "-" {
            throw UsageError.operand("JOURNAL", path, expected: "a file, which '--follow' can read again")
        }
        limit = try typed.number(.maxCount, atLeast: 0) ?? .max
        if typed.has(.patch), typed.has(.stat) { throw UsageError.exclusive([.patch, .stat]) }
        detail = typed.has(.patch) ? .changes : typed.has(.stat) ? .counts : .line
        selection = try LogSelection(typed, filter)
    }

    var isPaged: Bool { !isFollowing }

    func run(in context: CommandContext) throws -> ExitStatus {
        guard limit > 0 else { return .done }
        let input = try open(context)
        filter.begin(input.journal)
        var printer = LogPrinter(selection, LogList(detail, filter.scope, context), limit, context)
        do {
            try print(input, &printer, context)
        } catch {
            // What stands before the damage is part of the answer.
            try printer.finish()
            throw error
        }
        try printer.finish()
        return printer.tellLost().or(try filter.finish(input.journal, context.messages))
    }

    /// Opens the journal; one that is read from the front only may be a pipe that somebody still writes to.
    private func open(_ context: CommandContext) throws -> JournalInput {
        guard isReversed || range != nil || filter.asksStates else { return try .sequential(path, in: context) }
        // The last line of a file that grows may become whole.
        return try isFollowing ? .whole(path, in: context) : .random(path, in: context)
    }

    private func print(_ input: JournalInput, _ printer: inout LogPrinter, _ context: CommandContext) throws {
        if isReversed { return try printBackward(input, &printer, context) }
        try printForward(input, &printer, context)
        guard isFollowing else { return }
        var follower = LogFollower(path: path, filter: filter, recovers: recovers)
        try follower.follow(&printer, context)
    }

    private func printForward(_ input: JournalInput, _ printer: inout LogPrinter, _ context: CommandContext) throws {
        let journal = input.journal
        let stretch = try range.map(input.range)
        try filter.follow(journal, stretch, recovers: recovers, context.messages)
        var reader =
            try stretch.map { try journal.records(after: $0.lower, through: $0.upper, recover: recovers) }
            ?? journal.records(recover: recovers)
        // Of a pipe every line is looked at as it comes, so that what stands before a pause is printed before it.
        var wanted = RecordFilter(
            touching: selection.isWhole || !journal.isSeekable ? .everything : filter.touching, kinds: .all)
        while let line = try next(&reader, &wanted, journal, &printer) {
            if filter.isNoting { try filter.note(line) }
            try printer.take(line)
            if printer.isFull { return }
        }
        for damage in reader.damages { context.messages.tell(damage.warning) }
        if !isFollowing { input.tell(reader.tornTail) }
    }

    /// The next line; before a wait for the writer of a pipe all that was read is printed.
    private func next(
        _ reader: inout RecordReader, _ wanted: inout RecordFilter, _ journal: Journal, _ printer: inout LogPrinter
    ) throws -> RecordLine? {
        if !journal.isSeekable, !reader.hasWholeLine, journal.isWaiting { try printer.flush() }
        return try reader.next(matching: &wanted)
    }

    private func printBackward(_ input: JournalInput, _ printer: inout LogPrinter, _ context: CommandContext) throws {
        let stretch = try input.range(range ?? RangeText())
        try filter.follow(input.journal, stretch, recovers: recovers, context.messages)
        let showsStart = range == nil
        let end = range == nil ? nil : try input.journal.offset(firstAtLeast: stretch.upper.next)
        let front = try showsStart ? .zero : input.journal.offset(firstAtLeast: stretch.lower.next)
        var reader = try input.journal.recordsBackward(from: end, downTo: front, recover: recovers)
        while let line = try reader.next() {
            if line.seq <= stretch.lower, !showsStart { break }
            try printer.take(line)
            if printer.isFull { return }
        }
        for damage in reader.damages { context.messages.tell(damage.warning) }
    }
}
