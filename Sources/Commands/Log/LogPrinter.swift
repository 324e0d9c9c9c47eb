import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct LogPrinter {
    /// What is said of a commit besides its line.
    enum Detail {
        case line, changes, counts
    }

    /// A record of the list; a note is a few words about one that is not a commit.
    private typealias Row = (record: RecordSummary, kind: RecordKind, note: String)

    private static let summaryWidth = 20

    private let path: String
    private let selection: LogSelection
    private let detail: Detail
    private let scope: StoreScope
    private let context: CommandContext
    private let table: ChangeTable
    private var columns: CommitLine
    private var list: LineList<Row>
    /// The commits that were lost and have no line.
    private(set) var lost = Unanswered()

    init(
        _ path: String, _ selection: LogSelection, _ detail: Detail, _ scope: StoreScope, limit: Int,
        _ context: CommandContext
    ) {
        self.path = path
        self.selection = selection
        self.detail = detail
        self.scope = scope
        self.context = context
        list = LineList(ListOrder(limit: limit))
        table = ChangeTable(style: context.style, width: context.terminal.width)
        columns = CommitLine(
            style: context.style, width: context.terminal.width, rest: detail == .changes ? 0 : Self.summaryWidth)
    }

    var isFull: Bool { list.isFull }

    mutating func take(_ line: RecordLine) throws {
        let choice = try selection.choice(of: line, context.format)
        if choice == .nothing { return }
        switch context.format {
        case .json:
            _ = try line.token()
            if let citations = context.citations {
                try context.writeJSON(Array(line.bytes), citations.cite(line.seq.rawValue, of: path))
            } else {
                try context.output.writeLine(line.bytes)
            }
            _ = list.take(nil, isCounted: choice == .counted)
        case .human:
            let record = try Record(line)
            let row = (RecordSummary(record, scope: scope), line.kind, Self.note(record))
            try print(list.take(row, isCounted: choice == .counted))
        }
    }

    /// Throws the damage with which ``take(_:)`` would end at a line.
    func examine(_ line: RecordLine) throws(JournalError) {
        if let choice = try? selection.choice(of: line, context.format), choice == .nothing { return }
        switch context.format {
        case .json: _ = try line.token()
        case .human: _ = try Record(line)
        }
    }

    /// Takes commits that were lost.
    mutating func lose(_ commits: ClosedRange<CommitNumber>?, isGap: Bool) {
        guard let commits, !isGap || selection.isSilent(ofGaps: context.format) else { return }
        lost.lose(commits)
    }

    /// Prints the lines that wait, and flushes the output.
    mutating func flush() throws {
        try finish()
        try context.output.flush()
    }

    mutating func finish() throws { try print(list.flush()) }

    private mutating func print(_ rows: [Row]) throws {
        for row in rows where row.kind == .commit { columns.measure(row.record, followedBy: Self.summaryWidth) }
        for row in rows { try print(row.record, row.kind, row.note) }
    }

    private mutating func print(_ record: RecordSummary, _ kind: RecordKind, _ note: String) throws {
        _ = try context.citations?.cite(record.seq, of: path)
        context.output.fit?.commit = record.seq
        guard kind == .commit else {
            let words = ["\(record.seq)", record.clock, "\(kind.name)", note].filter { !$0.isEmpty }
            let text = ControlCharacters.escaped(words.joined(separator: "  "))
            return try context.output.writeLine(context.style(kind == .gap ? .warning : .dim, shortened(text)))
        }
        let line = detail == .changes ? columns.text(record) : columns.padded(record)
        switch detail {
        case .line:
            try context.output.writeLine(
                clipped(line + "  " + table.summary(record.changes, after: DisplayWidth.of(line) + 2)))
        case .counts: try context.output.writeLine(clipped(line + "  " + ChangeCounts(record.changes).sentence))
        case .changes:
            try context.output.writeLine(clipped(line))
            if let action = record.action { try context.output.writeLine(table.line(action, indent: 7, column: 9)) }
            for change in table.lines(record.changes, indent: 7) { try context.output.writeLine(change) }
            if record.changes.isEmpty { try context.output.writeLine(clipped("       changed nothing")) }
        }
    }

    private func clipped(_ line: String) -> String { DisplayWidth.clipped(line, to: context.terminal.width) }

    private func shortened(_ text: String) -> String {
        context.terminal.width.map { DisplayWidth.shortened(text, to: $0) } ?? text
    }

    private static func note(_ record: Record) -> String {
        switch record.kind {
        case .mark: (record.string(.level).map { "(\($0)) " } ?? "") + (record.text ?? "")
        case .store, .close: record.store ?? ""
        case .derived: record.name ?? ""
        case .abort: (record.store ?? "") + "  " + (record.string(.error) ?? "")
        case .gap: "\(record[.lost]?.integer ?? 0) commits lost: " + (record.string(.reason) ?? "")
        case .outcome: record[.derived].map { ValuePreview.text($0, limit: 200) } ?? ""
        case .journal, .commit, .keyframe, .end, .other: ""
        }
    }
}
