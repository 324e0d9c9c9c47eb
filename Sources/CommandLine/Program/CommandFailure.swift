package import Diagnostics

/// A problem that a command found itself, with the status that it comes to.
package struct CommandFailure: Error {
    package let status: ExitStatus
    package let diagnostic: Diagnostic

    package init(_ status: ExitStatus, _ diagnostic: Diagnostic) {
        self.status = status
        self.diagnostic = diagnostic
    }
}
