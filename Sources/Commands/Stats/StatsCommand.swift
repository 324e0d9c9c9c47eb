import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

struct StatsCommand: JournalCommand {
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
            StatsTables.summary.definition, StatsTables.paths.definition, StatsTables.locations.definition,
            StatsTables.functions.definition, StatsTables.stores.definition, StatsTables.putBack.definition,
            StatsTables.records.definition, StatsTables.rates.definition,
        ])

    static let rows = 10

    private(set) var subject: JournalSubject
    private let limit: Int
    private let isPart: Bool

    init(_ typed: TypedArguments) throws {
        subject = try JournalSubject(typed)
        isPart = typed.has(.range)
        if !isPart, !subject.filter.asksStates, subject.scope.store == nil {
            (subject.part, subject.access) = (.whole, .sequential)
        }
        limit = try typed.number(.maxCount, atLeast: 0) ?? Self.rows
    }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let (journal, filter) = (asked.journal, subject.filter)
        var range: PositionRange?
        if case .range = subject.part {
            range = asked.range
        } else {
            try filter.follow(journal, nil, recovers: subject.recovers, asked.messages)
        }
        var reader =
            isPart
            ? try journal.records(after: asked.range.lower, through: asked.range.upper, recover: subject.recovers)
            : journal.records(recover: subject.recovers)
        let idle = try IdleCommits(journal, range, recover: subject.recovers)
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
        try asked.checkNames()
        let tables = StatsTables(statistics, filter.scope, limit: limit)
        switch asked.context.format {
        case .json: for line in tables.lines { try asked.context.output.writeLine(line) }
        case .human: try StatsStory(tables, asked.context).write()
        }
        noteBounds(of: statistics, asked.messages)
        return Answered(
            damages: reader.damages, torn: reader.tornTail, unanswered: lost, lost: .commits("they are not counted"))
    }

    private func noteBounds(of statistics: JournalStatistics, _ messages: MessageWriter) {
        guard !statistics.isExact else { return }
        messages.note(
            "there are over \(JournalStatistics.nameLimit) distinct names: counts are upper bounds, 'error' says by how much"
        )
    }

    private func add(_ line: RecordLine, _ idle: IdleCommits?, to statistics: inout JournalStatistics) throws {
        if !subject.filter.passesAll, try !subject.filter.passes(try Record(line)) { return }
        guard let idle else { return try statistics.add(line) }
        try statistics.add(line) { (line) throws(JournalError) in idle.contains(try Record(line)) }
    }
}
