public import JSONCore

/// A `store` record: a store starts recording.
public struct StoreRecord: Sendable, Equatable {
    /// The last commit before it.
    public var seq: CommitNumber
    /// The store's name, unique among the live ones.
    public var store: String
    /// The name of the state's type.
    public var type: String
    /// When it started.
    public var time: Timestamp
    /// Where the store was made.
    public var at: SourceLocation
    /// The whole initial state.
    public var state: JSONValue

    /// Decodes a `store` record.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        seq = try members.commit("seq")
        store = try members.string("store")
        type = try members.string("type")
        time = try members.time()
        at = try members.location()
        state = try members.value("state")
    }
}

/// A `close` record: a store ends, which the state shows when the next commit begins.
public struct CloseRecord: Sendable, Equatable {
    /// The last commit before it.
    public var seq: CommitNumber
    /// The store's name.
    public var store: String
    /// When it ended.
    public var time: Timestamp

    /// Decodes a `close` record.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        seq = try members.commit("seq")
        store = try members.string("store")
        time = try members.time()
    }
}
