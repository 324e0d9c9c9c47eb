public import Diagnostics

/// Everything that is wrong with the text of a query.
public struct QuerySyntaxErrors: Error, Sendable, Equatable {
    /// The text.
    public let text: String
    /// What it is called in messages.
    public let name: String
    let problems: [SyntaxProblem]

    /// The problems, each with its place in the text, in the order of the text.
    public var diagnostics: [Diagnostic] {
        problems.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { $0.diagnostic(text: text, name: name) }
    }
}

extension QuerySyntaxErrors: DiagnosticConvertible {
    /// The first problem.
    public var diagnostic: Diagnostic {
        diagnostics.first ?? Diagnostic(code: "query.syntax", "the query does not parse")
    }
}
