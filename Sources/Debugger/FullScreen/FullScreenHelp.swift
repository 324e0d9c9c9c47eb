import CommandLine

/// The keys, as the help screen (`?`) shows them.
enum FullScreenHelp {
    /// A key, or several, and what they do; a heading has no keys.
    static let lines: [(keys: String, meaning: String)] = KeyMap.groups.flatMap { group in
        [("", group.title)] + group.entries.filter { $0.face != .page }.map { ($0.keys, $0.meaning) }
    }

    /// The columns before what a key does.
    private static let indent = 14

    /// The rows of a screen with so many columns: what does not fit beside its key goes on below.
    static func rows(_ columns: Int) -> [(keys: String, meaning: String)] {
        lines.flatMap { line in
            line.meaning.wrapped(to: max(indent, columns - indent)).enumerated().map { index, text in
                (index == 0 ? line.keys : " ", text)
            }
        }
    }

    /// Draws the keys over everything but the last row.
    static func draw(from top: Int, in area: ScreenArea, on screen: inout ScreenBuffer) {
        screen.clear(area)
        for (index, line) in rows(area.columns).dropFirst(top).prefix(area.rows).enumerated() {
            let parts =
                line.keys.isEmpty
                ? [StyledText(" " + line.meaning, .heading)]
                : [StyledText(DisplayWidth.padded("   " + line.keys, to: indent), .commit), StyledText(line.meaning)]
            screen.writeLine(parts, row: area.row + index, area)
        }
    }
}
