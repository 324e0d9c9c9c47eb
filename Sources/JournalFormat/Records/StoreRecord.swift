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

extension LineBuilder {
    /// Begins a `store` record; the store's whole state is to be appended to ``bytes``, then ``endRecord()``.
    public mutating func beginStore(
        seq: CommitNumber, store: String, type: String, time moment: Timestamp, at location: SourceLocation
    ) {
        begin(.store, seq: seq)
        named(store)
        member("store", string: store)
        member("type", string: type)
        time(moment)
        at(location)
        key("state")
    }

    /// Writes a `store` record with its encoded state.
    public mutating func store(
        seq: CommitNumber, store: String, type: String, time: Timestamp, at: SourceLocation,
        state: ByteView
    ) {
        beginStore(seq: seq, store: store, type: type, time: time, at: at)
        raw(state)
        endRecord()
    }

    /// Writes a `close` record.
    public mutating func close(seq: CommitNumber, store: String, time moment: Timestamp) {
        begin(.close, seq: seq)
        named(store)
        member("store", string: store)
        time(moment)
        endRecord()
    }
}
