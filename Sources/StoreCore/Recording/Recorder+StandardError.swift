internal import Diagnostics
internal import Platform

extension Recorder {
    /// What happens to an error that nobody handles: one message on standard error.
    static func printToStandardError(_ error: RecorderError) {
        let diagnostic = error.diagnostic
        var text = "StateStore: \(diagnostic.severity.rawValue): \(diagnostic.message)\n"
        for note in diagnostic.notes { text += "note: \(note)\n" }
        for help in diagnostic.help { text += "help: \(help)\n" }
        FileDescriptor.writeToStandardError(text)
    }
}
