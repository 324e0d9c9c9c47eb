/// The keys, as the help screen (`?`) shows them.
enum FullScreenHelp {
    /// A key, or several, and what they do; a heading has no keys.
    static let lines: [(keys: String, meaning: String)] = KeyMap.groups.flatMap { group in
        [("", group.title)] + group.entries.filter { $0.face != .page }.map { ($0.keys, $0.meaning) }
    }

    /// Draws the keys over everything but the last row.
    static func draw(from top: Int, in area: ScreenArea, on screen: inout ScreenBuffer) {
        screen.clear(area)
        for (index, line) in lines.dropFirst(top).prefix(area.rows).enumerated() {
            let parts =
                line.keys.isEmpty
                ? [StyledText(" " + line.meaning, .heading)]
                : [StyledText(DisplayWidth.padded("   " + line.keys, to: 14), .commit), StyledText(line.meaning)]
            screen.writeLine(parts, row: area.row + index, area)
        }
    }
}
