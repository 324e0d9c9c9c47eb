import CommandLine
import TimeTravel

/// What `check` found, as a report for another tool, beside the answer or in its place.
struct CheckReport: CheckPrinter {
    private var answer: (any CheckPrinter)?
    private var report: any FindingReport
    private let definitions: InvariantDefinitions
    private let scope: StoreScope

    init(
        _ report: any FindingReport, beside answer: (any CheckPrinter)?, _ definitions: InvariantDefinitions,
        _ scope: StoreScope
    ) {
        self.answer = answer
        self.report = report
        self.definitions = definitions
        self.scope = scope
    }

    mutating func begin() throws {
        try answer?.begin()
        try report.begin(
            definitions.entries.map { entry in
                FindingRule(
                    id: entry.invariant.name, summary: "'\(entry.invariant.name)' must hold at every position",
                    description: entry.description)
            })
    }

    mutating func write(_ event: CheckedJournal.Event) throws { try answer?.write(event) }

    mutating func write(_ checked: CheckedJournal) throws {
        try answer?.write(checked)
        try report.write(
            FindingsOfJournal(
                path: checked.path, findings: checked.findings(definitions, scope), messages: checked.allMessages,
                problems: checked.problem?.diagnostics ?? []))
    }

    mutating func finish(_ summary: CheckSummary) throws {
        try answer?.finish(summary)
        try report.finish(summary.worst.exit, summary)
    }
}
