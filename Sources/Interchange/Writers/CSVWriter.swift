import JSONCore

/// Writes comma-separated values, RFC 4180 with plain line breaks: a row for each change, or one for each commit with columns
/// that a query makes.
public struct CSVWriter: ExportWriter {
    private var buffer = ExportBuffer()
    /// The columns that a query makes; nil before the first row.
    private var columns: [String]?
    private let makesColumns: Bool
    private let cells: CSVCells
    /// How many rows had members that the first had not; they have no column.
    public private(set) var cutRows = 0

    private static let head = ["seq", "time", "store", "name", "file", "line", "function"]

    /// Begins a table.
    ///
    /// - Parameters:
    ///   - makesColumns: whether the states are values of a query, to be columns; otherwise the changes are rows.
    ///   - isRaw: whether texts stand as they are, also those that would be formulas.
    public init(makesColumns: Bool, isRaw: Bool = false) {
        self.makesColumns = makesColumns
        cells = CSVCells(isRaw: isRaw)
        if !makesColumns { row(Self.head + ["op", "path", "old", "value"]) }
    }

    /// Adds a commit.
    public mutating func add(_ commit: ExportedCommit) {
        let head = head(of: commit)
        guard !makesColumns else { return addValues(commit.state, head) }
        for change in commit.record["patch"]?.array ?? [] {
            guard let members = change.object, members["op"]?.string != "test" else { continue }
            // An operation that moves says where from in the place of a value.
            let value = members["value"] ?? members["from"]
            let path = "/" + Self.escaped(commit.store) + (members["path"]?.string ?? "")
            row(
                head + [
                    members["op"]?.string ?? "", path, members["old"].map(cells.cell) ?? "",
                    value.map(cells.cell) ?? "",
                ])
        }
    }

    /// Takes out what was composed.
    public mutating func take() -> [UInt8] { buffer.take() }

    private func head(of commit: ExportedCommit) -> [String] {
        let at = commit.record["at"]?.object
        return [
            "\(commit.seq)", commit.record["time"]?.string ?? "", cells.text(commit.store),
            cells.text(commit.title?.string ?? ""),
            cells.text(at?["file"]?.string ?? ""), at?["line"].map(cells.cell) ?? "",
            cells.text(at?["function"]?.string ?? ""),
        ]
    }

    /// An object's members are columns, and so are an array's elements; another value is one.
    private mutating func addValues(_ value: JSONValue, _ head: [String]) {
        let members: JSONObject
        switch value {
        case .object(let object): members = object
        case .array(let elements):
            members = JSONObject(elements.enumerated().map { (key: "\($0.offset)", value: $0.element) })
        default: members = ["value": value]
        }
        if columns == nil {
            columns = members.keys
            row(Self.head + members.keys.map(cells.text))
        }
        let columns = columns ?? []
        if members.keys.contains(where: { key in !columns.contains { UTF8Order.equal($0, key) } }) { cutRows += 1 }
        row(head + columns.map { members[$0].map(cells.cell) ?? "" })
    }

    private static func escaped(_ name: String) -> String {
        var text = ""
        JSONPointer.appendEscaped(name, to: &text)
        return text
    }

    private mutating func row(_ cells: [String]) { self.cells.write(cells, to: &buffer) }
}
