import CommandLine
import Diagnostics
import JournalFormat
import Platform
import TimeTravel

/// `verify J --repair OUT`: writes the whole records of a journal, and reports what they hold.
struct RepairedFile {
    private let path: String
    private let output: JournalOutput

    /// How many bytes wait before they are written.
    private static let capacity = 1 << 18

    init(_ path: String, of journal: String, _ context: CommandContext) throws(CommandFailure) {
        self.path = path
        output = try JournalOutput(path, of: [journal], option: .repair, context)
    }

    /// Writes the file, puts it in its place, and reports what it holds.
    ///
    /// - Returns: done, or negative where something had to be left out or changed.
    func write(_ input: JournalInput, _ context: CommandContext) throws -> ExitStatus {
        var repair = JournalRepair(input.journal)
        while try repair.next() {
            if repair.pendingCount >= Self.capacity { try repair.withPendingLines(output.append) }
        }
        try repair.withPendingLines(output.append)
        try output.finish()
        report(repair.summary, context)
        return repair.summary.isUnchanged ? .done : .negative
    }

    private func report(_ summary: JournalRepair.Summary, _ context: CommandContext) {
        let lost = summary.lost > 0 ? ", \(summary.lost.counted("lost commit")) became part of a gap" : ""
        context.messages.note("'\(path)' has \(summary.commits.counted("commit"))\(lost)")
        if summary.isCut {
            let cut = summary.cutCommits > 0 ? ", so \(summary.cutCommits.counted("commit")) were left out" : ""
            context.messages.note(
                "'\(path)' ends after commit \(summary.lastCommit): no keyframe follows the damage after it\(cut)")
        }
        if summary.leftOut > 0 {
            context.messages.note("\(summary.leftOut.counted("other line")) left out: \(Self.lines(summary))")
        }
        if summary.rewritten > 0 { context.messages.note("\(summary.rewritten.counted("line")) written anew") }
    }

    private static let namedCount = 10

    /// The lines that were left out, with what they are, as "12 (store), 14 (no record)".
    private static func lines(_ summary: JournalRepair.Summary) -> String {
        let named = summary.leftOutLines.prefix(namedCount).map { line in
            let kind = line.kind.map { $0.name.description } ?? "no record"
            return "\(line.line.map { "\($0)" } ?? "?") (\(kind))"
        }
        return named.joined(separator: ", ") + (summary.leftOut > named.count ? ", …" : "")
    }
}
