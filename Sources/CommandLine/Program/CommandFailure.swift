package import Diagnostics

package struct CommandFailure: Error {
    package let status: ExitStatus
    package let diagnostic: Diagnostic

    package init(_ status: ExitStatus, _ diagnostic: Diagnostic) {
        self.status = status
        self.diagnostic = diagnostic
    }
}
