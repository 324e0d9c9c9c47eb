public import JSONCore

/// Writes a row for each change of each commit, with the columns that change data feeds of tables have: an engine reads them as
/// the changes of a table whose rows are paths.
///
/// A `move` is a `delete` at its source and an `insert` at its target; a `test` changes nothing and has no row.
public struct ChangeWriter {
    /// How rows look.
    public enum Layout: Sendable, Equatable {
        /// An object a line; a member without a value is left out, so that a value that is null differs from none.
        case lines
        /// Comma-separated values with a head, cells as of ``CSVWriter``.
        case table(isRaw: Bool)
    }

    private static let columns = [
        "_change_type", "_commit_version", "_commit_timestamp", "store", "path", "old", "new", "file", "line",
        "function", "name", "cause",
    ]

    private var buffer = JSONWriter()
    private let form: Layout

    /// Begins the rows.
    public init(_ form: Layout) {
        self.form = form
        if case .table(let isRaw) = form {
            CSVCells(isRaw: isRaw).write(Self.columns.map(JSONValue.string), to: &buffer)
        }
    }

    /// Adds a commit, and applies it to the state of its store, which says what was there.
    public mutating func add(_ commit: ExportedCommit, to before: inout JSONValue) {
        guard let patch = commit.patch else { return }
        var state = PatchedValue(taking: &before)
        for operation in patch.operations {
            _ = try? write(operation, on: &state, of: commit).ascending().apply(to: &state, order: .ascending)
        }
        before = state.take()
    }

    /// Takes out what was composed.
    public mutating func take() -> [UInt8] { buffer.take() }

    private mutating func write(
        _ operation: JSONPatch.Operation, on state: inout PatchedValue, of commit: ExportedCommit
    ) -> JSONPatch.Operation {
        guard case .move(let from, let path) = operation else {
            if let change = FeedChange(operation, on: &state) { write(change, of: commit) }
            return operation
        }
        guard from != path, let value = state.value(at: from) else { return operation }
        write(FeedChange(type: .delete, path: from, old: value, new: nil), of: commit)
        _ = try? JSONPatch.Operation.remove(from, old: nil).apply(to: &state, order: .ascending)
        write(FeedChange(putting: value, at: path, on: &state), of: commit)
        return .add(path, value)
    }

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
            buffer.write(.object(JSONObject(members)))
            buffer.text("\n")
        case .table(let isRaw): CSVCells(isRaw: isRaw).write(values, to: &buffer)
        }
    }
}

private struct FeedChange {
    enum ChangeType: String {
        case insert, delete
        case update = "update_postimage"
    }

    let type: ChangeType
    let path: JSONPointer
    let old: JSONValue?
    let new: JSONValue?
}

extension FeedChange {
    /// The change of an operation on a state, nil where it changes nothing or is a `move`, which is two.
    fileprivate init?(_ operation: JSONPatch.Operation, on state: inout PatchedValue) {
        switch operation {
        case .add(let path, let value): self.init(putting: value, at: path, on: &state)
        case .remove(let path, let old):
            self.init(type: .delete, path: path, old: state.value(at: path) ?? old, new: nil)
        case .replace(let path, let value, let old):
            self.init(type: .update, path: path, old: state.value(at: path) ?? old, new: value)
        case .copy(let from, let path):
            guard let value = state.value(at: from) else { return nil }
            self.init(putting: value, at: path, on: &state)
        case .move, .test: return nil
        }
    }

    /// An `add`: it goes before an element of an array, and over a member or the whole.
    fileprivate init(putting value: JSONValue, at path: JSONPointer, on state: inout PatchedValue) {
        if let last = path.segments.last, let parent = path.parent, let count = state.count(ofArrayAt: parent) {
            // '-' is where the array ends.
            let path = last == "-" ? parent.appending(String(count)) : path
            self.init(type: .insert, path: path, old: nil, new: value)
            return
        }
        let old = state.value(at: path)
        self.init(type: old == nil ? .insert : .update, path: path, old: old, new: value)
    }
}
