import CommandLine
import Diagnostics
import Platform

enum LineEditorResult: Equatable, Sendable {
    case line(String)
    case cancelled
    /// Ctrl-D, or the terminal was closed.
    case ended
}

/// The terminal is taken only while a line is typed, so what runs between two lines has it as it always is: Ctrl-C is a
/// signal then.
final class LineReader {
    private let input: Int32
    private let output: Int32
    private let completing: (String) -> LineCompletion
    private var editor: LineEditor
    /// Lines that were pasted with one that is done.
    private var pending: [String] = []
    private let historyPath: String?
    /// Whether lines are edited here; else the terminal does what it can by itself.
    private let isEditing: Bool

    /// - Parameters:
    ///   - historyPath: the file with the lines of earlier sessions, to which those of this one are added.
    ///   - isEditing: false where the cursor cannot be moved, or what is written goes elsewhere.
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

    /// The lines of text that was pasted come one by one.
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

/// Fits a row of a screen: a line that is longer is shown around its cursor.
struct LinePrompt {
    let text: String
    let cursor: Int

    /// - Parameter columns: how many there are; the last one stays free for the cursor.
    init(_ prompt: String, _ editor: LineEditor, columns: Int) {
        let room = max(1, columns - 1)
        if let search = editor.search {
            let state = search.isFailing ? "no such line" : "search"
            let front = Self.shown("(\(state)) '\(search.text)': ")
            text = DisplayWidth.clipped(front + Self.shown(search.found ?? ""), to: room)
            cursor = min(DisplayWidth.of(front), columns - 1)
            return
        }
        let prompt = DisplayWidth.clipped(prompt, to: room / 2)
        let front = DisplayWidth.of(prompt)
        let pieces = editor.characters.map { Self.shown(String($0)) }
        let (start, end) = Self.part(pieces.map(DisplayWidth.of), around: editor.cursor, room: room - front)
        var line = pieces[start..<end].joined()
        if start > 0 { line = "…" + line }
        if end < pieces.count { line += "…" }
        text = DisplayWidth.clipped(prompt + line, to: room)
        let before = pieces[start..<editor.cursor].reduce(start > 0 ? 1 : 0) { $0 + DisplayWidth.of($1) }
        cursor = min(front + before, columns - 1)
    }

    /// Characters of the line as they are shown: line ends of what was pasted as a sign, what acts on a terminal escaped.
    private static func shown(_ text: String) -> String {
        ControlCharacters.escaped(String(text.map { $0 == "\n" ? "⏎" : $0 }))
    }

    private static func part(_ widths: [Int], around cursor: Int, room: Int) -> (start: Int, end: Int) {
        var (start, end) = (cursor, cursor)
        // Both ends may have a sign of their own.
        var left = max(0, room - 2)
        while start > 0 || end < widths.count {
            // Three columns before the cursor for each one after it, as long as there are some on both sides.
            let takesFront = start > 0 && (end == widths.count || cursor - start <= 3 * (end - cursor))
            let width = takesFront ? widths[start - 1] : widths[end]
            guard width <= left else { break }
            left -= width
            if takesFront { start -= 1 } else { end += 1 }
        }
        return (start, end)
    }
}

/// The oldest line comes first.
struct LineHistory: Equatable, Sendable {
    static let limit = 1000

    private(set) var lines: [String] = []

    /// An empty line, or the same as the last, is not kept.
    mutating func add(_ line: String) {
        guard line.contains(where: { !$0.isWhitespace }) else { return }
        if line == lines.last { return }
        lines.append(line)
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
    }
}

extension LineHistory {
    /// No file of a history grows longer: of one that has, what counts is kept.
    static let fileLimit = 1 << 20

    /// A file that cannot be read gives an empty history, so that the session begins anyway.
    init(path: String) {
        let bytes = (try? FileDescriptor.readAll(of: path)) ?? []
        // Of a line that is cut the end is none.
        let text = String(decoding: bytes.suffix(Self.fileLimit), as: UTF8.self)
        for line in text.split(separator: "\n").dropFirst(bytes.count > Self.fileLimit ? 1 : 0) { add(String(line)) }
        guard bytes.count > Self.fileLimit, let file = try? ReplacedFile(path) else { return }
        // What cannot be made shorter stays as it is.
        let kept = Array(lines.map { $0 + "\n" }.joined().utf8.suffix(Self.fileLimit / 2))
        if (try? file.append(kept)) != nil { try? file.replace() }
    }

    /// Only its owner reads the file; a line that cannot be written is not kept.
    static func append(_ line: String, to path: String) {
        guard !line.isEmpty, !line.utf8.contains(UInt8(ascii: "\n")) else { return }
        let file = (try? FileDescriptor.creating(path)) ?? (try? FileDescriptor.appending(path))
        try? file?.write(Array((line + "\n").utf8))
    }
}

/// A search backwards in the lines typed before, letter by letter.
struct LineSearch: Equatable, Sendable {
    var text = ""
    /// The line that was found last; the number of lines at first.
    private(set) var place: Int
    /// Nil where none was found.
    private(set) var found: String?
    private(set) var isFailing = false

    init(from place: Int) { self.place = place }

    mutating func find(in lines: [String], before end: Int) {
        take(lines[..<min(end, lines.count)].lastIndex { $0.contains(text) }, lines)
    }

    mutating func find(in lines: [String], after start: Int) {
        take(lines.dropFirst(start + 1).firstIndex { $0.contains(text) }, lines)
    }

    private mutating func take(_ index: Int?, _ lines: [String]) {
        isFailing = index == nil && !text.isEmpty
        guard let index, !text.isEmpty else { return }
        place = index
        found = lines[index]
    }
}
