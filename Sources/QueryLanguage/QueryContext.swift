public import JSONCore

/// What a query can read of the commit: the values of `$old $seq $store $at $name $time`.
public struct QueryContext: Sendable {
    /// The previous state; null at the start.
    public var old: JSONValue
    /// The commit's number; 0 at the start.
    public var seq: Int
    /// The name of the store that was changed.
    public var store: JSONValue
    /// The source location of the commit, as the journal has it.
    public var at: JSONValue
    /// The commit's name.
    public var name: JSONValue
    /// The commit's time, RFC 3339.
    public var time: JSONValue
    /// The limits of an evaluation.
    public var limits: QueryLimits

    /// The context of a commit; without arguments that of the start.
    public init(
        old: JSONValue = .null, seq: Int = 0, store: JSONValue = .null, at: JSONValue = .null, name: JSONValue = .null,
        time: JSONValue = .null, limits: QueryLimits = .standard
    ) {
        self.old = old
        self.seq = seq
        self.store = store
        self.at = at
        self.name = name
        self.time = time
        self.limits = limits
    }

    /// The context at the start of a journal.
    public static let start = QueryContext()

    subscript(variable: ContextVariable) -> JSONValue {
        switch variable {
        case .old: old
        case .seq: .number(JSONNumber(seq))
        case .store: store
        case .at: at
        case .name: name
        case .time: time
        }
    }
}

/// A variable that describes the commit.
enum ContextVariable: String, CaseIterable {
    case old
    case seq
    case store
    case at
    case name
    case time
}
