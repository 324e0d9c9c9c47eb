import Diagnostics

/// A problem that a command found itself, with the status that it comes to.
struct CommandFailure: Error {
    let status: ExitStatus
    let diagnostic: Diagnostic

    init(_ status: ExitStatus, _ diagnostic: Diagnostic) {
        self.status = status
        self.diagnostic = diagnostic
    }
}
