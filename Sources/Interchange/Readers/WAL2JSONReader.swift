public import JSONCore
import JournalFormat

/// Reads what PostgreSQL's plug-in wal2json writes: a store for each table, rows by their primary key.
///
/// Format 1 has a text for each transaction, format 2 one for each change. The key is what `include-pk` names, else the
/// columns that were given, else `id`, else the columns of the old row in an update. A column that an update leaves out
/// (a value that was stored aside and did not change) stays as it is. The commits of a transaction have its first one
/// as their cause.
public struct WAL2JSONReader: ImportReader {
    private var rows: RowStores
    /// How many transactions there were, which numbers those of format 1 that have no number, and those of format 2.
    private var transactions = 0
    private var transactionTime: Timestamp?

    /// A reader of changes.
    ///
    /// - Parameter keys: the columns of primary keys, where the file does not name them.
    public init(keys: RowKeys = RowKeys()) { rows = RowStores(keys: keys) }

    /// The format.
    public var format: ImportFormat { .wal2json }
    /// What there is to say of what was read, by the way.
    public var notes: [String] { rows.notes }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        if case .array(let texts) = text {
            return try run.items(texts, "change", line: line) { (run, text) throws(ImportFault) in
                try read(text, line: line, into: &run)
            }
        }
        let members = try TextMembers(text, as: format.form)
        guard members["change"] != nil else { return try readTuple(members, line, &run) }
        transactions += 1
        let changes = try members.array("change")
        let time = try members.time("timestamp")
        try run.items(changes, "change", line: line) { (run, change) throws(ImportFault) in
            let change = try RowChange(ofTransaction: TextMembers(change, as: "a change, an object with 'kind'"))
            try note(change, time, line, &run)
        }
    }

    private mutating func readTuple(_ members: TextMembers, _ line: Int, _ run: inout ImportedRun) throws(ImportFault) {
        let action = try members.string("action")
        if action == "B" {
            transactions += 1
            transactionTime = try members.time("timestamp")
            return
        }
        if action == "C" { return }
        var time = try members.time("timestamp")
        if time == nil { time = transactionTime }
        try note(try RowChange(ofTuple: members, action), time, line, &run)
    }

    private mutating func note(
        _ change: RowChange, _ time: Timestamp?, _ line: Int, _ run: inout ImportedRun
    ) throws(ImportFault) {
        var origin = ImportedRun.Origin(
            at: run.location(line: line), name: "\(change.kind.rawValue) \(change.table.name)")
        origin.time = time
        let transaction = JSONValue.number(JSONNumber(transactions))
        switch change.kind {
        case .message:
            origin.name = nil
            run.mark(change.text ?? "message", origin)
        case .truncate: try rows.truncate(change.table, transaction: transaction, origin, &run)
        case .delete:
            try rows.remove(
                try key(change.identity, change), from: change.table, transaction: transaction, origin, &run)
        case .insert, .update:
            let new = try key(change.row, change)
            var isNew = change.kind == .insert
            if !isNew, let old = try? key(change.identity, change), !UTF8Order.equal(old, new) {
                try rows.remove(old, from: change.table, transaction: transaction, origin, &run)
                isNew = true
            }
            try rows.put(
                change.row, at: new, in: change.table, merges: change.kind == .update, isNew: isNew,
                transaction: transaction, origin, &run)
        }
    }

    private func key(_ row: JSONObject, _ change: RowChange) throws(ImportFault) -> String {
        let isFound = rows.keys.columns(of: change.table) != nil || row["id"] != nil
        let primary = change.primary ?? (isFound || change.identity.isEmpty ? nil : change.identity.keys)
        return try rows.rowKey(row, of: change.table, primary: primary)
    }
}

private struct RowChange {
    enum RowOperation: String {
        case insert, update, delete, truncate, message
    }

    let kind: RowOperation
    let table: RowStores.TableName
    var row = JSONObject()
    var identity = JSONObject()
    var primary: [String]?
    var text: String?

    init(ofTransaction members: TextMembers) throws(ImportFault) {
        let name = try members.string("kind")
        guard let kind = RowOperation(rawValue: name) else {
            throw .operation(name, known: ["insert", "update", "delete", "truncate", "message"])
        }
        self.kind = kind
        table = RowStores.TableName(schema: members["schema"]?.string, name: members["table"]?.string ?? "")
        text = members["prefix"]?.string ?? members["content"]?.string
        if members["columnnames"] != nil {
            row = try Self.pairs(try members.array("columnnames"), try members.array("columnvalues"))
        }
        if members["oldkeys"] != nil {
            let old = try members.nested("oldkeys")
            identity = try Self.pairs(try old.array("keynames"), try old.array("keyvalues"))
        }
        primary = members["pk"]?.object?["pknames"]?.array?.compactMap(\.string)
        try check(members)
    }

    init(ofTuple members: TextMembers, _ action: String) throws(ImportFault) {
        let kinds: [String: RowOperation] = ["I": .insert, "U": .update, "D": .delete, "T": .truncate, "M": .message]
        guard let kind = kinds[action] else { throw .operation(action, known: ["B", "C"] + kinds.keys.sorted()) }
        self.kind = kind
        table = RowStores.TableName(schema: members["schema"]?.string, name: members["table"]?.string ?? "")
        text = members["prefix"]?.string ?? members["content"]?.string
        if members["columns"] != nil { row = try Self.columns(try members.array("columns")) }
        if members["identity"] != nil { identity = try Self.columns(try members.array("identity")) }
        primary = members["pk"]?.array?.compactMap { $0.object?["name"]?.string }
        try check(members)
    }

    private func check(_ members: TextMembers) throws(ImportFault) {
        if kind != .message, table.name.isEmpty { throw members.fault("table", "the name of a table") }
        if kind == .insert || kind == .update, row.isEmpty { throw .form(expected: "a change with columns") }
        if kind == .delete, identity.isEmpty { throw .form(expected: "a delete that says what its row was found by") }
    }

    private static func pairs(_ names: [JSONValue], _ values: [JSONValue]) throws(ImportFault) -> JSONObject {
        guard names.count == values.count else { throw .form(expected: "a change with a value for each column") }
        var row = JSONObject()
        for (name, value) in zip(names, values) {
            guard case .string(let name) = name else { throw .form(expected: "a change whose columns have names") }
            row.insertAscending(value, forKey: name)
        }
        return row
    }

    private static func columns(_ columns: [JSONValue]) throws(ImportFault) -> JSONObject {
        var row = JSONObject()
        for column in columns {
            guard case .object(let members) = column, case .string(let name)? = members["name"] else {
                throw .form(expected: "a change whose columns have names")
            }
            row.insertAscending(members["value"] ?? .null, forKey: name)
        }
        return row
    }
}
