import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

struct LogCommand: JournalCommand {
    static let definition = CommandDefinition(
        name: .log, summary: "list the commits", synopsis: ["JOURNAL [OPTIONS]"],
        operands: [.required("JOURNAL", .file)],
        options: .filters + [
            .maxCount, .reverse, .recover, .logAll, .marks, .noMarks, .follow, .patch, .stat, .byPlace,
            .cite,
        ]
            + .queryValues,
        details: [
            """
            Lists the commits, oldest first: number, time, store, function, source location and what changed. As \
            JSON these are the commit lines of the journal, byte for byte.
            """,
            """
            Where no filter but '--range' is given, marks, aborted commits and commits that were lost stand among them \
            for people, and are not counted by '-n'.
            """,
            """
            With '--by-place' there is a line for each line of source that committed: how often, and what its last commit \
            changed, as an editor shows it beside the line.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect log samples/checkout.jsonl -p --range end-3..end",
                purpose: "the last three commits with their changes"),
            .init(
                line: "state-inspect log samples/checkout.jsonl --path /cart/total",
                purpose: "the commits that touched the total"),
            .init(
                line: "state-inspect log samples/checkout.jsonl --by-place", purpose: "which lines of source committed"),
        ],
        answers: [PlaceList.answer.definition])

    private(set) var subject: JournalSubject
    /// The range that was typed, which is looked up in the file as it is when it is followed.
    private let range: RangeText?
    private let order: ListOrder
    private let isFollowing: Bool
    private let isByPlace: Bool
    private let selection: LogSelection
    private let detail: LogPrinter.Detail
    private var filter: CommitFilter { subject.filter }
    private var recovers: Bool { subject.recovers }

    init(_ typed: TypedArguments) throws {
        subject = try JournalSubject(typed, .whole)
        range = try typed.value(.range).map { try RangeText(parsing: $0) }
        order = try ListOrder(typed)
        isFollowing = typed.has(.follow)
        isByPlace = typed.has(.byPlace)
        for option in [Option.follow, .reverse, .logAll, .patch, .stat, .marks, .cite]
        where isByPlace && typed.has(option) {
            throw UsageError.exclusive([.byPlace, option])
        }
        if isFollowing, order.isReversed { throw UsageError.exclusive([.follow, .reverse]) }
        if isFollowing, JournalFiles.isReadOnce(subject.path), range != nil {
            throw UsageError.operand("JOURNAL", subject.path, expected: "a file, where a '--range' of it is followed")
        }
        if typed.has(.patch), typed.has(.stat) { throw UsageError.exclusive([.patch, .stat]) }
        detail = typed.has(.patch) ? .changes : typed.has(.stat) ? .counts : .line
        selection = try LogSelection(typed, subject.filter)
        // What is read from the front only may be a pipe that somebody still writes to.
        if isFollowing {
            subject.access = .followed
        } else if !order.isReversed, range == nil, !isByPlace {
            subject.access = .sequential
        }
    }

    var isPaged: Bool { !isFollowing }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let (input, context) = (asked.input, asked.context)
        guard order.limit > 0 else { return .lookedUp(.done) }
        if isByPlace {
            let range = try input.range(self.range ?? RangeText())
            let damages = try PlaceList(path: subject.path, filter: filter, limit: order.limit, context: context)
                .print(input, range, recovers: recovers)
            return Answered(damages: damages, unanswered: Unanswered(), lost: .nothing)
        }
        var printer = LogPrinter(subject.path, selection, detail, filter.scope, limit: order.limit, context)
        let read: (damages: [JournalError], torn: TornTail?)
        do {
            read = try print(input, &printer, context)
        } catch {
            // What stands before the damage is part of the answer.
            try printer.finish()
            throw error
        }
        try printer.finish()
        return Answered(
            damages: read.damages, torn: read.torn, unanswered: printer.lost,
            lost: .commits("they are not in the list"), isIncompleteWithout: selection.mayMissCommits)
    }

    /// - Returns: what was damaged in what was read.
    private func print(
        _ input: JournalInput, _ printer: inout LogPrinter, _ context: CommandContext
    ) throws -> ([JournalError], TornTail?) {
        if order.isReversed { return (try printBackward(input, &printer, context), nil) }
        let range = try self.range.map { range in
            // What the ends of the range are is looked up in the file as it is now.
            try (isFollowing ? JournalInput.whole(subject.path, in: context) : input).range(range)
        }
        return try filter.asksStates && !input.journal.isSeekable
            ? printAsked(input, range, &printer, context) : printForward(input, range, &printer, context)
    }

    private func printForward(
        _ input: JournalInput, _ range: PositionRange?, _ printer: inout LogPrinter, _ context: CommandContext
    ) throws -> ([JournalError], TornTail?) {
        let journal = input.journal
        try filter.follow(journal, range, recovers: recovers, context.messages)
        let seekRange = isFollowing ? nil : range
        var reader =
            try seekRange.map {
                try journal.records(after: $0.lower, through: $0.upper, recover: recovers)
            }
            ?? journal.records(recover: recovers)
        // Of a pipe every line is looked at as it comes, so that what stands before a pause is printed before it.
        var wanted = RecordFilter(
            touching: selection.isWhole || !journal.isSeekable ? .everything : filter.touching, kinds: .all)
        var upcoming = try next(&reader, &wanted, journal, &printer, context)
        while let line = upcoming {
            if isAfterEnd(line.seq, range) { break }
            do {
                if filter.isNoting { try filter.note(line) }
                printer.lose(try reader.lost(before: line), isGap: line.kind == .gap && !line.resumed)
                if isWanted(line.seq, range, journal) { try printer.take(line) }
                if printer.isFull { return ([], nil) }
                upcoming = try next(&reader, &wanted, journal, &printer, context)
            } catch let error as JournalError {
                // Only a line that is printed is looked into.
                upcoming = try reader.recover(from: error, at: line)
            }
        }
        printer.lose(reader.lostEnd, isGap: false)
        return (reader.damages, reader.tornTail)
    }

    private func printAsked(
        _ input: JournalInput, _ range: PositionRange?, _ printer: inout LogPrinter, _ context: CommandContext
    ) throws -> ([JournalError], TornTail?) {
        var options = Run.Options()
        options.recover = recovers
        options.companions = .mark
        options.reportsEarly = true
        let run = try Run(input.journal, nil, asking: filter.queries, options: options)
        let start = run.state
        for record in run.openings { try record.withLine(filter.note) }
        var undecided: OwnedRecord?
        var wasEarly = false
        while let step = try run.next(), !isAfterEnd(step.seq, range) {
            printer.lose(step.lost, isGap: step.kind == .gap)
            if !wasEarly, let record = run.record {
                try record.withLine(filter.note)
                if record.kind == .commit { undecided = record } else { try record.withLine { try printer.take($0) } }
            }
            // The state after a commit is that of its position, which a store that opens after the commit may still
            // change.
            if step.isComplete || run.isEarly, let commit = undecided.take() {
                filter.know(run.state, old: run.old)
                if isWanted(commit.seq, range, input.journal) { try commit.withLine { try printer.take($0) } }
            }
            for mark in run.companions { try mark.withLine { try printer.take($0) } }
            if printer.isFull { return ([], nil) }
            wasEarly = run.isEarly
            if wasEarly { try wait(&printer, context) }
        }
        filter.reportWarnings([(input.journal.start, start), (run.lastCommit, run.state)], context.messages)
        printer.lose(run.lostEnd, isGap: false)
        return (run.damages, run.tornTail)
    }

    private func isWanted(_ seq: CommitNumber, _ range: PositionRange?, _ journal: Journal) -> Bool {
        guard isFollowing, let range else { return true }
        return seq > range.lower || range.lower == journal.start
    }

    /// Whether a line of a followed journal is after the end of the range, if an end was typed.
    private func isAfterEnd(_ seq: CommitNumber, _ range: PositionRange?) -> Bool {
        guard isFollowing, self.range?.to != nil, let range else { return false }
        return seq > range.upper
    }

    private func wait(_ printer: inout LogPrinter, _ context: CommandContext) throws {
        try printer.flush()
        context.progress.hide()
    }

    /// Before a wait for the writer of a pipe all that was read is printed.
    private func next(
        _ reader: inout RecordReader, _ wanted: inout RecordFilter, _ journal: Journal, _ printer: inout LogPrinter,
        _ context: CommandContext
    ) throws -> RecordLine? {
        if !journal.isSeekable, !reader.hasWholeLine, journal.isWaiting { try wait(&printer, context) }
        return try reader.next(matching: &wanted)
    }

    private func printBackward(_ input: JournalInput, _ printer: inout LogPrinter, _ context: CommandContext) throws
        -> [JournalError]
    {
        let range = try input.range(self.range ?? RangeText())
        try filter.follow(input.journal, range, recovers: recovers, context.messages)
        let showsStart = self.range == nil
        let end = self.range == nil ? nil : try input.journal.endOfLines(of: range.upper)
        let front = try showsStart ? .zero : input.journal.offset(firstAtLeast: range.lower.next)
        let examiner = printer
        var reader = try input.journal.recordsBackward(from: end, downTo: front, recover: recovers) {
            (line) throws(JournalError) in try examiner.examine(line)
        }
        printer.lose(reader.lostEnd, isGap: false)
        var later: (seq: CommitNumber, kind: RecordKind)?
        while let line = try reader.next() {
            if let later, later.kind != .commit, line.seq < later.seq {
                printer.lose(line.seq.next...later.seq, isGap: later.kind == .gap)
            }
            later = (line.seq, line.kind)
            if line.seq <= range.lower, !showsStart { break }
            try printer.take(line)
            if printer.isFull { return [] }
        }
        return reader.damages
    }
}
