import Diagnostics
import Interchange
import JournalFormat

/// What there is to say of an import at its end, on standard error.
struct ImportSummary {
    private let work: JournalImport
    private let path: String

    /// Of a file, or of `-`.
    init(_ work: JournalImport, path: String) {
        self.work = work
        self.path = path
    }

    /// Tells it.
    ///
    /// - Returns: the status that it comes to.
    func tell(in context: CommandContext) -> ExitStatus {
        let messages = context.messages
        let run = work.run
        let stores = run.totals.commits.count
        messages.note(
            "\(Self.count(work.texts, "text")), \(Self.count(run.lastCommit.rawValue, "commit")), "
                + "\(Self.count(stores, "store"))"
                + (run.totals.marks > 0 ? ", \(Self.count(run.totals.marks, "mark"))" : "")
                + (run.totals.aborts > 0 ? ", \(Self.count(run.totals.aborts, "abort"))" : ""))
        if run.fallenTimes > 0 {
            messages.note(
                "\(Self.count(run.fallenTimes, "record")) had a time before that of the record before, and got that one's"
            )
        }
        for note in work.notes { messages.note(note) }
        let status = tellProblems(messages)
        guard stores == 0 else { return status }
        let advice = work.likeness.flatMap { ImportSuggestion.advice($0, path) }
        messages.tell(
            Diagnostic(
                .warning, code: "import.nothing", "nothing in '\(path)' says what a state is",
                help: [
                    advice ?? "'state-inspect import jsonl \(ShellQuoting.quoted(path)) --suggest' makes a first guess"
                ]))
        return .inconclusive
    }

    private func tellProblems(_ messages: MessageWriter) -> ExitStatus {
        let problems = work.run.problems
        guard problems.count > 0 else { return .done }
        for error in problems.first {
            var diagnostic = error.diagnostic
            diagnostic.severity = .warning
            messages.tell(diagnostic)
        }
        let isOneLine = Int(problems.lineNumbers) != nil
        messages.note(
            "\(Self.count(problems.count, "part")) of '\(path)' did not fit and \(problems.count == 1 ? "was" : "were") left "
                + "out, in line\(isOneLine ? "" : "s") \(problems.lineNumbers)")
        return .inconclusive
    }

    private static func count(_ number: Int, _ what: String) -> String {
        number == 1 ? "1 \(what)" : "\(number) \(what)s"
    }
}
