import Diagnostics
import JSONCore
import JournalFormat

/// Commits as a list for people, printed as it grows; the first lines are held back so that the columns fit them.
struct LogList {
    /// What is said of a commit besides its line.
    enum Detail {
        case line, changes, counts
    }

    /// How many records are looked at before the first is printed.
    static let lookAhead = 64

    /// Columns of a screen that are kept for what a commit changed.
    private static let summaryWidth = 20

    private let detail: Detail
    private let scope: StoreScope
    private let context: CommandContext
    private let table: ChangeTable
    private var columns: CommitLine
    private var waiting: [(record: RecordSummary, kind: RecordKind, note: String)] = []
    private var isFlowing = false

    /// A list.
    init(_ detail: Detail, _ scope: StoreScope, _ context: CommandContext) {
        self.detail = detail
        self.scope = scope
        self.context = context
        table = ChangeTable(style: context.style, width: context.terminal.width)
        columns = CommitLine(
            style: context.style, width: context.terminal.width, reserve: detail == .changes ? 0 : Self.summaryWidth)
    }

    /// Adds a record.
    mutating func add(_ line: RecordLine) throws {
        let record = try Record(line)
        waiting.append((RecordSummary(record, scope: scope), line.kind, Self.note(record)))
        if isFlowing || waiting.count >= Self.lookAhead { try flush() }
    }

    /// Prints what waits.
    mutating func flush() throws(OutputError) {
        for entry in waiting where entry.kind == .commit { columns.measure(entry.record) }
        for entry in waiting { try print(entry.record, entry.kind, entry.note) }
        waiting.removeAll()
        isFlowing = true
    }

    private mutating func print(_ record: RecordSummary, _ kind: RecordKind, _ note: String) throws(OutputError) {
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
        case .counts: try context.output.writeLine(clipped(line + "  " + Self.counts(record.changes)))
        case .changes:
            try context.output.writeLine(clipped(line))
            for change in table.lines(record.changes, indent: 7) { try context.output.writeLine(change) }
            if record.changes.isEmpty { try context.output.writeLine("       changed nothing") }
        }
    }

    private func clipped(_ line: String) -> String { DisplayWidth.clipped(line, to: context.terminal.width) }

    /// As `3 changes: 1 added, 2 replaced`.
    static func counts(_ changes: [Change]) -> String {
        let kinds = ChangeCounts(changes)
        guard !changes.isEmpty else { return "no changes" }
        return (changes.count == 1 ? "1 change: " : "\(changes.count) changes: ") + kinds.text
    }

    private func shortened(_ text: String) -> String {
        context.terminal.width.map { DisplayWidth.shortened(text, to: $0) } ?? text
    }

    /// A few words about a record that is not a commit.
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
