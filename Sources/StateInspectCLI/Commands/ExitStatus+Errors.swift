import Diagnostics

extension ExitStatus {
    /// The status that an error comes to.
    static func of(_ error: any Error) -> ExitStatus {
        switch error {
        case let failure as CommandFailure: failure.status
        case is UsageError: .usage
        case is OutputError: .unreadable
        default: .unreadable
        }
    }

    /// The error as a problem that can be told.
    static func diagnostic(of error: any Error) -> Diagnostic {
        switch error {
        case let failure as CommandFailure: failure.diagnostic
        case let diagnostic as Diagnostic: diagnostic
        case let convertible as any DiagnosticConvertible: convertible.diagnostic
        default: Diagnostic(code: "internal", "an error that has no words: \(error)")
        }
    }
}
