import Diagnostics
import JournalFormat
import Platform
import TimeTravel

/// `verify J --repair OUT`: writes the whole records of a journal, and reports what they hold.
struct RepairedFile {
    private let path: String
    private let file: ReplacedFile

    /// How many bytes wait before they are written.
    private static let capacity = 1 << 18

    /// Begins the file.
    ///
    /// - Throws: `CommandFailure` where it cannot be written, or is the journal itself.
    init(_ path: String, of journal: String, _ context: CommandContext) throws(CommandFailure) {
        self.path = path
        guard !FileSystem.isSame(path, journal, standardInput: context.input) else {
            throw CommandFailure(
                .usage,
                Diagnostic(
                    code: "usage.same-file", "'\(path)' is the journal itself",
                    help: ["give '--repair' the name of another file"]))
        }
        do throws(SystemFailure) { file = try ReplacedFile(path) } catch { throw Self.cannot(path, error) }
    }

    /// Writes the file, puts it in its place, and reports what it holds.
    ///
    /// - Returns: done, or negative where something had to be left out or changed.
    func write(_ input: JournalInput, _ context: CommandContext) throws -> ExitStatus {
        var repair = JournalRepair(input.journal)
        while try repair.next() {
            guard repair.pendingCount >= Self.capacity else { continue }
            try append(&repair)
        }
        try append(&repair)
        do throws(SystemFailure) { try file.replace() } catch { throw Self.cannot(path, error) }
        report(repair.summary, context)
        return repair.summary.isUnchanged ? .done : .negative
    }

    private func append(_ repair: inout JournalRepair) throws(CommandFailure) {
        do throws(SystemFailure) {
            try repair.withPendingLines { (lines) throws(SystemFailure) in try file.append(lines) }
        } catch {
            throw Self.cannot(path, error)
        }
    }

    private func report(_ summary: JournalRepair.Summary, _ context: CommandContext) {
        let lost = summary.lost > 0 ? ", \(Self.counted(summary.lost, "lost commit")) became part of a gap" : ""
        context.messages.note("'\(path)' has \(Self.counted(summary.commits, "commit"))\(lost)")
        if summary.isCut {
            let cut = summary.cutCommits > 0 ? ", so \(Self.counted(summary.cutCommits, "commit")) were left out" : ""
            context.messages.note(
                "'\(path)' ends after commit \(summary.lastCommit): no keyframe follows the damage after it\(cut)")
        }
        if summary.leftOut > 0 {
            context.messages.note("\(Self.counted(summary.leftOut, "other line")) left out: \(Self.lines(summary))")
        }
        if summary.rewritten > 0 { context.messages.note("\(Self.counted(summary.rewritten, "line")) written anew") }
    }

    /// No more lines are named.
    private static let namedCount = 10

    /// The lines that were left out, with what they are, as "12 (store), 14 (no record)".
    private static func lines(_ summary: JournalRepair.Summary) -> String {
        let named = summary.leftOutLines.prefix(namedCount).map { line in
            let kind = line.kind.map { $0.name.description } ?? "no record"
            return "\(line.line.map { "\($0)" } ?? "?") (\(kind))"
        }
        return named.joined(separator: ", ") + (summary.leftOut > named.count ? ", …" : "")
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }

    private static func cannot(_ path: String, _ error: SystemFailure) -> CommandFailure {
        CommandFailure(
            .unreadable,
            Diagnostic(code: "output.file", "'\(path)' cannot be written: \(error.text)"))
    }
}
