import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

struct ReplayPrinter {
    private static let valueWidth = 24

    private struct Row {
        let record: RecordSummary
        let value: JSONValue
    }

    private let rules: ReplayRules
    private let scope: StoreScope
    private let context: CommandContext
    private var columns: CommitLine
    /// The rows that are held back so that the columns fit them; none in real time.
    private var list: LineList<Row>
    private var waiting: [Row] = []
    private var printed = 0
    private var lastTime: Timestamp?

    init(_ rules: ReplayRules, _ scope: StoreScope, upTo last: CommitNumber, _ context: CommandContext) {
        self.rules = rules
        self.scope = scope
        self.context = context
        columns = CommitLine(style: context.style, width: context.terminal.width, rest: Self.valueWidth)
        columns.measure(RecordSummary(seq: last.rawValue, time: ""))
        list = LineList(ListOrder(), lookAhead: rules.pace == nil ? 64 : 1)
    }

    var isFull: Bool { !rules.isFinal && printed >= rules.limit }

    /// Prints a line that is not a state: a commit whose old value is not the one that it was made for.
    mutating func print(_ conflict: Run.Conflict) throws {
        try finish()
        let record = try Record(conflict.record)
        if let store = record.store, !scope.includes(store) { return }
        try context.write(
            Run.Conflict.answer((conflict, record, scope)),
            or: context.style(.warning, "\(conflict.record.seq)  ") + ControlCharacters.escaped(conflict.text(scope)))
    }

    mutating func print(_ line: ReplayLine) throws {
        guard printed < rules.limit else { return }
        printed += 1
        let record = try line.record.map { try Record($0) }
        wait(for: record)
        if context.format == .json {
            try context.output.writeLine(Self.answer((line, record)))
        } else {
            waiting += list.take(row(line, record))
            try printWaiting()
        }
        if rules.pace != nil { try context.output.flush() }
    }

    mutating func finish() throws {
        waiting += list.flush()
        try printWaiting()
    }

    private mutating func printWaiting() throws {
        defer { waiting.removeAll() }
        for row in waiting { measure(row) }
        for row in waiting { try context.writeText(text(row)) }
    }

    private mutating func measure(_ row: Row) {
        let value = DisplayWidth.of(ValuePreview.shortened(row.value, to: Self.valueWidth))
        columns.measure(row.record, followedBy: value)
    }

    private func row(_ line: ReplayLine, _ record: Record?) -> Row {
        let record =
            record.map { RecordSummary($0).withoutCause }
            ?? RecordSummary(seq: line.position.rawValue, time: "")
        return Row(record: record, value: line.value)
    }

    private mutating func text(_ row: Row) -> String {
        let head = columns.padded(row.record)
        let room = max(24, (context.terminal.width ?? ChangeTable.defaultWidth) - DisplayWidth.of(head) - 2)
        let value = ControlCharacters.escaped(ValuePreview.text(row.value, limit: room * 4))
        return DisplayWidth.clipped(
            head + "  " + DisplayWidth.shortened(value, to: room), to: context.terminal.width)
    }

    /// Lets as much time pass as passed between the commits, divided by the pace.
    private mutating func wait(for record: Record?) {
        guard let pace = rules.pace, let time = record?.time.flatMap({ Timestamp($0) }) else { return }
        defer { lastTime = time }
        guard let lastTime else { return }
        let passed = abs(Double(time.microseconds) - Double(lastTime.microseconds)) / pace
        SystemClock.sleep(microseconds: passed)
    }
}

extension ReplayPrinter {
    static let answer = AnswerKind<(line: ReplayLine, record: Record?)>(
        "state", "the state after a commit, or what a query gives of it",
        [
            .always("seq", "the position", \.line.position),
            .always("store", "the store of the commit, null at the start", .store, of: \.record),
            .always("time", "when the record was made, null where there is none", .time, of: \.record),
            .always("at", "the place in the source of the record, null where it has none", .at, of: \.record),
            .always("value", "the state, or the first output of the query", \.line.value),
        ])
}
