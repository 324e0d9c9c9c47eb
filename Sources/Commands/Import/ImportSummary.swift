import CommandLine
import Diagnostics
import Interchange
import JournalFormat

struct ImportSummary {
    private let work: JournalImport
    private let paths: [String]
    private var path: String { paths[0] }
    private let isStrict: Bool

    init(_ work: JournalImport, paths: [String], isStrict: Bool) {
        self.work = work
        self.paths = paths
        self.isStrict = isStrict
    }

    func report(in context: CommandContext) -> ExitStatus {
        let messages = context.messages
        let run = work.run
        let stores = run.totals.commits.count
        messages.note(
            "\(work.texts.counted("text")), \(run.lastCommit.rawValue.counted("commit")), "
                + "\(stores.counted("store"))"
                + (run.totals.marks > 0 ? ", \(run.totals.marks.counted("mark"))" : "")
                + (run.totals.aborts > 0 ? ", \(run.totals.aborts.counted("abort"))" : ""))
        if !run.hasTime, stores > 0 {
            let file = paths.count > 1 ? "their file" : "'\(path)'"
            let source = path == "-" ? "of this import" : "at which \(file) was written"
            messages.note("nothing in it is read as a time: all records have the one \(source)")
        }
        if run.fallenTimes > 0 {
            messages.note(
                "\(run.fallenTimes.counted("record")) had a time before that of the record before, and got that one's"
            )
        }
        for note in work.notes { messages.note(note) }
        let problems = reportProblems(messages)
        let status = problems.or(reportWarnings(messages))
        guard stores == 0 else { return status }
        messages.report(
            Diagnostic(
                .warning, code: "import.nothing", "nothing in '\(path)' says what a state is",
                help: ImportAdvice(path).help(for: work.likeness)))
        return .inconclusive
    }

    private func reportProblems(_ messages: MessageWriter) -> ExitStatus {
        let problems = work.run.problems
        guard problems.count > 0 else { return .done }
        for var diagnostic in problems.first.flatMap({ ExitStatus.diagnostics(of: $0, in: .import) }) {
            diagnostic.severity = .warning
            messages.report(diagnostic)
        }
        let isOneLine = Int(problems.lineNumbers) != nil
        messages.note(
            "\(problems.count.counted("part")) of '\(path)' did not fit and \(problems.count == 1 ? "was" : "were") left "
                + "out, in line\(isOneLine ? "" : "s") \(problems.lineNumbers)")
        return .inconclusive
    }

    /// The status is that of no answer where the journal may answer otherwise than the log would.
    private func reportWarnings(_ messages: MessageWriter) -> ExitStatus {
        var status = ExitStatus.done
        for warning in work.warnings {
            var diagnostic = warning.diagnostic
            if isStrict { diagnostic.severity = .error }
            messages.report(diagnostic)
            if isStrict || warning.leavesDoubt { status = .inconclusive }
        }
        return status
    }
}
