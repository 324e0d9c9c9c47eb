import Diagnostics
import JSONCore
import JournalFormat
import TimeTravel

/// `blame J [PATH]`: which record last wrote each leaf of the state.
struct BlameCommand: Command {
    static let definition = CommandDefinition(
        name: .blame, summary: "who last wrote each value", synopsis: ["JOURNAL [PATH...] [OPTIONS]"],
        operands: [.required("JOURNAL", .file), .anyNumber("PATH")],
        options: [.at, .store, .reverse, .ignore],
        details: [
            """
            Names, for each scalar and empty container at and below PATH, the commit that last wrote it, or the \
            opening of its store where no commit did. An element keeps its author when its array shifts or it is \
            moved. The journal is read backwards from the position, only as far as there are answers to be found.
            """
        ],
        examples: [
            .init(
                line: "state-inspect blame samples/checkout.jsonl /cart/total", purpose: "which line set the total"),
            .init(
                line: "state-inspect blame samples/checkout.jsonl '/cart/items/*/price' --at 118",
                purpose: "who wrote each price that was in the cart after commit 118"),
        ])

    private let path: String
    private let patterns: [PathPattern]
    private let position: PositionText
    private let direction: Blame.Direction
    private let ignored: CommitList
    private let scope: StoreScope

    init(_ typed: TypedArguments) throws {
        path = typed.operands[0]
        scope = try StoreScope(typed)
        let paths = Array(typed.operands.dropFirst())
        patterns = try scope.patterns(operands: paths.isEmpty ? [""] : paths)
        direction = typed.has(.reverse) ? .nextWriter : .lastWriter
        position =
            try typed.value(.at).map { try PositionText(parsing: $0) }
            ?? (direction == .lastWriter ? .end(minus: 0) : .start)
        ignored = try CommitList(parsing: typed.all(.ignore))
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let input = try JournalInput.random(path, in: context)
        let position = try input.position(position)
        try StoreNames(input.journal, at: position).check(scope)
        let paths = PathMatcher(patterns.map(\.steps))
        let state = try input.journal.state(at: position, pruning: paths.paths).value
        let parts = paths.matches(in: state)
        for pattern in patterns where pattern.matches(in: state).isEmpty {
            throw try nothing(at: pattern, input.journal, position)
        }
        let lines = try Blame.lines(
            of: parts, in: state, at: position, direction, ignoring: ignored, journal: input.journal)
        switch context.format {
        case .json: try writeJSON(lines, context)
        case .human: try writeTable(lines, context)
        }
        guard lines.contains(where: { $0.record?.kind == .gap }) else { return .done }
        context.messages.tell(acrossGap)
        return .inconclusive
    }

    private func writeJSON(_ lines: [Blame.Line], _ context: CommandContext) throws {
        var authors = RecordCache()
        for line in lines {
            let record = try line.record.map { try authors.object(of: $0) }
            var answer = Answer(.blame)
            answer.set("path", scope.text(of: line.path))
            answer.set("value", line.value)
            answer.set("seq", line.record?.seq.rawValue)
            answer.set("time", record?["time"] ?? .null)
            answer.set("at", record?["at"] ?? .null)
            try context.output.writeLine(answer.line)
        }
    }

    private func writeTable(_ lines: [Blame.Line], _ context: CommandContext) throws {
        var authors = RecordCache()
        var columns = CommitLine(style: context.style)
        let table = ChangeTable(style: context.style, width: context.terminal.width)
        let never = RecordSummary(seq: 0, kind: .never, time: "")
        let rows = try lines.map { line in
            let record = try line.record.map { RecordSummary(try authors.object(of: $0), scope: scope).withoutCause }
            return (record ?? never, scope.text(of: line.path), line.value)
        }
        for row in rows { columns.measure(row.0) }
        let widest = min(
            ChangeTable.pathColumn, rows.map { DisplayWidth.of(ControlCharacters.escaped($0.1)) }.max() ?? 0)
        for (record, path, value) in rows {
            let place = DisplayWidth.padded(ControlCharacters.escaped(path.isEmpty ? "(all)" : path), to: widest)
            let start = columns.padded(record) + "  " + context.style(.path, place) + "  "
            try context.output.writeLine(start + table.value(value, after: DisplayWidth.of(start)))
        }
    }

    /// Nothing of the state is at such a path.
    private func nothing(
        at pattern: PathPattern, _ journal: Journal, _ position: CommitNumber
    ) throws -> CommandFailure {
        let state = try journal.state(at: position).value
        let advice = Advice(path, scope)
        return CommandFailure(
            .notThere,
            Diagnostic(
                code: "blame.no-such-path", "nothing is at '\(pattern.text)' after commit \(position.rawValue)",
                notes: NearestPath.notes(for: pattern, in: state, scope),
                help: NearestPath.help(for: pattern, in: state, scope)
                    + advice.help(.state, [], [(.at, "\(position.rawValue)")], to: "shows what is there")
                    + advice.help(.history, [pattern.text], to: "tells when it was")))
    }

    private var acrossGap: Diagnostic {
        Diagnostic(
            .warning, code: "blame.across-gap", "some of it was written by commits that were lost",
            notes: ["a gap stands for them: whoever wrote those values is not in the journal"])
    }
}

/// Records as objects, each parsed once: the leaves of one commit mostly stand together.
private struct RecordCache {
    private var last: (record: OwnedRecord, object: JSONObject)?

    mutating func object(of record: OwnedRecord) throws -> JSONObject {
        if let last, last.record.offset == record.offset { return last.object }
        let object = try record.object()
        last = (record, object)
        return object
    }
}

extension AnswerDefinition {
    static let blame = AnswerDefinition(
        "blame", "a leaf of the state, and the record that wrote it",
        [
            .always("path", "where it is"),
            .always("value", "what is there"),
            .always("seq", "the number of the record, null where there is none"),
            .always("time", "when the record was made, null where there is none"),
            .always("at", "the place in the source of the record, null where it has none"),
        ])
}
