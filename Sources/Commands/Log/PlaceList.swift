import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// `log --by-place`: a row for each line of source that committed, in the order of files and lines.
struct PlaceList {
    private let path: String
    private let filter: CommitFilter
    private let limit: Int
    private let context: CommandContext

    init(_ path: String, _ filter: CommitFilter, limit: Int, _ context: CommandContext) {
        self.path = path
        self.filter = filter
        self.limit = limit
        self.context = context
    }

    /// Reads the commits of a range and prints their places.
    ///
    /// - Complexity: one pass; memory is that of the places.
    /// - Returns: what was damaged.
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
        let title = ChangeTable(style: .plain, width: nil).summary(record.changes, after: 40)
        guard context.format == .human else {
            return try context.output.writeLine(Self.answer((row, title, Advice(path, filter.scope))))
        }
        let place = context.style(.location, ControlCharacters.escaped("\(row.file):\(row.line)"))
        let function = ControlCharacters.escaped(row.function)
        let count = row.commits == 1 ? "1 commit" : "\(row.commits) commits"
        let line = "\(place)  \(function)  \(count), the last is \(row.last)  \(title)"
        try context.output.writeLine(DisplayWidth.clipped(line, to: context.terminal.width))
    }
}

extension PlaceList {
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
