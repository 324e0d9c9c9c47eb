import Diagnostics

/// Why output could not be written.
enum OutputError: Error, Equatable {
    /// Nobody reads any more (EPIPE): no fault, and nothing to say.
    case closed

    /// The system refused, with this `errno`.
    case refused(Int32)
}

extension OutputError: DiagnosticConvertible {
    /// The sentence for what the system refused.
    var diagnostic: Diagnostic {
        switch self {
        case .closed: Diagnostic(code: "output.closed", "nobody reads the output any more")
        case .refused(let code):
            Diagnostic(
                code: "output.refused", "the output cannot be written: \(SystemCall.message(code))",
                notes: ["what was written until then is not the whole answer"])
        }
    }
}
