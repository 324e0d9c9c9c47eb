import JSONCore
import JournalFormat

/// Writes comma-separated values, RFC 4180 with plain line breaks: a row for each change, or one for each commit with columns
/// that a query makes.
public struct CSVWriter: ExportWriter {
    private var buffer = JSONWriter()
    private var columns: [String]?
    private let makesColumns: Bool
    private let cells: CSVCells
    /// How many rows had members that the first had not; they have no column.
    public private(set) var cutRows = 0

    private static let head: [JSONValue] = ["seq", "time", "store", "name", "file", "line", "function"]

    /// Begins a table.
    ///
    /// - Parameters:
    ///   - makesColumns: whether the states are values of a query, to be columns; otherwise the changes are rows.
    ///   - isRaw: whether texts stand as they are, also those that would be formulas.
    public init(makesColumns: Bool, isRaw: Bool = false) {
        self.makesColumns = makesColumns
        cells = CSVCells(isRaw: isRaw)
        let names: [JSONValue] = Self.head + ["op", "path", "old", "value"]
        if !makesColumns { row(names) }
    }

    /// Adds a commit.
    public mutating func add(_ commit: ExportedCommit) {
        let head = head(of: commit)
        guard !makesColumns else { return addValues(commit.state, head) }
        for change in commit.record["patch"]?.array ?? [] {
            guard let members = change.object, members["op"]?.string != "test" else { continue }
            // An operation that moves says where from in the place of a value.
            let value = members["value"] ?? members["from"]
            let path = "/" + JSONPointer.escaped(commit.store) + (members["path"]?.string ?? "")
            row(head + [members["op"], .string(path), members["old"], value])
        }
    }

    /// Takes out what was composed.
    public mutating func take() -> [UInt8] { buffer.take() }

    private func head(of commit: ExportedCommit) -> [JSONValue?] {
        let record = commit.record
        let at = record["at"]?.object
        return [
            .number(JSONNumber(commit.seq.rawValue)), record["time"], .string(commit.store), commit.title, at?["file"],
            at?["line"], at?["function"],
        ]
    }

    /// An object's members are columns, and so are an array's elements; another value is one.
    private mutating func addValues(_ value: JSONValue, _ head: [JSONValue?]) {
        let members: JSONObject
        switch value {
        case .object(let object): members = object
        case .array(let elements):
            members = JSONObject(elements.enumerated().map { (key: "\($0.offset)", value: $0.element) })
        default: members = ["value": value]
        }
        if columns == nil {
            columns = members.keys
            let names: [JSONValue] = Self.head + members.keys.map { .string($0) }
            row(names)
        }
        let columns = columns ?? []
        if members.keys.contains(where: { key in !columns.contains { UTF8Order.equal($0, key) } }) { cutRows += 1 }
        row(head + columns.map { members[$0] })
    }

    private mutating func row(_ cells: [JSONValue?]) { self.cells.write(cells, to: &buffer) }
}

/// The cells of comma-separated values, RFC 4180 with plain line breaks, as ``CSVTable`` reads them.
///
/// What is absent is an empty cell, a value is JSON, and a text is bare, but in quotes where it would be read as one of those:
/// `""`, `"null"`, `"12"`.
///
/// A text that begins with `=`, `+`, `-`, `@` or a tab would be a formula where a person opens the table, so it gets a `'` in front.
struct CSVCells {
    let isRaw: Bool

    func write(_ cells: [JSONValue?], to buffer: inout JSONWriter) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { buffer.text(",") }
            if let cell { buffer.text(text(of: cell)) }
        }
        buffer.text("\n")
    }

    private func text(of cell: JSONValue) -> String {
        let text = cell.string.map(guarded) ?? cell.text()
        let breaksRow = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        let isMistaken = cell.string != nil && (text.isEmpty || CSVTable.value(ofBare: Array(text.utf8)) != nil)
        return breaksRow || isMistaken ? Self.quoted(text) : text
    }

    private func guarded(_ text: String) -> String {
        guard !isRaw, let first = text.utf8.first, Self.formulaSigns.contains(first) else { return text }
        return "'" + text
    }

    /// With which bytes a formula begins; white space before it counts for nothing to some programs.
    private static let formulaSigns = Array("=+-@\t\r".utf8)

    private static func quoted(_ cell: String) -> String {
        var text = "\""
        for scalar in cell.unicodeScalars {
            if scalar == "\"" { text += "\"" }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }
}
