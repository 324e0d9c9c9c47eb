import JSONCore

/// A table of comma-separated values, RFC 4180: a head, and rows that become objects with the head's names.
///
/// The values have no types there. A cell without quotes that reads as a JSON number, `true`, `false` or `null` is that, an empty
/// one is absent; one that reads as a JSON object or array is that, also in quotes, as `export csv` writes them. Every other cell
/// is a text.
struct CSVTable {
    /// The names of the columns; an empty one is called by its place, a further one of a name by its number: `a_2`.
    private let columns: [String]
    private let separator: UInt8
    /// The names that several columns have in the file.
    private(set) var doubled: [String] = []
    /// How many rows had bytes that are no UTF-8.
    private(set) var replaced = 0

    private static let quote = UInt8(ascii: "\"")

    /// A table with a head; nil for what may stand above it: a comment, and the line in which Excel names the separator.
    init?(head: some RandomAccessCollection<UInt8>, separatedBy known: inout UInt8?) throws(ImportFault) {
        let bytes = Array(head)
        let isJSON = bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[")
        guard !isJSON else { throw .form(expected: "a head with the names of the columns") }
        let counts = Self.separators.map { separator in (separator, bytes.count { $0 == separator }) }
        let most = counts.max { $0.1 < $1.1 }
        if bytes.count > 4, bytes.count < 8, String(decoding: bytes[..<4], as: UTF8.self).lowercased() == "sep=" {
            known = bytes[4]
            return nil
        }
        // '#id,name' is a head.
        if bytes.first == UInt8(ascii: "#"), bytes.dropFirst().first == UInt8(ascii: " ") || most?.1 == 0 { return nil }
        separator = known ?? most?.0 ?? UInt8(ascii: ",")
        var (names, doubled, replaced): (Set<String>, [String], Int) = ([], [], 0)
        columns = try Self.cells(bytes, separator, &replaced).enumerated().map { index, cell in
            var name = cell.text.isEmpty ? "column\(index + 1)" : cell.text
            var number = 2
            while !names.insert(name).inserted {
                if !doubled.contains(cell.text) { doubled.append(cell.text) }
                name = "\(cell.text)_\(number)"
                number += 1
            }
            return name
        }
        (self.doubled, self.replaced) = (doubled, replaced)
    }

    /// Most are commas: of as many of each the first counts.
    private static let separators = [UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "|")]
    var width: Int { columns.count }

    mutating func object(_ row: some RandomAccessCollection<UInt8>) throws(ImportFault) -> JSONValue {
        let cells = try Self.cells(Array(row), separator, &replaced)
        guard cells.count == columns.count else {
            throw .form(expected: "a row of \(counted(columns.count, "cell")), as the head has, but of \(cells.count)")
        }
        var object = JSONObject()
        for (name, cell) in zip(columns, cells) {
            if cell.isQuoted || !cell.bytes.isEmpty { object[name] = Self.value(of: cell) }
        }
        return .object(object)
    }

    private struct Cell {
        var bytes: [UInt8] = []
        var isQuoted = false
        var text = ""
    }

    private static func cells(
        _ row: [UInt8], _ separator: UInt8, _ replaced: inout Int
    ) throws(ImportFault) -> [Cell] {
        var cells: [Cell] = []
        var (cell, index, isWhole) = (Cell(), 0, true)
        let end = row.last == UInt8(ascii: "\r") ? row.count - 1 : row.count
        while index <= end {
            if index == end || row[index] == separator {
                let text = String(validating: cell.bytes, as: UTF8.self)
                if text == nil { isWhole = false }
                cell.text = text ?? String(decoding: cell.bytes, as: UTF8.self)
                cells.append(cell)
                cell = Cell()
            } else if cell.isQuoted {
                guard row[index] == UInt8(ascii: " ") else {
                    throw .form(expected: "a cell that ends with the quote that closes it")
                }
            } else if row[index] == quote, cell.bytes.isEmpty, !cell.isQuoted {
                cell.isQuoted = true
                index = try unquote(row, from: index + 1, to: end, &cell.bytes)
                continue
            } else {
                cell.bytes.append(row[index])
            }
            index += 1
        }
        if !isWhole { replaced += 1 }
        return cells
    }

    /// Takes what stands between quotes, in which two stand for one, and returns the place after it; without the
    /// closing quote every later row would be read as a part of this cell, so that is thrown.
    private static func unquote(
        _ row: [UInt8], from start: Int, to end: Int, _ cell: inout [UInt8]
    ) throws(ImportFault) -> Int {
        var index = start
        while index < end {
            if row[index] == quote {
                guard index + 1 < end, row[index + 1] == quote else { return index + 1 }
                index += 1
            }
            cell.append(row[index])
            index += 1
        }
        throw .form(expected: "a whole row: no '\"' closes the last cell, which goes to the end of the file")
    }

    private static func value(of cell: Cell) -> JSONValue {
        let first = cell.bytes.first
        let isContainer = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        let value = isContainer || !cell.isQuoted ? value(ofBare: cell.bytes) : nil
        return value ?? .string(cell.text)
    }

    static func value(ofBare bytes: [UInt8]) -> JSONValue? {
        guard let value = try? JSONParser.parse(bytes), value.string == nil else { return nil }
        return value
    }
}

struct OpenRow {
    private(set) var lines = 0
    private var isInQuotes = false
    /// Whether a quote would open a cell, or continue one that was closed, here.
    private var mayOpen = true
    /// Whether a carriage return stands before, which ends a row also without a newline.
    private var hasReturn = false

    mutating func end(in bytes: ByteView, from start: Int) -> Int? {
        for index in start..<bytes.count {
            let byte = bytes[index]
            if hasReturn, byte != UInt8(ascii: "\n") { return index - 1 }
            if byte == UInt8(ascii: "\r"), !isInQuotes {
                hasReturn = true
            } else if byte == UInt8(ascii: "\"") {
                if isInQuotes {
                    (isInQuotes, mayOpen) = (false, true)
                } else if mayOpen {
                    isInQuotes = true
                }
            } else if byte == UInt8(ascii: "\n") {
                guard isInQuotes else { return index }
                lines += 1
            } else if !isInQuotes {
                mayOpen = ",;\t|".utf8.contains(byte)
            }
        }
        return nil
    }
}
