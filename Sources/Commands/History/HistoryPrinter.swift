import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct HistoryPrinter {
    private let scope: StoreScope
    private let showsPaths: Bool
    private let context: CommandContext
    private let table: ChangeTable
    private var columns: CommitLine
    private var list: LineList<History.Change>
    var cite: ((History.Change) throws -> Citation?)?

    init(_ order: ListOrder, _ scope: StoreScope, _ showsPaths: Bool, _ context: CommandContext) {
        list = LineList(order)
        self.scope = scope
        self.showsPaths = showsPaths
        self.context = context
        table = ChangeTable(style: context.style, width: context.terminal.width)
        let width = context.terminal.width
        columns = CommitLine(style: context.style, width: width, rest: width.map { $0 / 2 } ?? 0)
    }

    /// Whether no more changes are wanted.
    var isFull: Bool { list.isFull }

    /// Takes a change.
    mutating func take(_ change: History.Change) throws { try print(list.take(change)) }

    mutating func finish() throws { try print(list.flush()) }

    private mutating func print(_ changes: [History.Change]) throws {
        let records = try changes.map { try Record($0.record) }
        if context.format == .human {
            for (change, record) in zip(changes, records) {
                let path = showsPaths ? DisplayWidth.of(ControlCharacters.escaped(scope.text(of: change.path))) + 2 : 0
                columns.measure(
                    RecordSummary(record).withoutCause, followedBy: path + table.wantedWidth(of: effect(change)))
            }
        }
        for (change, record) in zip(changes, records) {
            context.output.fit?.commit = record.seq.rawValue
            let citation = try cite?(change)
            switch context.format {
            case .json:
                let path = showsPaths ? scope.text(of: change.path) : nil
                try context.writeJSON(Self.answer((change, record, path)), citation)
            case .human: try context.writeText(text(change, record))
            }
        }
    }

    /// As `118  12:00:03.482  cart  applyDiscount(_:)  Shop/Cart.swift:42  12 → -3`.
    private mutating func text(_ change: History.Change, _ record: Record) -> String {
        var start = columns.padded(RecordSummary(record).withoutCause) + "  "
        if showsPaths { start += context.style(.path, ControlCharacters.escaped(scope.text(of: change.path))) + "  " }
        let line = start + table.effect(effect(change), after: DisplayWidth.of(start))
        return DisplayWidth.clipped(line, to: context.terminal.width)
    }

    private func effect(_ change: History.Change) -> Change.Effect {
        switch (change.old, change.value) {
        case (let old, let value?): old.map { .replaced(old: $0, new: value) } ?? .added(value)
        case (let old, nil): .removed(old)
        }
    }
}

extension HistoryPrinter {
    static let answer = AnswerKind<(change: History.Change, record: Record, path: String?)>(
        "change", "one change of the value that is followed",
        [
            .always("seq", "the position after the change", \.change.position),
            .always("store", "the store of the record, null for a gap", .store, of: \.record),
            .sometimes("path", "where it is, for a path with wildcards", \.path),
            .sometimes("old", "the value before, missing where there was none", \.change.old),
            .sometimes("value", "the value after, missing where there is none", \.change.value),
            .always("time", "when the record was made, null where there is none", .time, of: \.record),
            .always("at", "the place in the source of the record, null where it has none", .at, of: \.record),
        ])
}
