public import JSONCore
public import JournalFormat
public import QueryLanguage

extension QueryContext {
    /// The context at a record's position: `$seq`, `$store`, `$at`, `$name` and `$time` are its members.
    ///
    /// - Parameter old: the state at the position before.
    /// - Throws: `JournalError` where the line is not JSON inside.
    public init(record: OwnedRecord, old: JSONValue = .null) throws(JournalError) {
        self.init(seq: record.seq, record: try record.object(order: .ascending), old: old)
    }

    /// The context at a position whose record was read already.
    ///
    /// - Parameter record: the record's members. A commit without a name has that of its function.
    public init(seq: CommitNumber, record: JSONObject, old: JSONValue = .null) {
        let at = record["at"] ?? .null
        var name = record["name"] ?? .null
        if name == .null, case .object(let place) = at { name = place["function"] ?? .null }
        self.init(
            old: old, seq: seq.rawValue, store: record["store"] ?? .null, at: at, name: name,
            time: record["time"] ?? .null)
    }
}
