import JSONCore

/// Writes a row for each change of each commit, with the columns that change data feeds of tables have: an engine reads them as
/// the changes of a table whose rows are paths.
///
/// A `move` is a `delete` at its source and an `insert` at its target; a `test` changes nothing and has no row.
public struct ChangeWriter: ExportWriter {
    /// How rows look.
    public enum Form: Sendable, Equatable {
        /// An object a line; a member without a value is left out, so that a value that is null differs from none.
        case lines
        /// Comma-separated values with a head, cells as of ``CSVWriter``.
        case table(isRaw: Bool)
    }

    private static let columns = [
        "_change_type", "_commit_version", "_commit_timestamp", "store", "path", "old", "new", "file", "line",
        "function", "name", "cause",
    ]

    private var buffer = ExportBuffer()
    private let form: Form

    /// Begins the rows.
    public init(_ form: Form) {
        self.form = form
        if case .table(let isRaw) = form { CSVCells(isRaw: isRaw).write(Self.columns, to: &buffer) }
    }

    /// Adds a commit, whose state before says what was there.
    ///
    /// - Complexity: that of applying its patch, where it has several operations.
    public mutating func add(_ commit: ExportedCommit) {
        guard let json = commit.record["patch"], let patch = try? JSONPatch(json: json) else { return }
        var state = commit.before ?? .null
        for (index, operation) in patch.operations.enumerated() {
            for change in FeedChange.all(of: operation, in: state) { write(change, of: commit) }
            guard index + 1 < patch.operations.count else { return }
            _ = try? JSONPatch([operation]).apply(to: &state, order: .ascending)
        }
    }

    /// Takes out what was composed.
    public mutating func take() -> [UInt8] { buffer.take() }

    private mutating func write(_ change: FeedChange, of commit: ExportedCommit) {
        let record = commit.record
        let at = record["at"]?.object
        let path = JSONPointer([commit.store] + change.path.segments)
        let values: [JSONValue?] = [
            .string(change.type.rawValue), record["seq"], record["time"], record["store"], .string(path.text),
            change.old, change.new, at?["file"], at?["line"], at?["function"],
            commit.title, record["cause"],
        ]
        switch form {
        case .lines:
            let members = zip(Self.columns, values).compactMap { name, value in value.map { (key: name, value: $0) } }
            buffer.value(.object(JSONObject(members)))
            buffer.text("\n")
        case .table(let isRaw):
            let cells = CSVCells(isRaw: isRaw)
            cells.write(values.map { $0.map(cells.cell) ?? "" }, to: &buffer)
        }
    }
}

/// One change of one place, as change data feeds distinguish them.
private struct FeedChange {
    enum Kind: String {
        case insert, delete
        case update = "update_postimage"
    }

    let type: Kind
    /// Where in the store.
    let path: JSONPointer
    let old: JSONValue?
    let new: JSONValue?

    /// The changes of an operation on a state.
    static func all(of operation: JSONPatch.Operation, in state: JSONValue) -> [FeedChange] {
        switch operation {
        case .add(let path, let value): return [put(value, at: path, in: state)]
        case .remove(let path, let old):
            return [FeedChange(type: .delete, path: path, old: path.value(in: state) ?? old, new: nil)]
        case .replace(let path, let value, let old):
            return [FeedChange(type: .update, path: path, old: path.value(in: state) ?? old, new: value)]
        case .move(let from, let path):
            guard from != path, let value = from.value(in: state) else { return [] }
            var rest = state
            _ = try? JSONPatch([.remove(from, old: nil)]).apply(to: &rest, order: .ascending)
            return [
                FeedChange(type: .delete, path: from, old: value, new: nil), put(value, at: path, in: rest),
            ]
        case .copy(let from, let path): return from.value(in: state).map { [put($0, at: path, in: state)] } ?? []
        case .test: return []
        }
    }

    /// An `add`: it goes before an element of an array, and over a member or the whole.
    private static func put(_ value: JSONValue, at path: JSONPointer, in state: JSONValue) -> FeedChange {
        let parent = JSONPointer(Array(path.segments.dropLast())).value(in: state)
        if !path.segments.isEmpty, case .array(let elements)? = parent {
            // '-' is where the array ends.
            let place = path.segments.last == "-" ? "\(elements.count)" : path.segments.last ?? ""
            let path = JSONPointer(path.segments.dropLast() + [place])
            return FeedChange(type: .insert, path: path, old: nil, new: value)
        }
        guard let old = path.value(in: state) else {
            return FeedChange(type: .insert, path: path, old: nil, new: value)
        }
        return FeedChange(type: .update, path: path, old: old, new: value)
    }
}
