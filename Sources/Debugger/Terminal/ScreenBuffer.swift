import CommandLine
import Diagnostics
import JSONCore

struct ScreenSize: Hashable, Sendable {
    /// No screen is larger: a terminal that claims more would cost memory for nothing.
    static let limit = 2000

    let columns: Int
    let rows: Int

    init(columns: Int, rows: Int) {
        self.columns = min(max(1, columns), Self.limit)
        self.rows = min(max(1, rows), Self.limit)
    }
}

struct ScreenArea: Hashable, Sendable {
    var row: Int
    var column: Int
    var rows: Int
    var columns: Int

    var endRow: Int { row + rows }
    var endColumn: Int { column + columns }

    func contains(row: Int, column: Int) -> Bool {
        row >= self.row && row < endRow && column >= self.column && column < endColumn
    }
}

/// One place of a screen: a character with its marks, or the second half of a wide one.
struct ScreenCell: Hashable, Sendable {
    /// Empty for the second half.
    var text: String
    var style: CellStyle

    static let blank = ScreenCell(text: " ", style: .plain)
}

/// All text gets on a screen through one door, which escapes what acts on a terminal; a wide character has two cells,
/// always both.
struct ScreenBuffer: Equatable, Sendable {
    /// More marks than this on one character are left out.
    private static let markLimit = 8

    let size: ScreenSize
    private var cells: [ScreenCell]
    /// Nil hides it.
    var cursor: (row: Int, column: Int)?

    init(_ size: ScreenSize) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    static func == (left: ScreenBuffer, right: ScreenBuffer) -> Bool {
        left.size == right.size && left.cells == right.cells && left.cursor?.row == right.cursor?.row
            && left.cursor?.column == right.cursor?.column
    }

    subscript(row: Int, column: Int) -> ScreenCell { cells[row * size.columns + column] }

    /// Cut where the columns end, or before `end`; returns the column after what was written.
    @discardableResult
    mutating func write(_ line: StoryLine, row: Int, column: Int, end: Int? = nil) -> Int {
        var column = column
        for span in line.spans { column = write(span.text, .role(span.role), row: row, column: column, end: end) }
        return column
    }

    /// Cut where the columns end, with what acts on a terminal escaped; returns the column after what was written.
    @discardableResult
    mutating func write(_ text: String, _ style: CellStyle = .plain, row: Int, column: Int, end: Int? = nil) -> Int {
        let end = min(end ?? size.columns, size.columns)
        guard (0..<size.rows).contains(row), column >= 0 else { return column }
        var (next, last) = (column, Int?.none)
        var marks = 0
        for scalar in ControlCharacters.escaped(text).unicodeScalars {
            let width = DisplayWidth.of(scalar)
            if width == 0, let last {
                marks += 1
                if marks <= Self.markLimit { cells[row * size.columns + last].text.unicodeScalars.append(scalar) }
                continue
            }
            guard next + max(1, width) <= end else { break }
            put(width == 0 ? " " + String(scalar) : String(scalar), style, row, next, width: max(1, width))
            (last, marks) = (next, 0)
            next += max(1, width)
        }
        return next
    }

    mutating func restyle(_ area: ScreenArea, _ change: (CellStyle) -> CellStyle) {
        for row in max(0, area.row)..<max(0, min(size.rows, area.endRow)) {
            for column in max(0, area.column)..<max(0, min(size.columns, area.endColumn)) {
                let index = row * size.columns + column
                cells[index].style = change(cells[index].style)
            }
        }
    }

    mutating func clear(_ area: ScreenArea) {
        for row in max(0, area.row)..<max(0, min(size.rows, area.endRow)) {
            for column in max(0, area.column)..<max(0, min(size.columns, area.endColumn)) {
                put(" ", .plain, row, column, width: 1)
            }
        }
    }

    /// The rows as text without looks; spaces at their ends left out.
    var text: String {
        (0..<size.rows).map { row in
            var line = (0..<size.columns).map { self[row, $0].text }.joined()
            while UTF8Order.ends(line, with: " ") { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    /// Puts a character in its cells; of a wide one that is half covered, the other half becomes blank.
    private mutating func put(_ text: String, _ style: CellStyle, _ row: Int, _ column: Int, width: Int) {
        let start = row * size.columns
        if cells[start + column].text.isEmpty { cells[start + column - 1].text = " " }
        let after = column + width
        if after < size.columns, cells[start + after].text.isEmpty { cells[start + after].text = " " }
        cells[start + column] = ScreenCell(text: text, style: style)
        if width == 2 { cells[start + column + 1] = ScreenCell(text: "", style: style) }
    }
}

/// Brings a terminal from one screen to the next: writes only the cells that changed.
struct ScreenWriter {
    private let depth: ColorDepth
    /// Whether the terminal has no characters outside of ASCII.
    private let isPlain: Bool
    /// Nil where it is not known what the terminal shows.
    private var shown: ScreenBuffer?

    init(_ depth: ColorDepth, isPlain: Bool = false) {
        self.depth = depth
        self.isPlain = isPlain
    }

    /// Somebody else wrote to the terminal, or it has another size: everything is written anew.
    mutating func forget() { shown = nil }

    /// None where the terminal shows the screen already; they are wrapped so that a terminal which knows synchronized
    /// output (DEC mode 2026) shows all of them at once.
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

        /// Both halves of a wide character differ where one does, so each is written with its first.
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

        /// Counts from 0.
        mutating func move(_ row: Int, _ column: Int) {
            if let place, place == (row, column) { return }
            text += "\u{1B}[\(row + 1);\(column + 1)H"
            place = (row, column)
        }

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
