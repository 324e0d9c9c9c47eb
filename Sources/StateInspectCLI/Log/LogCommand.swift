import JSONCore
import JournalFormat
import TimeTravel

/// `log J`: the commits, as they stand in the journal or as a list for people.
struct LogCommand: Command {
    static let definition = CommandDefinition(
        name: .log, summary: "list the commits", synopsis: ["JOURNAL [OPTIONS]"],
        operands: [.required("JOURNAL", .file)],
        options: .filters + [.maxCount, .reverse, .recover, .all, .follow, .patch, .stat],
        details: [
            """
            Lists the commits, oldest first: number, time, store, function, source location and what changed. As \
            JSON these are the commit lines of the journal, byte for byte.
            """
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
    private let isWhole: Bool
    private let isFollowing: Bool
    private let recovers: Bool
    private let limit: Int
    private let detail: LogList.Detail

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        range = try typed.value(.range).map { try RangeText(parsing: $0) }
        filter = try CommitFilter(typed)
        isReversed = typed.has(.reverse)
        isWhole = typed.has(.all)
        isFollowing = typed.has(.follow)
        recovers = typed.has(.recover)
        if isFollowing, isReversed { throw UsageError.exclusive([.follow, .reverse]) }
        if isFollowing, path == "-" {
            throw UsageError.operand("JOURNAL", path, expected: "a file, which '--follow' can read again")
        }
        if isFollowing, filter.asksStates { throw UsageError.exclusive([.follow, .where]) }
        limit = try typed.number(.maxCount, atLeast: 0) ?? .max
        if typed.has(.patch), typed.has(.stat) { throw UsageError.exclusive([.patch, .stat]) }
        detail = typed.has(.patch) ? .changes : typed.has(.stat) ? .counts : .line
    }

    var isPaged: Bool { !isFollowing }

    func run(in context: CommandContext) throws -> ExitStatus {
        var printer = LogPrinter(list: LogList(detail, filter.scope, context), context: context)
        do {
            if limit > 0 { try print(&printer, context) }
        } catch {
            // What stands before the damage is part of the answer.
            try printer.finish()
            throw error
        }
        try printer.finish()
        return filter.tellFailures(context.messages)
    }

    private func print(_ printer: inout LogPrinter, _ context: CommandContext) throws {
        if isReversed { return try printBackward(&printer, context) }
        try printForward(&printer, context)
        if isFollowing, printer.count < limit { try follow(&printer, context) }
    }

    private func printForward(_ printer: inout LogPrinter, _ context: CommandContext) throws {
        let goesBack = range != nil || filter.asksStates
        let input = try goesBack ? JournalInput.random(path, in: context) : .sequential(path, in: context)
        if filter.asksStates { try follow(input.journal, context) }
        var reader = try self.reader(input.journal)
        var wanted = RecordFilter(touching: isWhole ? .everything : filter.touching, kinds: .all)
        while let line = try reader.next(matching: &wanted) {
            printer.end = line.end
            printer.isAtEnd = line.kind == .end
            if try print(line, &printer), printer.count == limit { return }
        }
        for damage in reader.damages { context.messages.tell(damage.warning) }
        if !isFollowing { input.tell(reader.tornTail) }
    }

    /// Begins to follow the states of the stretch.
    private func follow(_ journal: Journal, _ context: CommandContext) throws {
        let stretch = try journal.range(range ?? RangeText())
        try filter.follow(journal, stretch, recovers: recovers, context.messages)
    }

    /// Looks now and then for lines that were added, until there is the one that ends the run.
    private func follow(_ printer: inout LogPrinter, _ context: CommandContext) throws {
        while !printer.isAtEnd {
            try printer.finish()
            try context.output.flush()
            SystemCall.sleep(microseconds: 200_000)
            let journal = try Journal.open(path, access: .sequential)
            guard let size = journal.byteCount, size > printer.end.rawValue else { continue }
            var reader = journal.records(from: printer.end)
            while let line = try reader.next(), line.hasNewline {
                printer.end = line.end
                printer.isAtEnd = line.kind == .end
                if try print(line, &printer), printer.count == limit { return }
            }
        }
    }

    private func reader(_ journal: Journal) throws -> RecordReader {
        guard let range else { return journal.records(recover: recovers) }
        let stretch = try journal.range(range)
        return try journal.records(after: stretch.lower, through: stretch.upper, recover: recovers)
    }

    private func printBackward(_ printer: inout LogPrinter, _ context: CommandContext) throws {
        let input = try JournalInput.random(path, in: context)
        let stretch = try input.journal.range(range ?? RangeText())
        if filter.asksStates { try follow(input.journal, context) }
        let showsStart = range == nil && isWhole
        var reader = try input.journal.recordsBackward()
        while let line = try reader.next() {
            if line.seq > stretch.upper { continue }
            if line.seq <= stretch.lower, !showsStart { return }
            if try print(line, &printer), printer.count == limit { return }
        }
    }

    /// Prints a line that is asked for; false for one that is not.
    private func print(_ line: RecordLine, _ printer: inout LogPrinter) throws -> Bool {
        guard isWhole || line.kind == .commit else { return false }
        if !filter.passesAll {
            guard line.kind == .commit, try filter.passes(try line.object()) else { return false }
        }
        try printer.print(line)
        return true
    }
}

/// Writes lines as they stand, or hands them to the list for people.
private struct LogPrinter {
    private(set) var count = 0
    /// Behind the last line that was read.
    var end = ByteOffset.zero
    /// Whether that line ends the run.
    var isAtEnd = false

    private var list: LogList
    private let context: CommandContext

    init(list: LogList, context: CommandContext) {
        self.list = list
        self.context = context
    }

    mutating func print(_ line: RecordLine) throws {
        count += 1
        switch context.format {
        case .json: try context.output.writeLine(line.bytes)
        case .human: try list.add(line)
        }
    }

    mutating func finish() throws { try list.flush() }
}
