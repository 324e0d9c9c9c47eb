import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct BlameCommand: JournalCommand {
    static let definition = CommandDefinition(
        name: .blame, summary: "who last wrote each value", synopsis: ["JOURNAL [PATH...] [OPTIONS]"],
        operands: [.required("JOURNAL", .file), .anyNumber("PATH", .path)],
        options: [.at, .store, .blameReverse, .blameIgnore, .cite],
        details: [
            """
            Names, for each scalar and empty container at and below PATH, the commit that last wrote it, or the \
            opening of its store where no commit did. An element keeps its author when its array shifts or it is \
            moved. The journal is read backwards from the position, only as far as there are answers to be found.
            """,
            """
            The value is what that commit wrote; where a commit after it was ignored, what is there now is reported \
            besides.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect blame samples/checkout.jsonl /cart/total", purpose: "which line set the total"),
            .init(
                line: "state-inspect blame samples/checkout.jsonl '/cart/items/*/price' --at 118",
                purpose: "who wrote each price that was in the cart after commit 118"),
        ],
        answers: [answer.definition])

    let subject: JournalSubject
    private let patterns: [PathPattern]
    private let direction: Blame.Direction
    private let ignored: CommitList
    private var scope: StoreScope { subject.scope }

    init(_ typed: TypedArguments) throws {
        direction = typed.has(.reverse) ? .nextWriter : .lastWriter
        let position =
            try typed.value(.at).map { try PositionText(parsing: $0) }
            ?? (direction == .lastWriter ? .end(minus: 0) : .start)
        subject = try JournalSubject(typed, .position(position, isState: true))
        let paths = Array(typed.operands.dropFirst())
        patterns = try subject.scope.patterns(operands: paths.isEmpty ? [""] : paths)
        ignored = try CommitList(parsing: typed.all(.ignore))
    }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let (input, context, position) = (asked.input, asked.context, asked.position)
        try input.journal.check(ignored)
        let paths = PathMatcher(patterns.map(\.steps))
        let state = try input.journal.state(at: position, pruning: paths.paths).value
        let parts = paths.matches(in: state)
        for pattern in patterns where pattern.matches(in: state).isEmpty {
            throw try input.nothing(at: pattern, position, .blame, Advice(subject.path, scope), scope)
        }
        let lines = try Blame.lines(
            of: parts, in: state, at: position, direction, ignoring: ignored, journal: input.journal)
        switch context.format {
        case .json: try writeJSON(lines, context) { try context.cite(position, $0.path, $0.found, of: input.journal) }
        case .human:
            for line in lines { _ = try context.cite(position, line.path, line.found, of: input.journal) }
            try writeTable(lines, context)
        }
        let unknown = direction == .lastWriter ? lines.first { $0.record == nil } : nil
        let isAcrossGap = lines.contains { $0.record?.kind == .gap }
        if let unknown { context.messages.report(noAuthor(of: unknown.path)) }
        if isAcrossGap { context.messages.report(acrossGap) }
        return .lookedUp(isAcrossGap || unknown != nil ? .inconclusive : .done)
    }

    private func writeJSON(
        _ lines: [Blame.Line], _ context: CommandContext, _ cite: (Blame.Line) throws -> Citation?
    ) throws {
        var authors = RecordCache()
        for line in lines {
            let author = try line.record.map { try authors.author(of: $0) }
            try context.writeJSON(Self.answer((line, scope.text(of: line.path), author)), cite(line))
        }
    }

    private static let valueWidth = 24

    private func writeTable(_ lines: [Blame.Line], _ context: CommandContext) throws {
        var authors = RecordCache()
        let story = CommitStory(context)
        let never = RecordSummary(seq: 0, kind: .never, time: "")
        let rows: [(RecordSummary, String, Blame.Line)] = try lines.map { line in
            (
                try line.record.map { try authors.author(of: $0).summary } ?? never, scope.text(of: line.path),
                line
            )
        }
        let width = context.terminal.width
        let widest = min(
            width.map { $0 / 3 } ?? CommitStory.pathColumn,
            rows.map { DisplayWidth.of(ControlCharacters.escaped($0.1)) }.max() ?? 0)
        var columns = CommitLine(width: width, rest: widest + 2 + Self.valueWidth)
        for row in rows { columns.measure(row.0, followedBy: widest + 2 + story.wantedWidth(of: row.2.value)) }
        for (record, path, line) in rows {
            let name = ControlCharacters.escaped(path.isEmpty ? "(all)" : path)
            let fitting = width == nil ? name : DisplayWidth.shortenedInMiddle(name, to: max(widest, 5))
            let place = DisplayWidth.padded(fitting, to: widest)
            var row = columns.padded(record) + "  \(place, .path)  "
            row += "\(story.value(line.value, after: row.columns))"
            if line.found != line.value { row += "\("  now ", .dim)\(story.value(line.found, after: 0))" }
            try context.writeRow(row)
        }
    }

    /// Every value was written by some record, if only by the opening of its store.
    private func noAuthor(of place: JSONPointer) -> Diagnostic {
        Diagnostic(
            .warning, code: "blame.no-author", "no record of the journal wrote '\(scope.text(of: place))'",
            notes: ["the one that opened its store is missing"],
            help: Advice(subject.path).help(.verify, to: "lists all damage"))
    }

    private var acrossGap: Diagnostic {
        Diagnostic(
            .warning, code: "blame.across-gap", "some of it was written by commits that were lost",
            notes: ["a gap stands for them: the commits that wrote those values are not in the journal"])
    }
}

/// Each record is read once, however often its leaves come up.
private struct RecordCache {
    private var authors: [ByteOffset: RecordFacts] = [:]

    mutating func author(of record: OwnedRecord) throws -> RecordFacts {
        if let author = authors[record.offset] { return author }
        let author = RecordFacts(try Record(record))
        authors[record.offset] = author
        return author
    }
}

extension BlameCommand {
    static let answer = AnswerKind<(line: Blame.Line, path: String, author: RecordFacts?)>(
        "blame", "a leaf of the state, and the record that wrote it",
        [
            .always("path", "where it is", \.path),
            .always("value", "what the record wrote; in reverse, what is there", \.line.value),
            .sometimes("now", "what is there, if a commit that was ignored wrote over the value") { row in
                row.line.found == row.line.value ? nil : row.line.found
            },
            .always("store", "the store of the record, null for a gap and where there is none", \.author?.store),
            .always("seq", "the number of the record, null where there is none", \.line.record?.seq),
            .always("time", "when the record was made, null where there is none", \.author?.time),
            .always("at", "the place in the source of the record, null where it has none", \.author?.at),
        ])
}
