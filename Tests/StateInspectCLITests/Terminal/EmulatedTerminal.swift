@testable import CommandLine
@testable import Debugger

/// A terminal as far as the tests need one: it holds what was written to it, cell by cell, and knows no mercy.
///
/// What it is told and does not know is a problem, and so is a character that is written past the end of a row.
struct EmulatedTerminal {
    private(set) var size: ScreenSize
    /// Characters with their marks; empty for the second half of a wide one.
    private var cells: [[String]]
    /// The parameters in force where each was written.
    private var looks: [[String]]
    private var row = 0
    private var column = 0
    private var look = ""
    private(set) var isCursorShown = true
    private(set) var problem: String?

    init(_ size: ScreenSize) {
        self.size = size
        (cells, looks) = Self.empty(size)
    }

    private static func empty(_ size: ScreenSize) -> ([[String]], [[String]]) {
        (
            Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows),
            Array(repeating: Array(repeating: "", count: size.columns), count: size.rows)
        )
    }

    /// Another size: what is shown then is anybody's guess.
    mutating func resize(_ size: ScreenSize) {
        self.size = size
        (cells, looks) = Self.empty(size)
        garble()
    }

    /// Somebody else writes.
    mutating func garble() {
        for row in cells.indices {
            for column in cells[row].indices { (cells[row][column], looks[row][column]) = ("#", "7") }
        }
        (row, column, look) = (0, 0, "4")
    }

    /// Whether it shows a screen: its characters, their looks, and the cursor.
    func shows(_ screen: ScreenBuffer, _ depth: ColorDepth) -> Bool {
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let cell = screen[row, column]
                guard cells[row][column] == cell.text else { return false }
                if !cell.text.isEmpty, looks[row][column] != cell.style.parameters(depth) { return false }
            }
        }
        guard let cursor = screen.cursor else { return !isCursorShown }
        return isCursorShown && (row, column) == cursor
    }

    mutating func feed(_ bytes: [UInt8]) {
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}" else {
                write(scalar)
                continue
            }
            guard rest.popFirst() == "[" else { return complain("a sequence of another sort") }
            let body = rest.prefix { $0.value < 0x40 }
            rest = rest.dropFirst(body.count)
            control(String(body), rest.popFirst() ?? " ")
        }
    }

    private mutating func control(_ body: String, _ final: Unicode.Scalar) {
        switch (body, final) {
        case (_, "H"):
            let parts = body.split(separator: ";").map { Int($0) ?? 0 }
            guard parts.count == 2, (1...size.rows).contains(parts[0]), (1...size.columns).contains(parts[1]) else {
                return complain("no such place: \(body)")
            }
            (row, column) = (parts[0] - 1, parts[1] - 1)
        case ("2", "J"): (cells, looks) = Self.empty(size)
        case ("?25", "l"): isCursorShown = false
        case ("?25", "h"): isCursorShown = true
        case ("?2026", _): break
        case ("0", "m"): look = ""
        case (_, "m") where body.hasPrefix("0;"): look = String(body.dropFirst(2))
        default: complain("ESC [ \(body) \(final)")
        }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        guard scalar.value >= 0x20, scalar.value != 0x7F, !(0x80..<0xA0).contains(scalar.value) else {
            return complain("a control character: \(scalar.value)")
        }
        let width = DisplayWidth.of(scalar)
        if width == 0 {
            // It belongs to the character that was written last.
            let last = cells[row][column - 1].isEmpty ? column - 2 : column - 1
            return cells[row][last].unicodeScalars.append(scalar)
        }
        guard column + width <= size.columns else { return complain("past the end of a row") }
        if cells[row][column].isEmpty { cells[row][column - 1] = " " }
        if column + width < size.columns, cells[row][column + width].isEmpty { cells[row][column + width] = " " }
        (cells[row][column], looks[row][column]) = (String(scalar), look)
        if width == 2 { (cells[row][column + 1], looks[row][column + 1]) = ("", look) }
        column += width
    }

    private mutating func complain(_ text: String) { problem = problem ?? text }
}
