import CommandLine

/// Brings a terminal from one screen to the next: writes only the cells that changed.
struct ScreenWriter {
    private let depth: ColorDepth
    /// Whether the terminal has no characters outside of ASCII.
    private let isPlain: Bool
    /// What the terminal shows; nil where that is not known.
    private var shown: ScreenBuffer?

    /// Creates a writer for a terminal whose contents are not known.
    init(_ depth: ColorDepth, isPlain: Bool = false) {
        self.depth = depth
        self.isPlain = isPlain
    }

    /// Somebody else wrote to the terminal, or it has another size: everything is written anew.
    mutating func forget() { shown = nil }

    /// The bytes that bring the terminal to a screen; none where it shows that already.
    ///
    /// They are wrapped so that a terminal which knows synchronized output (DEC mode 2026) shows all of them at once.
    mutating func bytes(for next: ScreenBuffer) -> [UInt8] {
        if shown == next { return [] }
        var output = Output(depth, isPlain)
        output.text += "\u{1B}[?2026h\u{1B}[?25l"
        let old: ScreenBuffer
        if let shown, shown.size == next.size {
            old = shown
        } else {
            output.text += "\u{1B}[0m\u{1B}[2J"
            old = ScreenBuffer(next.size)
        }
        for row in 0..<next.size.rows { output.row(row, from: old, to: next) }
        output.look(.plain)
        if let cursor = next.cursor {
            output.move(min(cursor.row, next.size.rows - 1), min(cursor.column, next.size.columns - 1))
            output.text += "\u{1B}[?25h"
        }
        output.text += "\u{1B}[?2026l"
        shown = next
        return Array(output.text.utf8)
    }

    /// What is written, and where and how the terminal would write on.
    private struct Output {
        private let depth: ColorDepth
        private let isPlain: Bool
        var text = ""
        private var style = CellStyle.plain
        /// Nil where it is not known for sure.
        private var place: (row: Int, column: Int)?

        init(_ depth: ColorDepth, _ isPlain: Bool) {
            self.depth = depth
            self.isPlain = isPlain
        }

        /// Writes the cells of a row that differ.
        ///
        /// Both halves of a wide character differ where one does, so each is written
        /// with its first.
        mutating func row(_ row: Int, from old: ScreenBuffer, to next: ScreenBuffer) {
            for column in 0..<next.size.columns {
                let cell = next[row, column]
                guard cell != old[row, column], !cell.text.isEmpty else { continue }
                move(row, column)
                look(cell.style)
                let isWide = column + 1 < next.size.columns && next[row, column + 1].text.isEmpty
                if isWide {
                    // A terminal that takes it for narrow would leave there what was under its second half.
                    text += "  "
                    place = nil
                    move(row, column)
                }
                text += isPlain ? PlainSigns.cell(cell.text) : cell.text
                // Terminals differ in how wide they take what is not a single narrow character.
                let isSure = !isWide && column + 1 < next.size.columns && cell.text.unicodeScalars.count == 1
                place = isSure ? (row, column + 1) : nil
            }
        }

        /// Goes to a place, which counts from 0.
        mutating func move(_ row: Int, _ column: Int) {
            if let place, place == (row, column) { return }
            text += "\u{1B}[\(row + 1);\(column + 1)H"
            place = (row, column)
        }

        /// Takes another look for what follows.
        mutating func look(_ next: CellStyle) {
            guard next != style else { return }
            let parameters = next.parameters(depth)
            if parameters != style.parameters(depth) {
                text += parameters.isEmpty ? "\u{1B}[0m" : "\u{1B}[0;\(parameters)m"
            }
            style = next
        }
    }
}
