import CommandLine
import Diagnostics
import JSONCore

/// The columns and rows of a screen.
struct ScreenSize: Hashable, Sendable {
    /// No screen is larger: a terminal that claims more would cost memory for nothing.
    static let limit = 2000

    let columns: Int
    let rows: Int

    /// A size, at least one cell.
    init(columns: Int, rows: Int) {
        self.columns = min(max(1, columns), Self.limit)
        self.rows = min(max(1, rows), Self.limit)
    }
}

/// A part of a screen.
struct ScreenArea: Hashable, Sendable {
    var row: Int
    var column: Int
    var rows: Int
    var columns: Int

    /// The row after the last.
    var endRow: Int { row + rows }
    /// The column after the last.
    var endColumn: Int { column + columns }

    /// Whether a place lies within.
    func contains(row: Int, column: Int) -> Bool {
        row >= self.row && row < endRow && column >= self.column && column < endColumn
    }
}

/// One place of a screen: a character with its marks, or the second half of a wide one.
struct ScreenCell: Hashable, Sendable {
    /// Empty for the second half.
    var text: String
    var style: CellStyle

    /// Nothing.
    static let blank = ScreenCell(text: " ", style: .plain)
}

/// A part of a line in one look.
struct StyledText: Hashable, Sendable {
    var text: String
    var style: CellStyle = .plain

    init(_ text: String, _ style: CellStyle = .plain) {
        self.text = text
        self.style = style
    }

    /// A text in the look of its role.
    init(_ text: String, _ role: Style.Role) { self.init(text, .role(role)) }
}

/// What a screen shows, cell by cell.
///
/// All text gets on it through one door, which escapes what acts on a terminal. A wide character has two cells, always both.
struct ScreenBuffer: Equatable, Sendable {
    /// More marks than this on one character are left out.
    private static let markLimit = 8

    let size: ScreenSize
    private var cells: [ScreenCell]
    /// Where the cursor is shown; nil hides it.
    var cursor: (row: Int, column: Int)?

    /// An empty screen.
    init(_ size: ScreenSize) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    static func == (left: ScreenBuffer, right: ScreenBuffer) -> Bool {
        left.size == right.size && left.cells == right.cells && left.cursor?.row == right.cursor?.row
            && left.cursor?.column == right.cursor?.column
    }

    /// All of it.
    var area: ScreenArea { ScreenArea(row: 0, column: 0, rows: size.rows, columns: size.columns) }

    /// The cell at a place of the screen.
    subscript(row: Int, column: Int) -> ScreenCell { cells[row * size.columns + column] }

    /// Writes parts of a line, cut where the columns end.
    ///
    /// - Parameter end: the column after the last that may be written; the screen's end unless given.
    /// - Returns: the column after what was written.
    @discardableResult
    mutating func write(_ parts: [StyledText], row: Int, column: Int, end: Int? = nil) -> Int {
        var column = column
        for part in parts { column = write(part.text, part.style, row: row, column: column, end: end) }
        return column
    }

    /// Writes a text, cut where the columns end; what acts on a terminal is escaped.
    ///
    /// - Returns: the column after what was written.
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

    /// Changes the look of what stands in an area.
    mutating func restyle(_ area: ScreenArea, _ change: (CellStyle) -> CellStyle) {
        for row in max(0, area.row)..<max(0, min(size.rows, area.endRow)) {
            for column in max(0, area.column)..<max(0, min(size.columns, area.endColumn)) {
                let index = row * size.columns + column
                cells[index].style = change(cells[index].style)
            }
        }
    }

    /// Empties an area.
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
