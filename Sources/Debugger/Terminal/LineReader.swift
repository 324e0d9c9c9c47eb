import CommandLine
import Diagnostics
import Platform

/// How reading a line ended.
enum LineEditorResult: Equatable, Sendable {
    case line(String)
    /// Ctrl-C: the line was given up.
    case cancelled
    /// Ctrl-D, or the terminal was closed.
    case ended
}

/// Reads lines that a person types at a terminal, with editing, history and completion.
///
/// The terminal is taken only while a line is typed, so what runs between two lines has it as it always is: Ctrl-C is a
/// signal then.
final class LineReader {
    private let input: Int32
    private let output: Int32
    private let completing: (String) -> LineCompletion
    private var editor: LineEditor
    /// Lines that were pasted with one that is done.
    private var pending: [String] = []
    /// Where the history is kept, if it is.
    private let historyPath: String?
    /// Whether lines are edited here; else the terminal does what it can by itself.
    private let isEditing: Bool

    /// A reader between two descriptors of a terminal.
    ///
    /// - Parameters:
    ///   - historyPath: the file with the lines of earlier sessions, to which those of this one are added.
    ///   - isEditing: false where the cursor cannot be moved, or what is written goes elsewhere.
    ///   - completing: what could stand at the end of what is given.
    init(
        input: Int32, output: Int32, historyPath: String? = nil, isEditing: Bool = true,
        completing: @escaping (String) -> LineCompletion = { _ in .none }
    ) {
        self.input = input
        self.output = output
        self.completing = completing
        self.historyPath = historyPath
        self.isEditing = isEditing
        editor = LineEditor(history: historyPath.map { LineHistory(path: $0) } ?? LineHistory())
    }

    /// Reads one line; of text that was pasted the lines come one by one.
    func readLine(prompt: String) -> LineEditorResult {
        guard pending.isEmpty else {
            let line = pending.removeFirst()
            write(ControlCharacters.escaped(prompt + line) + "\n")
            return submit(line)
        }
        guard isEditing else {
            write(prompt)
            return InputLine.next(from: input).map(submit) ?? .ended
        }
        guard let terminal = TerminalSession(.line, input: input, output: output) else { return .ended }
        terminal.begin()
        defer { terminal.end() }
        return edit(prompt, terminal)
    }

    private func write(_ text: String) {
        try? FileDescriptor.write(Array(text.utf8), to: output)
    }

    private func edit(_ prompt: String, _ terminal: TerminalSession) -> LineEditorResult {
        show(prompt, terminal)
        while true {
            switch terminal.next(waiting: nil) {
            case .input(let inputs):
                for (index, input) in inputs.enumerated() {
                    let action = editor.handle(input, completing: completing)
                    guard let result = finish(action, prompt, terminal) else { continue }
                    keep(inputs[(index + 1)...])
                    return result
                }
                show(prompt, terminal)
            case .redraw: show(prompt, terminal)
            case .closed: return .ended
            case .nothing: break
            }
        }
    }

    /// Does what the editor asks for.
    ///
    /// - Returns: nil where the line goes on.
    private func finish(
        _ action: LineEditor.Action, _ prompt: String, _ terminal: TerminalSession
    ) -> LineEditorResult? {
        switch action {
        case .changed, .nothing: break
        case .submit(let text):
            show(prompt, terminal, isDone: true)
            editor.clear()
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let first = lines.removeFirst()
            pending = lines
            return submit(first)
        case .cancel:
            show(prompt, terminal, isDone: true)
            editor.clear()
            pending = []
            return .cancelled
        case .end:
            terminal.write("\r\n")
            return .ended
        case .list(let candidates): list(candidates, terminal)
        case .redraw: terminal.write("\u{1B}[H\u{1B}[2J")
        case .suspend: terminal.suspend()
        }
        return nil
    }

    private func submit(_ line: String) -> LineEditorResult {
        if editor.history.lines.last != line, let historyPath { LineHistory.append(line, to: historyPath) }
        editor.keep(line)
        return .line(line)
    }

    /// What was typed ahead of the answer to this line is the beginning of the next ones.
    private func keep(_ inputs: ArraySlice<TerminalInput>) {
        for input in inputs {
            if case .submit(let text) = editor.handle(input, completing: completing) {
                pending += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                editor.clear()
            }
        }
    }

    private func show(_ prompt: String, _ terminal: TerminalSession, isDone: Bool = false) {
        let row = LinePrompt(prompt, editor, columns: terminal.size.columns)
        let end = isDone ? "\r\n" : "\r" + (row.cursor > 0 ? "\u{1B}[\(row.cursor)C" : "")
        terminal.write("\r" + row.text + "\u{1B}[K" + end)
    }

    /// Lists what could stand there, in columns, below the line.
    private func list(_ candidates: [String], _ terminal: TerminalSession) {
        let shown = candidates.prefix(200).map { ControlCharacters.escaped($0) }
        let columns = terminal.size.columns
        let width = min(columns, 2 + (shown.map(DisplayWidth.of).max() ?? 0))
        let perRow = max(1, columns / max(1, width))
        var text = "\r\n"
        for (index, candidate) in shown.enumerated() {
            let isLast = (index + 1) % perRow == 0 || index == shown.count - 1
            let cut = DisplayWidth.clipped(candidate, to: max(1, width - 1))
            text += isLast ? cut + "\r\n" : DisplayWidth.padded(cut, to: width)
        }
        if candidates.count > shown.count { text += "and \(candidates.count - shown.count) more\r\n" }
        terminal.write(text)
    }
}
