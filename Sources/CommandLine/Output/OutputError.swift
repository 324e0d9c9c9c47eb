package import Diagnostics
package import Platform

package enum OutputError: Error, Equatable {
    /// The output has no reader any more (EPIPE), which is not a fault and needs no message.
    case closed

    /// The system refused, with this `errno`.
    case refused(Int32)

    package init(_ failure: SystemFailure) {
        self = failure.code == Errno.brokenPipe ? .closed : .refused(failure.code)
    }
}

extension OutputError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .closed: Diagnostic(code: "output.closed", "the output has no reader any more")
        case .refused(let code):
            Diagnostic(
                code: "output.refused", "the output cannot be written: \(SystemFailure.text(of: code))",
                notes: ["what was written until then is not the whole answer"])
        }
    }
}
