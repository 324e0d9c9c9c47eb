import CommandLine
import Diagnostics

/// A prompt and the line after it, as they fit a row of a screen: a line that is longer is shown around its cursor.
struct LinePrompt {
    /// What is shown.
    let text: String
    /// The column of the cursor.
    let cursor: Int

    /// The row for an editor.
    ///
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

    /// The characters that fit, the cursor's place among them.
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
