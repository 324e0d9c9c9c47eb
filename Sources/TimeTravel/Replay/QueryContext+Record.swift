public import JSONCore
public import JournalFormat
public import QueryLanguage

extension QueryContext {
    /// The context at a record's position: `$seq`, `$store`, `$at`, `$name` and `$time` are its members.
    ///
    /// - Parameter old: the state at the position before.
    /// - Throws: `JournalError` where the line is not JSON inside.
    public init(record: OwnedRecord, old: JSONValue = .null) throws(JournalError) {
        let members = try record.object(order: .ascending)
        self.init(
            old: old, seq: record.seq.rawValue, store: members["store"] ?? .null, at: members["at"] ?? .null,
            name: members["name"] ?? .null, time: members["time"] ?? .null)
    }
}
