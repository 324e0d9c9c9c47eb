public import JSONCore
import JournalFormat

/// Stores of database tables: a store for each, its rows by their primary key.
struct RowStores {
    struct TableName: Hashable {
        private let schemaName: ByteName?
        private let tableName: ByteName

        init(schema: String?, name: String) {
            schemaName = schema.map { ByteName($0) }
            tableName = ByteName(name)
        }

        var schema: String? { schemaName?.text }
        var name: String { tableName.text }
        var full: String { schema.map { $0 + "." + name } ?? name }
    }

    let keys: RowKeys
    private(set) var unknownRows = 0
    private var stores: [TableName: String] = [:]
    private var transactions = RecentCommits()

    init(keys: RowKeys) { self.keys = keys }

    var notes: [String] {
        let strange = keys.tables.filter { table in
            !stores.keys.contains { UTF8Order.equal($0.name, table) || UTF8Order.equal($0.full, table) }
        }
        return
            (unknownRows == 0
            ? [] : ["\(counted(unknownRows, "change")) of rows that the file had not said anything of"])
            + strange.map { "'--key' names the table '\($0)', of which there is no row" }
    }

    /// The store of a table; of two with one name the second has its schema in front.
    mutating func store(of table: TableName) -> String {
        if let store = stores[table] { return store }
        let isTaken = stores.values.contains { UTF8Order.equal($0, table.name) }
        let store = isTaken ? table.full : table.name
        stores[table] = store
        return store
    }

    func rowKey(_ row: JSONObject, of table: TableName, primary: [String]? = nil) throws(ImportFault) -> String {
        let columns = primary ?? keys.columns(of: table) ?? ["id"]
        var values: [JSONValue] = []
        for column in columns {
            guard let value = row[column], !value.isNull else { throw .noKey(table: table.full, columns: columns) }
            values.append(value)
        }
        return Self.text(values)
    }

    static func text(_ values: [JSONValue]) -> String {
        guard values.count == 1 else { return JSONValue.array(values).text() }
        return values[0].string ?? values[0].text()
    }

    /// Says what a row is now: added, or changed in what differs; where it merges, columns that are not said stay as they were.
    mutating func put(
        _ row: JSONObject, at key: String, in table: TableName, merges: Bool = false, isNew: Bool,
        transaction: JSONValue?, _ origin: ImportedRun.Origin, _ run: inout ImportedRun
    ) throws(ImportFault) {
        let store = open(table, origin, &run)
        let path = JSONPointer([key])
        var operations: [JSONPatch.Operation]
        if let old = Self.row(key, of: store, run) {
            var new = row
            if merges, let old = old.object {
                for (column, value) in old where new[column] == nil { new.insertAscending(value, forKey: column) }
            }
            operations = JSONPatch.difference(from: old, to: .object(new)).operations.map { $0.below([key]) }
        } else {
            if !isNew { unknownRows += 1 }
            operations = [.add(path, .object(row))]
        }
        try commit(operations, to: store, transaction, origin, &run)
    }

    mutating func remove(
        _ key: String, from table: TableName, transaction: JSONValue?, _ origin: ImportedRun.Origin,
        _ run: inout ImportedRun
    ) throws(ImportFault) {
        let store = open(table, origin, &run)
        guard Self.row(key, of: store, run) != nil else {
            unknownRows += 1
            return
        }
        try commit([.remove(JSONPointer([key]), old: nil)], to: store, transaction, origin, &run)
    }

    mutating func truncate(
        _ table: TableName, transaction: JSONValue?, _ origin: ImportedRun.Origin, _ run: inout ImportedRun
    ) throws(ImportFault) {
        let store = open(table, origin, &run)
        try commit([.replace(JSONPointer(), .object(JSONObject()), old: nil)], to: store, transaction, origin, &run)
    }

    private mutating func open(_ table: TableName, _ origin: ImportedRun.Origin, _ run: inout ImportedRun) -> String {
        let store = store(of: table)
        if !run.isOpen(store) { run.open(store, .object(JSONObject()), origin) }
        return store
    }

    private static func row(_ key: String, of store: String, _ run: ImportedRun) -> JSONValue? {
        run.state(of: store)?.object?[key]
    }

    /// The commits of a transaction follow from its first.
    private mutating func commit(
        _ operations: [JSONPatch.Operation], to store: String, _ transaction: JSONValue?,
        _ origin: ImportedRun.Origin, _ run: inout ImportedRun
    ) throws(ImportFault) {
        var origin = origin
        origin.cause = transaction.flatMap { transactions[$0] }
        try run.commit(JSONPatch(operations), to: store, origin)
        if let transaction, origin.cause == nil { transactions.note(transaction, run.lastCommit) }
    }
}

/// The columns of primary keys that a file does not say.
public struct RowKeys: Sendable, Equatable {
    /// Those of every table that is not named; none for `id`.
    public var columns: [String]
    /// Those of a table, by its name, or with its schema in front: `public.orders`.
    public var ofTable: [ByteName: [String]]

    /// The columns of a key; `id` of every table unless given.
    public init(columns: [String] = [], ofTable: [ByteName: [String]] = [:]) {
        self.columns = columns
        self.ofTable = ofTable
    }

    var tables: [String] { ofTable.keys.sorted().map(\.text) }

    func columns(of table: RowStores.TableName) -> [String]? {
        ofTable[ByteName(table.full)] ?? ofTable[ByteName(table.name)] ?? (columns.isEmpty ? nil : columns)
    }
}

extension JSONPatch.Operation {
    func below(_ place: [String]) -> JSONPatch.Operation {
        func pointer(_ path: JSONPointer) -> JSONPointer { JSONPointer(place + path.segments) }
        return switch self {
        case .add(let path, let value): .add(pointer(path), value)
        case .remove(let path, let old): .remove(pointer(path), old: old)
        case .replace(let path, let value, let old): .replace(pointer(path), value, old: old)
        case .move(let from, let path): .move(from: pointer(from), to: pointer(path))
        case .copy(let from, let path): .copy(from: pointer(from), to: pointer(path))
        case .test(let path, let value): .test(pointer(path), value)
        }
    }
}
