internal import Diagnostics

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension Recorder {
    /// What happens to an error that nobody handles: one message on standard error.
    static func printToStandardError(_ error: RecorderError) {
        let diagnostic = error.diagnostic
        var text = "StateStore: \(diagnostic.severity.rawValue): \(diagnostic.message)\n"
        for note in diagnostic.notes { text += "note: \(note)\n" }
        for help in diagnostic.help { text += "help: \(help)\n" }
        _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
