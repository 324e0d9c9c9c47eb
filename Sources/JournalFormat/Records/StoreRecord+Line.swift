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
        state: UnsafeRawBufferPointer
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
