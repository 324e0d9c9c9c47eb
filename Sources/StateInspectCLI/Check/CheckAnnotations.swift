import Diagnostics

/// Annotates the source lines of what `check` found, beside the usual answer.
struct CheckAnnotations: CheckPrinter {
    private var answer: any CheckPrinter
    private var annotations: Annotations

    /// Annotations beside an answer.
    init(beside answer: any CheckPrinter, _ annotations: Annotations) {
        self.answer = answer
        self.annotations = annotations
    }

    mutating func begin() throws { try answer.begin() }

    mutating func write(_ event: CheckedJournal.Event) throws { try answer.write(event) }

    mutating func write(_ checked: CheckedJournal) throws {
        try answer.write(checked)
        for verdict in checked.verdicts {
            if let violation = verdict.violation {
                annotations.add(
                    "invariant \(verdict.name)", at: violation.record.flatMap { SourcePlace($0) },
                    [ViolationText.heading(verdict.name, violation, in: checked.path)]
                        + ViolationText.details(violation, verdict, checked))
            }
            if let failure = verdict.failure {
                annotations.add(
                    "invariant \(verdict.name)", at: nil,
                    [
                        "'\(verdict.name)' cannot be evaluated at \(failure.seq) of \(checked.path): \(failure.message)"
                    ])
            }
        }
        for diagnostic in checked.problem?.diagnostics ?? [] {
            annotations.add("journal", at: nil, [diagnostic.message] + diagnostic.notes)
        }
    }

    mutating func finish(_ summary: CheckSummary) throws {
        try answer.finish(summary)
        annotations.finish()
    }
}
