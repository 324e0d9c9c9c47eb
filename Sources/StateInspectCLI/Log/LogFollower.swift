import Diagnostics
import JournalFormat
import Platform

/// `log --follow`: looks now and then for lines that were added, until there is the one that ends the run.
struct LogFollower {
    let path: String
    let filter: CommitFilter
    let recovers: Bool

    /// Takes lines as they are added.
    mutating func follow(_ printer: inout LogPrinter, _ context: CommandContext) throws {
        while !printer.isAtEnd, !printer.isFull {
            try printer.flush()
            SystemClock.sleep(microseconds: 200_000)
            let journal = try Journal.open(path, access: .sequential)
            guard let size = journal.byteCount else { return }
            if size < printer.end.rawValue { throw shorter(printer.end, size) }
            if size > printer.end.rawValue { try take(journal, &printer, context) }
        }
    }

    /// Takes the lines that are whole.
    private func take(_ journal: Journal, _ printer: inout LogPrinter, _ context: CommandContext) throws {
        let last = printer.last ?? journal.start
        let tail = try journal.tail()
        if let range = PositionRange(last, tail.lastCommit), range.count > 0 {
            try filter.follow(journal, range, recovers: recovers, context.messages)
        }
        var reader = journal.records(from: printer.end, after: last, to: tail.wholeEnd, recover: recovers)
        while !printer.isFull, let line = try reader.next(), line.hasNewline { try printer.take(line) }
        for damage in reader.damages { context.messages.tellOnce(damage.warning) }
    }

    private func shorter(_ end: ByteOffset, _ size: Int) -> CommandFailure {
        CommandFailure(
            .unreadable,
            Diagnostic(
                code: "journal.shorter", "'\(path)' became shorter while it was followed",
                notes: ["\(end.rawValue) bytes of it were read, now it has \(size)"]))
    }
}
