import JSONCore

/// Writes comma-separated values, RFC 4180 with plain line breaks: a row for each change, or one for each commit with columns
/// that a query makes.
///
/// A text that begins with `=`, `+`, `-`, `@` or a tab would be a formula where a person opens the table, so it gets a `'` in front.
public struct CSVWriter: ExportWriter {
    private var buffer = ExportBuffer()
    /// The columns that a query makes; nil before the first row.
    private var columns: [String]?
    private let makesColumns: Bool
    private let isRaw: Bool
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
        self.isRaw = isRaw
        if !makesColumns { row(Self.head + ["op", "path", "old", "value"]) }
    }

    /// Adds a commit.
    public mutating func add(_ commit: ExportedCommit) {
        let head = head(of: commit)
        guard !makesColumns else { return addValues(commit.state, head) }
        for change in commit.record["patch"]?.array ?? [] {
            guard let members = change.object else { continue }
            // An operation that moves says where from in the place of a value.
            let value = members["value"] ?? members["from"]
            let path = "/" + Self.escaped(commit.store) + (members["path"]?.string ?? "")
            row(
                head + [
                    members["op"]?.string ?? "", path, members["old"].map(cell) ?? "", value.map(cell) ?? "",
                ])
        }
    }

    /// Takes out what was composed.
    public mutating func take() -> [UInt8] { buffer.take() }

    private func head(of commit: ExportedCommit) -> [String] {
        let at = commit.record["at"]?.object
        return [
            "\(commit.seq)", commit.record["time"]?.string ?? "", text(commit.store),
            text(commit.record["name"]?.string ?? ""),
            text(at?["file"]?.string ?? ""), at?["line"].map(cell) ?? "", text(at?["function"]?.string ?? ""),
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
            row(Self.head + members.keys.map(text))
        }
        let columns = columns ?? []
        if members.keys.contains(where: { key in !columns.contains { UTF8Order.equal($0, key) } }) { cutRows += 1 }
        row(head + columns.map { members[$0].map(cell) ?? "" })
    }

    /// A string bare, null as nothing, anything else as JSON.
    private func cell(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): self.text(text)
        case .null: ""
        default: value.text()
        }
    }

    private func text(_ text: String) -> String {
        guard !isRaw, let first = text.utf8.first, Self.formulaSigns.contains(first) else { return text }
        return "'" + text
    }

    /// With which bytes a formula begins; white space before it counts for nothing to some programs.
    private static let formulaSigns = Array("=+-@\t\r".utf8)

    private static func escaped(_ name: String) -> String {
        var text = ""
        JSONPointer.appendEscaped(name, to: &text)
        return text
    }

    private mutating func row(_ cells: [String]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { buffer.text(",") }
            let needsQuotes = cell.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
            buffer.text(needsQuotes ? Self.quoted(cell) : cell)
        }
        buffer.text("\n")
    }

    private static func quoted(_ cell: String) -> String {
        var text = "\""
        for scalar in cell.unicodeScalars {
            if scalar == "\"" { text += "\"" }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }
}
