import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct LogPrinter {
    enum Detail {
        case line, changes, counts
    }

    /// A record of the list; a note is a few words about one that is not a commit.
    private typealias ListedRecord = (record: RecordSummary, kind: RecordKind, note: String)

    private static let summaryWidth = 20

    private let path: String
    private let selection: LogSelection
    private let detail: Detail
    private let scope: StoreScope
    private let context: CommandContext
    private let story: CommitStory
    private var columns: CommitLine
    private var list: LineList<ListedRecord>
    /// The commits that were lost and have no line.
    private(set) var lost = Unanswered()

    init(
        _ path: String, _ selection: LogSelection, _ detail: Detail, _ scope: StoreScope, limit: Int,
        _ context: CommandContext
    ) {
        (self.path, self.selection, self.detail, self.scope, self.context) = (path, selection, detail, scope, context)
        list = LineList(ListOrder(limit: limit))
        story = CommitStory(context)
        columns = CommitLine(width: context.terminal.width, rest: detail == .changes ? 0 : Self.summaryWidth)
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

    mutating func lose(_ commits: ClosedRange<CommitNumber>?, isGap: Bool) {
        guard let commits, !isGap || selection.isSilent(ofGaps: context.format) else { return }
        lost.lose(commits)
    }

    mutating func flush() throws {
        try finish()
        try context.output.flush()
    }

    mutating func finish() throws { try print(list.flush()) }

    private mutating func print(_ rows: [ListedRecord]) throws {
        for row in rows where row.kind == .commit { columns.measure(row.record, followedBy: Self.summaryWidth) }
        for row in rows { try print(row.record, row.kind, row.note) }
    }

    private mutating func print(_ record: RecordSummary, _ kind: RecordKind, _ note: String) throws {
        _ = try context.citations?.cite(record.seq, of: path)
        context.output.fit?.commit = record.seq
        guard kind == .commit else {
            let words = ["\(record.seq)", record.clock, "\(kind.name)", note].filter { !$0.isEmpty }
            return try context.writeRow("\(words.joined(separator: "  "), kind == .gap ? .warning : .dim)")
        }
        let line = detail == .changes ? columns.text(record) : columns.padded(record)
        switch detail {
        case .line:
            try context.writeRow(line + "  " + story.summary(record.changes, after: line.columns + 2))
        case .counts: try context.writeRow(line + "  \(ChangeCounts(record.changes).sentence)")
        case .changes:
            try context.writeRow(line)
            if let action = record.action { try context.writeRow(story.line(action, indent: 7, column: 9)) }
            for line in story.lines(record.changes, indent: 7, most: .all) { try context.writeRow(line) }
        }
    }

    private static func note(_ record: Record) -> String {
        switch record.kind {
        case .mark: (record.string(.level).map { "(\($0)) " } ?? "") + (record.text ?? "")
        case .store, .close: record.store ?? ""
        case .derived: record.name ?? ""
        case .abort: (record.store ?? "") + "  " + (record.string(.error) ?? "")
        case .gap: "\(record[.lost]?.integer ?? 0) commits lost: " + (record.string(.reason) ?? "")
        case .outcome: record[.derived].map { FittedValue.text($0, limit: 200) } ?? ""
        case .journal, .commit, .keyframe, .end, .other: ""
        }
    }
}

struct LogSelection {
    let isWhole: Bool
    private let filter: CommitFilter
    /// Nil prints marks for people where nothing filters.
    private let marks: Bool?

    enum Choice {
        /// It is a commit, or another record that was asked for.
        case counted
        /// It stands among the commits and is not counted.
        case beside
        case nothing
    }

    init(_ typed: TypedArguments, _ filter: CommitFilter) throws(UsageError) {
        isWhole = typed.has(.logAll)
        self.filter = filter
        if typed.has(.marks), typed.has(.noMarks) { throw .exclusive([.marks, .noMarks]) }
        marks = typed.has(.marks) ? true : typed.has(.noMarks) ? false : nil
    }

    func isSilent(ofGaps format: OutputFormat) -> Bool { !isWhole && !(format == .human && filter.passesAll) }

    var mayMissCommits: Bool { !filter.passesAll }

    /// Whether a record that is no commit belongs to the store that is named, and nothing else is asked for.
    private func isOfStore(_ line: RecordLine) throws -> Bool {
        guard filter.passesByStore else { return false }
        return try line.kind == .gap || Record(line).store.map(filter.scope.includes) ?? false
    }

    func choice(of line: RecordLine, _ format: OutputFormat) throws -> Choice {
        if line.kind == .commit {
            return try filter.passesAll || filter.passes(try Record(line)) ? .counted : .nothing
        }
        if isWhole { return try filter.passesAll || isOfStore(line) ? .counted : .nothing }
        let isShown = format == .human && filter.passesAll
        switch line.kind {
        case .mark: return marks ?? isShown ? .beside : .nothing
        case .gap, .abort: return isShown ? .beside : .nothing
        case .journal, .store, .derived, .commit, .outcome, .keyframe, .close, .end, .other: return .nothing
        }
    }
}

/// `log --by-place`: a row for each line of source that committed, in the order of files and lines.
struct PlaceList {
    let path: String
    let filter: CommitFilter
    let limit: Int
    let context: CommandContext

    /// One pass, with the places in memory; returns what was damaged.
    func print(_ input: JournalInput, _ range: PositionRange, recovers: Bool) throws -> [JournalError] {
        let journal = input.journal
        try filter.follow(journal, range, recovers: recovers, context.messages)
        var places = try SourceLines(journal)
        var reader = try journal.records(after: range.lower, through: range.upper, recover: recovers)
        var next = try reader.next()
        while let line = next {
            do {
                if filter.isNoting { try filter.note(line) }
                if line.kind == .commit, line.seq > range.lower, try filter.passesAll || filter.passes(Record(line)) {
                    try places.note(line)
                }
                next = try reader.next()
            } catch let error as JournalError {
                next = try reader.recover(from: error, at: line)
            }
        }
        input.report(reader.tornTail)
        let rows = places.lines.sorted { left, right in
            UTF8Order.equal(left.file, right.file)
                ? left.line < right.line : UTF8Order.isLess(left.file, right.file)
        }
        for row in rows.prefix(limit) { try write(row, in: journal) }
        return reader.damages
    }

    private func write(_ row: SourceLines.Line, in journal: Journal) throws {
        let record = RecordSummary(try Record(journal.record(of: row.last)), scope: filter.scope)
        let title = CommitStory(width: nil).summary(record.changes, after: 40).text
        guard context.format == .human else {
            return try context.output.writeLine(Self.answer((row, title, Advice(path, filter.scope))))
        }
        let place: StoryLine = "\("\(row.file):\(row.line)", .location)  \(row.function)  "
        try context.writeRow(place + "\(row.commits.counted("commit")), the last is \(row.last)  \(title)")
    }

    static let answer = AnswerKind<(row: SourceLines.Line, title: String, advice: Advice)>(
        "place", "a line of source that committed, of 'log --by-place'",
        [
            .always("file", "the file, as the compiler names it", \.row.file),
            .always("line", "the line, from 1", \.row.line),
            .always("function", "the function that its last commit was made in", \.row.function),
            .always("commits", "how many commits were made at it", \.row.commits),
            .always("last", "the number of the last of them", \.row.last),
            .always("title", "what the last of them changed, in words", \.title),
            .sometimes("command", "the command that shows the last of them; of a file only") { row in
                row.advice.isPossible ? row.advice.command(.show, ["\(row.row.last)"]) : nil
            },
        ])
}
