import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

/// `stats J`: what a run's commits are like.
struct StatsCommand: Command {
    static let definition = CommandDefinition(
        name: .stats, summary: "what a run's commits are like", synopsis: ["JOURNAL [OPTIONS]"],
        operands: [.required("JOURNAL", .file)],
        options: .filters + [.statsMaxCount, .recover] + .queryValues,
        details: [
            """
            Counts commits by path, source location, function and store, and reports how large patches are, how the \
            commits are spread over time, which changed nothing and which values were put back within a few commits. \
            In paths, segments that are numbers count as '*'.
            """
        ],
        examples: [
            .init(
                line: "state-inspect stats samples/checkout.jsonl", purpose: "what this run spent its commits on"),
            .init(
                line: "state-inspect stats samples/checkout.jsonl --store cart -n 3",
                purpose: "the three hottest paths and lines of one store"),
        ],
        answers: [
            .stats, .statsPath, .statsLocation, .statsFunction, .statsStore, .statsPutBack, .statsRecords, .statsRate,
        ])

    /// How many rows a table has unless it is said.
    static let rows = 10

    private let path: String
    private let range: RangeText?
    private let filter: CommitFilter
    private let recovers: Bool
    private let limit: Int

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        range = try typed.value(.range).map { try RangeText(parsing: $0) }
        filter = try CommitFilter(typed)
        recovers = typed.has(.recover)
        limit = try typed.number(.maxCount, atLeast: 0) ?? Self.rows
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let goesBack = range != nil || filter.asksStates || filter.scope.store != nil
        let input =
            try goesBack
            ? JournalInput.random(path, recovers: recovers, in: context)
            : .sequential(path, recovers: recovers, in: context)
        filter.begin(input.journal)
        let range = goesBack ? try input.range(self.range ?? RangeText()) : nil
        let (statistics, lost) = try count(input, range, context)
        let status = try filter.finish(input.journal, context.messages)
        let tables = StatsTables(statistics, filter.scope, limit: limit)
        switch context.format {
        case .json: for answer in tables.answers { try context.output.writeLine(answer.line) }
        case .human: try StatsStory(tables, context).write()
        }
        noteBounds(of: statistics, context.messages)
        guard let warning = UnansweredReport(lost).lostCommits(in: path, "they are not counted") else { return status }
        context.messages.report(warning)
        return status.or(.inconclusive)
    }

    /// Says that counts are too high, where some are.
    private func noteBounds(of statistics: JournalStatistics, _ messages: MessageWriter) {
        guard !statistics.isExact else { return }
        messages.note(
            "there are over \(JournalStatistics.nameLimit) distinct names: counts are upper bounds, 'error' says by how much"
        )
    }

    private func count(
        _ input: JournalInput, _ range: PositionRange?, _ context: CommandContext
    ) throws -> (JournalStatistics, Unanswered) {
        if let range { try StoreNames(input.journal).check(filter.scope, near: range.upper) }
        var reader = try reader(input, range, context)
        let idle = try IdleCommits(input.journal, range, recover: recovers)
        reader.readAhead(threads: ProcessorCount.available)
        var (statistics, lost) = (JournalStatistics(), Unanswered())
        while let line = try reader.next() {
            statistics.count(line)
            idle?.read(line)
            if filter.isNoting { try filter.note(line) }
            if let commits = try reader.lost(before: line) { lost.lose(commits) }
            if line.kind == .commit { try add(line, idle, to: &statistics) }
        }
        if let commits = reader.lostEnd { lost.lose(commits) }
        for damage in reader.damages { context.messages.report(damage.warning) }
        input.report(reader.tornTail)
        return (statistics, lost)
    }

    private func add(_ line: RecordLine, _ idle: IdleCommits?, to statistics: inout JournalStatistics) throws {
        if !filter.passesAll, try !filter.passes(try Record(line)) { return }
        guard let idle else { return try statistics.add(line) }
        try statistics.add(line) { (line) throws(JournalError) in idle.contains(try Record(line)) }
    }

    private func reader(
        _ input: JournalInput, _ range: PositionRange?, _ context: CommandContext
    ) throws -> RecordReader {
        try filter.follow(input.journal, range, recovers: recovers, context.messages)
        guard let range, self.range != nil else { return input.journal.records(recover: recovers) }
        return try input.journal.records(after: range.lower, through: range.upper, recover: recovers)
    }
}
