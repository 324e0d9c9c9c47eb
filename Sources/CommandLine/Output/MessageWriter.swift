package import Diagnostics
import JSONCore

package enum MessageFormat: String, CaseIterable, Sendable {
    case text, json
}

/// Everything that is not the answer, on its way to standard error: problems, notes, summaries.
///
/// A message that cannot be written is lost: there is nowhere to report that, and the exit status still shows the
/// problem.
package final class MessageWriter {
    package var format = MessageFormat.text
    package var style = Style.plain
    /// Whether the command was asked to redact: then no message quotes what a journal holds.
    var isRedacting = false
    package var width: Int?
    private let sink: MessageSink
    private let output: OutputWriter
    private var problems: Set<ByteName> = []

    /// Messages to `sink`; what waits in `output` is written before each, so that both read in order on one terminal.
    package init(_ sink: MessageSink, after output: OutputWriter) {
        self.sink = sink
        self.output = output
    }

    package func report(_ diagnostic: Diagnostic) {
        let diagnostic = isRedacting ? diagnostic.withoutQuotes : diagnostic
        switch format {
        case .text: write(LogLine.defused(DiagnosticRenderer(style: style, width: width).text(diagnostic)))
        case .json: write(DiagnosticJSON.line(diagnostic))
        }
    }

    package func reportOnce(_ diagnostic: Diagnostic) {
        guard problems.insert(ByteName(diagnostic.code + "\0" + diagnostic.message)).inserted else { return }
        report(diagnostic)
    }

    /// Writes a remark; as JSON it is a line of the kind `note`.
    package func note(_ text: String) {
        switch format {
        case .text: write(LogLine.defused(style(.note, "note:") + " " + ControlCharacters.escaped(text) + "\n"))
        case .json: write(DiagnosticJSON.note(text))
        }
    }

    /// Writes text that is not a message, such as help that was not asked for.
    package func write(_ text: String) {
        try? output.flush()
        sink.write(text)
    }
}
