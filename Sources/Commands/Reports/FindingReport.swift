package import CommandLine
import Diagnostics

/// Writes findings in a format that another tool reads, journal by journal as they come.
package protocol FindingReport {
    /// Writes what stands before the findings.
    mutating func begin(_ rules: [FindingRule]) throws

    mutating func write(_ found: FindingsOfJournal) throws

    /// Writes what follows the last journal.
    mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws
}

extension FindingReport {
    package mutating func begin(_ rules: [FindingRule]) throws {}

    package mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) throws {}
}

/// A question that findings answer, as a document lists it.
package struct FindingRule {
    package let id: String
    package let summary: String
    package let description: String
}

package struct FindingsOfJournal {
    let path: String
    let findings: [Finding]
    var messages: [Diagnostic] = []
    /// Why it cannot be read; none where it can.
    var problems: [Diagnostic] = []
}

extension ReportFormat {
    /// What writes findings in it; nil where commands write their answers themselves.
    package func report(_ context: CommandContext, _ root: SourceRoot?) -> (any FindingReport)? {
        switch self {
        case .human, .json, .mermaid: nil
        case .github: Annotations(context.messages, root)
        case .sarif: SarifReport(context.output, context.messages, root)
        case .junit: JUnitReport(context.output)
        case .markdown: MarkdownReport(context.output)
        }
    }
}
