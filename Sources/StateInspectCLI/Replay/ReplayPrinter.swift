import Diagnostics
import JSONCore
import JournalFormat
import Platform
import QueryLanguage
import TimeTravel

/// Prints the answers of a replay that its rules ask for.
struct ReplayPrinter {
    /// One answer, as it is printed.
    struct Line {
        let position: CommitNumber
        let record: Source
        let value: JSONValue
    }

    /// The record of a position, parsed only if it is printed.
    enum Source {
        case none
        case object(JSONObject)
        case line(OwnedRecord)

        /// The whole record; nil at the start.
        func object() throws(JournalError) -> JSONObject? {
            switch self {
            case .none: nil
            case .object(let object): object
            case .line(let line): try line.object()
            }
        }
    }

    /// The positions at which the query failed.
    private(set) var failures = QueryFailures()

    private let rules: ReplayRules
    private let scope: StoreScope
    private let context: CommandContext
    private var columns: CommitLine
    private var printed = 0
    private var last: Line?
    private var start: Line?
    private var lastTime: Timestamp?

    /// A printer.
    init(_ rules: ReplayRules, _ scope: StoreScope, upTo last: CommitNumber, _ context: CommandContext) {
        self.rules = rules
        self.scope = scope
        self.context = context
        columns = CommitLine(style: context.style)
        columns.measure(RecordSummary(seq: last.rawValue, time: ""))
    }

    /// Whether no more lines are wanted.
    var isFull: Bool { !rules.isFinal && printed >= rules.limit }

    /// Takes the answer at a position.
    ///
    /// - Parameter isChangeKnown: whether the caller has made sure already that the value differs from the one before.
    mutating func take(
        _ answer: ReplayQuestion.Answer, at position: CommitNumber, _ record: Source, isChangeKnown: Bool = false
    ) throws {
        switch answer {
        case .nothing: return
        case .failure(let error): failures.add(error, at: position)
        case .value(let value):
            if rules.isChanged, !isChangeKnown, let last, last.value == value { return }
            let line = Line(position: position, record: record, value: value)
            last = line
            if !rules.isFinal { try print(line) }
        }
    }

    /// Takes the answer before the first commit, which is printed only as the last line of all.
    mutating func takeStart(_ answer: ReplayQuestion.Answer, at position: CommitNumber) throws {
        guard rules.isFinal else { return }
        switch answer {
        case .nothing: return
        case .failure(let error): failures.add(error, at: position)
        case .value(let value): start = Line(position: position, record: .none, value: value)
        }
    }

    /// Prints a line that is no state: a commit that met another one than it was made for.
    mutating func printConflict(_ conflict: WhatIf.Conflict) throws {
        let record = try conflict.record.object()
        if let store = record["store"]?.string, !scope.includes(store) { return }
        switch context.format {
        case .json: try context.output.writeLine(conflict.answer(record, scope).line)
        case .human:
            try context.output.writeLine(
                context.style(.warning, "\(conflict.record.seq)  ") + ControlCharacters.escaped(conflict.text(scope)))
        }
    }

    /// Prints what waits for the end.
    mutating func finish() throws {
        if rules.isFinal, let last = last ?? start, rules.limit > 0 { try print(last) }
    }

    private mutating func print(_ line: Line) throws {
        guard printed < rules.limit else { return }
        printed += 1
        let record = try line.record.object()
        wait(for: record)
        switch context.format {
        case .json: try context.output.writeLine(answer(line, record).line)
        case .human: try context.output.writeLine(text(line, record))
        }
        if rules.pace != nil { try context.output.flush() }
    }

    private func answer(_ line: Line, _ record: JSONObject?) -> Answer {
        var answer = Answer(.state)
        answer.set("seq", line.position.rawValue)
        answer.set("store", record?["store"] ?? .null)
        answer.set("time", record?["time"] ?? .null)
        answer.set("at", record?["at"] ?? .null)
        answer.set("value", line.value)
        return answer
    }

    private mutating func text(_ line: Line, _ record: JSONObject?) -> String {
        let record =
            record.map { RecordSummary($0, scope: scope).withoutCause }
            ?? RecordSummary(seq: line.position.rawValue, time: "")
        let head = columns.padded(record)
        let room = max(24, (context.terminal.width ?? ChangeTable.defaultWidth) - DisplayWidth.of(head) - 2)
        let value = ControlCharacters.escaped(ValuePreview.text(line.value, limit: room * 4))
        return head + "  " + DisplayWidth.shortened(value, to: room)
    }

    /// Lets as much time pass as passed between the commits, divided by the pace.
    private mutating func wait(for record: JSONObject?) {
        guard let pace = rules.pace, let time = record?["time"]?.string.flatMap({ Timestamp($0) }) else { return }
        defer { lastTime = time }
        guard let lastTime else { return }
        let passed = abs(Double(time.microseconds) - Double(lastTime.microseconds)) / pace
        SystemClock.sleep(microseconds: passed)
    }
}

extension AnswerDefinition {
    static let state = AnswerDefinition(
        "state", "the state after a commit, or what a query gives of it",
        [
            .always("seq", "the position"),
            .always("store", "the store of the commit, null at the start"),
            .always("time", "when the record was made, null where there is none"),
            .always("at", "the place in the source of the record, null where it has none"),
            .always("value", "the state, or the first output of the query"),
        ])
}
