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
        options: .filters + [.statsMaxCount, .recover, .part, .parts] + .queryValues,
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
        ])

    /// How many rows a table has unless it is said.
    static let rows = 10

    private let path: String
    private let range: RangeText?
    private let filter: CommitFilter
    private let recovers: Bool
    private let limit: Int
    private let arguments: TypedArguments

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        range = try typed.value(.range).map { try RangeText(parsing: $0) }
        filter = try CommitFilter(typed)
        recovers = typed.has(.recover)
        limit = try typed.number(.maxCount, atLeast: 0) ?? Self.rows
        arguments = typed
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let goesBack = range != nil || filter.asksStates || filter.scope.store != nil || context.part != nil
        let input =
            try goesBack
            ? JournalInput.random(path, recovers: recovers, in: context)
            : .sequential(path, recovers: recovers, in: context)
        filter.begin(input.journal)
        let range = goesBack ? try input.range(self.range ?? RangeText()) : nil
        let (statistics, lost) = try count(input, range, context)
        let status = try filter.finish(input.journal, context.messages)
        if context.part != nil {
            for line in statistics.lines { try context.output.writeLine(JSONValue.object(line).text()) }
        } else {
            let tables = StatsTables(statistics, filter.scope, limit: limit)
            switch context.format {
            case .json: for answer in tables.answers { try context.output.writeLine(answer.line) }
            case .human: try StatsStory(tables, context).write()
            }
            Self.noteBounds(of: statistics, context.messages)
        }
        guard let warning = UnansweredReport(lost).lostCommits(in: path, "they are not counted") else { return status }
        context.messages.report(warning)
        return status.or(.inconclusive)
    }

    /// Says that counts are too high, where some are.
    static func noteBounds(of statistics: JournalStatistics, _ messages: MessageWriter) {
        guard !statistics.isExact else { return }
        messages.note(
            "there are over \(JournalStatistics.nameLimit) distinct names: counts are upper bounds, 'error' says by how much"
        )
    }

    private func count(
        _ input: JournalInput, _ whole: PositionRange?, _ context: CommandContext
    ) throws -> (JournalStatistics, Unanswered) {
        var (range, toEnd, start) = (whole, self.range == nil, Timestamp?.none)
        if let whole {
            try StoreNames(input.journal).check(filter.scope, near: whole.upper)
            if let part = context.part {
                let own = try part.range(of: whole, input.journal, reading: filter.reads)
                // All that follows the last commit of a run is in its last part.
                toEnd = toEnd && own.upper == whole.upper
                range = own
                start = try firstTime(in: input.journal, whole, before: own, context)
            }
        }
        var reader = try reader(input, range, toEnd: toEnd, context)
        let idle = try IdleCommits(input.journal, range, recover: recovers)
        reader.readAhead(finding: .commits, threads: ProcessorCount.available)
        var (statistics, lost) = (JournalStatistics(ofPart: context.part != nil, from: start), Unanswered())
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

    /// The time of the first commit before a part that counts: intervals of time begin there in each part.
    ///
    /// - Complexity: the way from the front of the range to that commit.
    private func firstTime(
        in journal: Journal, _ whole: PositionRange, before part: PositionRange, _ context: CommandContext
    ) throws -> Timestamp? {
        guard part.lower > whole.lower, let before = PositionRange(whole.lower, part.lower) else { return nil }
        let filter = try CommitFilter(arguments)
        try filter.follow(journal, before, recovers: recovers, context.messages)
        var reader = try journal.records(after: before.lower, through: before.upper, recover: recovers)
        while let line = try reader.next() {
            guard line.kind == .commit else { continue }
            let commit = try Record(line)
            if try filter.passes(commit) { return commit.time.flatMap { Timestamp($0) } }
        }
        return nil
    }

    private func add(_ line: RecordLine, _ idle: IdleCommits?, to statistics: inout JournalStatistics) throws {
        if !filter.passesAll, try !filter.passes(try Record(line)) { return }
        guard let idle else { return try statistics.add(line) }
        try statistics.add(line) { (line) throws(JournalError) in idle.contains(try Record(line)) }
    }

    private func reader(
        _ input: JournalInput, _ range: PositionRange?, toEnd: Bool, _ context: CommandContext
    ) throws -> RecordReader {
        try filter.follow(input.journal, range, recovers: recovers, context.messages)
        guard let range, self.range != nil || context.part != nil else {
            return input.journal.records(recover: recovers)
        }
        return try input.journal.records(
            after: range.lower, through: toEnd ? nil : range.upper, recover: recovers)
    }
}
