package import Diagnostics
import JSONCore
import Synchronization

package enum MessageFormat: String, CaseIterable, Sendable {
    case text, json
}

/// Everything that is not the answer, on its way to standard error.
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
        (self.sink, self.output) = (sink, output)
    }

    package func report(_ diagnostic: Diagnostic) {
        let diagnostic = isRedacting ? diagnostic.withoutQuotes : diagnostic
        switch format {
        case .text: write(DiagnosticRenderer(width: width).lines(diagnostic))
        case .json: write(DiagnosticJSON.line(diagnostic))
        }
    }

    package func warn(code: String, _ message: String, notes: [String] = [], help: [String] = []) {
        report(Diagnostic(.warning, code: code, message, notes: notes, help: help))
    }

    package func warnOnce(code: String, _ message: String, notes: [String] = [], help: [String] = []) {
        reportOnce(Diagnostic(.warning, code: code, message, notes: notes, help: help))
    }

    package func reportOnce(_ diagnostic: Diagnostic) {
        guard problems.insert(ByteName(diagnostic.code + "\0" + diagnostic.message)).inserted else { return }
        report(diagnostic)
    }

    /// The JSON form is a line of the kind `note`.
    package func note(_ text: String) {
        switch format {
        case .text: write(["\("note:", .note) \(text)"])
        case .json: write(DiagnosticJSON.note(text))
        }
    }

    package func write(_ lines: [StoryLine]) {
        write(LogLine.defused(lines.map { $0.text(style) + "\n" }.joined()))
    }

    package func write(_ text: String) {
        try? output.flush()
        sink.write(text)
    }
}

/// Standard error: messages, and below them the status line, which several threads may renew.
///
/// Unchecked because a sink need not be `Sendable`: it is written to under the lock only.
package final class MessageSink: @unchecked Sendable {
    private let sink: any ByteSink
    private let state = Mutex(LineState())

    private struct LineState {
        var isPlain = false
        var isLineShown = false
        var hasEnded = false
    }

    package init(_ sink: any ByteSink) { self.sink = sink }

    package var isPlain: Bool {
        get { state.withLock { $0.isPlain } }
        set { state.withLock { $0.isPlain = newValue } }
    }

    package func write(_ text: String) {
        state.withLock { state in
            hide(&state)
            put(text, state)
        }
    }

    package func show(_ line: String) {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.isLineShown = true
            put("\r" + line + "\u{1B}[K", state)
        }
    }

    package func hide() { state.withLock { hide(&$0) } }

    /// Takes the line away for good: the screen is somebody else's.
    package func end() {
        state.withLock { state in
            hide(&state)
            state.hasEnded = true
        }
    }

    private func hide(_ state: inout LineState) {
        guard state.isLineShown else { return }
        state.isLineShown = false
        put("\r\u{1B}[K", state)
    }

    private func put(_ text: String, _ state: borrowing LineState) {
        let text = state.isPlain ? PlainSigns.text(text) : text
        text.withBytes { try? sink.write($0) }
    }
}
