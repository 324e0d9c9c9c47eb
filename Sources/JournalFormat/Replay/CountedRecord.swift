/// What totals count of a record: its kind and number, and what it names.
public struct CountedRecord: Sendable {
    /// The record's kind.
    public var kind: RecordKind
    /// The record's number.
    public var seq: CommitNumber
    /// The store or derived value that it is about.
    public var name: String
    /// The stores whose states a gap holds.
    public var states: [String]
    /// How long its line is, with the newline.
    package var byteCount = 0
    /// The time that no later record is before; nil where it has none.
    var time: Timestamp?

    /// A record that names this.
    public init(_ kind: RecordKind, seq: CommitNumber, name: String = "", states: [String] = []) {
        self.kind = kind
        self.seq = seq
        self.name = name
        self.states = states
    }
}
