public import JSONCore
import JournalFormat

/// Reads Debezium's change events: a store for each table, rows by their primary key.
///
/// An event stands alone, in its `payload`, or as `value` beside its `key`, which names the primary key; without one it
/// is the column `id`, or those that were given. A console of Kafka prints the key before a tab. A tombstone (a null) says nothing more than the delete before it. The
/// commits of a transaction have its first one as their cause.
public struct DebeziumReader: ImportReader {
    private var rows: RowStores
    /// What stands before a tab, as the key of the event on that line.
    private var pendingKey: (key: JSONObject, line: Int)?

    /// A reader of events.
    ///
    /// - Parameter keys: the columns of primary keys, where events have no keys of their own.
    public init(keys: RowKeys = RowKeys()) { rows = RowStores(keys: keys) }

    /// The format.
    public var format: ImportFormat { .debezium }
    /// What there is to say of what was read, by the way.
    public var notes: [String] { rows.notes }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        let before = pendingKey
        pendingKey = nil
        if let before, before.line != line { try refuse(before, &run) }
        if text.isNull { return }
        if case .array(let events) = text {
            return try run.items(events, "event", line: line) { (run, event) throws(ImportFault) in
                try read(event, line: line, into: &run)
            }
        }
        let members = try TextMembers(text, as: format.form)
        let key = members["key"].flatMap(Self.payload)?.object ?? before?.key
        let isPair = members.object["key"] != nil && members.object["value"] != nil
        guard let event = isPair ? members.object["value"].flatMap(Self.payload) : Self.payload(text) else {
            // A tombstone: the event before it has the deletion.
            return
        }
        if before == nil, let members = event.object, members["op"] == nil, members["status"] == nil {
            pendingKey = (members, line)
            return
        }
        try note(TextMembers(event, as: format.form), key, line, &run)
    }

    /// Refuses a key without an event, if there is one at the end.
    public mutating func finish(_ run: inout ImportedRun) throws(ImportFault) {
        if let pendingKey { try refuse(pendingKey, &run) }
    }

    private func refuse(_ text: (key: JSONObject, line: Int), _ run: inout ImportedRun) throws(ImportFault) {
        try run.item("the event of line \(text.line)", line: text.line) { (_) throws(ImportFault) in
            _ = try TextMembers(text.key).string("op")
        }
    }

    private static func payload(_ value: JSONValue) -> JSONValue? {
        let payload = value.object?["payload"] ?? value
        return payload.isNull ? nil : payload
    }

    private mutating func note(
        _ event: TextMembers, _ key: JSONObject?, _ line: Int, _ run: inout ImportedRun
    ) throws(ImportFault) {
        var origin = ImportedRun.Origin(at: run.location(line: line))
        // The borders of a transaction, which have a topic of their own.
        if event["status"] != nil, event["op"] == nil { return }
        let (op, source) = (try event.string("op"), try event.nested("source"))
        origin.time = try source.time("ts_us", "ts_ms")
        if origin.time == nil { origin.time = try event.time("ts_ms") }
        if op == "m" {
            let message = event["message"]?.object
            return run.mark(message?["prefix"]?.string ?? message?["content"]?.string ?? "message", origin)
        }
        guard let name = Self.names[op] else { throw .operation(op, known: Self.names.keys.sorted()) }
        let table = RowStores.TableName(
            schema: source["schema"]?.string ?? source["db"]?.string, name: try source.string("table"))
        origin.name = "\(name) \(table.name)"
        let transaction = event["transaction"]?.object?["id"] ?? source["txId"] ?? source["gtid"]
        if op == "t" { return try rows.truncate(table, transaction: transaction, origin, &run) }
        try change(table, op, event, key, transaction, origin, &run)
    }

    private static let names = [
        "c": "insert", "r": "read", "u": "update", "d": "delete", "t": "truncate", "m": "message",
    ]

    private mutating func change(
        _ table: RowStores.TableName, _ op: String, _ event: TextMembers, _ key: JSONObject?, _ transaction: JSONValue?,
        _ origin: ImportedRun.Origin, _ run: inout ImportedRun
    ) throws(ImportFault) {
        let primary = key?.keys
        let before = event["before"]?.object
        func place(_ row: JSONObject) throws(ImportFault) -> String {
            try rows.rowKey(row, of: table, primary: primary)
        }
        guard op != "d" else {
            guard let row = key ?? before else { throw event.fault("before", "the row that was deleted") }
            return try rows.remove(place(row), from: table, transaction: transaction, origin, &run)
        }
        guard case .object(let after)? = event["after"] else { throw event.fault("after", "a row, an object") }
        let new = try place(after)
        // A key that changed: most connectors say a delete and an insert instead.
        var isNew = op != "u"
        if !isNew, let before, let old = try? place(before), !UTF8Order.equal(old, new) {
            try rows.remove(old, from: table, transaction: transaction, origin, &run)
            isNew = true
        }
        try rows.put(after, at: new, in: table, isNew: isNew, transaction: transaction, origin, &run)
    }
}
