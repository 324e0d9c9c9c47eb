/// The keys, as the help screen (`?`) shows them.
enum FullScreenHelp {
    /// A key, or several, and what they do; a heading has no keys.
    static let lines: [(keys: String, meaning: String)] = [
        ("", "through the run (a number before the key repeats it)"),
        ("← → h l", "one commit back, one on; with Shift ten"),
        ("↑ ↓ k j", "the same in the list of commits; elsewhere they select"),
        ("[ ]", "one change of a commit back, one on"),
        ("g G", "the start, the end; 118g goes to commit 118"),
        ("c C", "to the next stop, to the one before (:break, :watch, :catch)"),
        ("u U", "to where you were before, and forth again"),
        ("space", "plays, four commits a second; 20 space plays twenty"),
        ("", "the selected member"),
        ("n N", "to its next change, to the one before"),
        ("b", "to the commit that wrote what is there, and again from there"),
        ("w", "watches it: c and C stop where it changes; again no more"),
        ("v", "its whole life: every change in the run; Enter goes there"),
        ("o", "where it comes from, hop by hop; Enter goes there"),
        ("e E", "selects the next member that this commit changed, the one before"),
        ("", "the screen"),
        ("tab", "the next pane"),
        ("enter", "folds or unfolds in the state, shows more elements"),
        ("/ . ,", "finds a text: in the state where it has the keys; looks on, back"),
        (":", "a command of the debugger; :help lists them"),
        ("m", "the mouse clicks and scrolls here, or is the terminal's"),
        ("Esc", "ends what plays, runs or lies over the panes"),
        ("Ctrl-Z q", "stops for a while, quits"),
    ]

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
