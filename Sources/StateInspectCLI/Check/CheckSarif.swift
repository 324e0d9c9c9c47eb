import Diagnostics
import JSONCore
import TimeTravel

/// What `check` found as a SARIF document: an invariant is a rule, a violation a result, a failure a notification.
struct CheckSarif: CheckPrinter {
    private let entries: [InvariantDefinitions.Entry]
    private let messages: MessageWriter
    private let places: SarifPlace
    private var document: SarifDocument

    /// A document on the context's output.
    init(_ definitions: InvariantDefinitions, _ root: SourceRoot?, _ context: CommandContext) {
        entries = definitions.entries
        messages = context.messages
        places = SarifPlace(root: root)
        document = SarifDocument(context.output, root)
    }

    mutating func begin() throws {
        try document.begin(
            entries.map { entry in
                .init(
                    id: entry.invariant.name, summary: "'\(entry.invariant.name)' must hold at every position",
                    description: entry.description)
            })
    }

    mutating func write(_ checked: CheckedJournal) throws {
        for (index, verdict) in checked.verdicts.enumerated() {
            if let failure = verdict.failure { note(failure, verdict.name, checked.path) }
            guard let violation = verdict.violation else { continue }
            guard document.hasRoom else {
                document.leaveOut()
                continue
            }
            try document.add(finding(violation, verdict, index, checked).json(places))
        }
        for message in checked.allMessages {
            document.note(message.severity, message.code, message.message + notes(message))
        }
        for diagnostic in checked.problem?.diagnostics ?? [] {
            document.note(.error, diagnostic.code, diagnostic.message + notes(diagnostic))
        }
    }

    mutating func finish(_ summary: CheckSummary) throws {
        let left = try document.finish(summary.worst.exit, isSuccessful: summary.unreadable == 0)
        guard left > 0 else { return }
        messages.report(
            Diagnostic(
                .warning, code: "sarif.limit", "\(left) violations were left out of the document",
                notes: ["consumers of SARIF take \(SarifDocument.resultLimit) results of a run"],
                help: ["check fewer journals at a time, or write '--format json'"]))
    }

    private mutating func note(_ failure: CheckedJournal.Failure, _ name: String, _ path: String) {
        let count =
            failure.positions == 1
            ? "at \(failure.seq)" : "at \(failure.positions) positions, first \(failure.seq)"
        document.note(
            .error, "check.failure", "'\(name)' cannot be evaluated \(count) of \(path): \(failure.message)", rule: name
        )
    }

    private func notes(_ diagnostic: Diagnostic) -> String {
        diagnostic.notes.isEmpty ? "" : " (" + diagnostic.notes.joined(separator: "; ") + ")"
    }

    private func finding(
        _ violation: CheckedJournal.Violation, _ verdict: CheckedJournal.Verdict, _ index: Int,
        _ checked: CheckedJournal
    ) -> SarifFinding {
        let lines =
            [ViolationText.heading(verdict.name, violation, in: checked.path)]
            + ViolationText.details(violation, verdict, checked)
        return SarifFinding(
            rule: verdict.name, ruleIndex: index, journal: checked.path, message: lines.joined(separator: "\n"),
            place: violation.record.flatMap { SourcePlace($0) }, history: violation.history,
            properties: .members([
                "journal": .string(checked.path), "seq": .number(violation.position),
                "lastSeq": .number(violation.last),
                "positions": .number(violation.positions), "stretches": .number(violation.ranges),
                "value": violation.value.map { .string(ValuePreview.shortened($0, to: JournalCheck.partLength)) },
            ]))
    }
}
