import JSONCore

extension LineBuilder {
    /// Begins a `commit` record; the patch, a JSON array, is to be appended to ``bytes``, then ``endRecord()``.
    ///
    /// - Parameters:
    ///   - seq: the commit's number, one more than the last commit's.
    ///   - version: the store's own count of commits.
    ///   - cause: the commit whose delivery made this one.
    public mutating func beginCommit(
        seq: CommitNumber, store: String, version: Int, time moment: Timestamp, at location: SourceLocation,
        name: String? = nil, action: EncodedAction? = nil, cause: CommitNumber? = nil, thread: String? = nil
    ) {
        let head = begin(commit: seq, store: store, at: location)
        integer(version)
        time(moment)
        raw(head.place)
        if let name, UTF8Order.equal(name, location.function) {
            raw(head.name)
        } else if let name {
            member("name", string: name)
        }
        if let action { self.action(action) }
        if let cause { member("cause", integer: cause.rawValue) }
        if let thread { member("thread", string: thread) }
        key("patch")
    }

    /// Writes a `commit` record with its encoded patch.
    public mutating func commit(
        seq: CommitNumber, store: String, version: Int, time: Timestamp, at: SourceLocation, name: String? = nil,
        action: EncodedAction? = nil, cause: CommitNumber? = nil, thread: String? = nil, patch: UnsafeRawBufferPointer
    ) {
        beginCommit(
            seq: seq, store: store, version: version, time: time, at: at, name: name, action: action, cause: cause,
            thread: thread)
        raw(patch)
        endRecord()
    }

    private mutating func action(_ action: EncodedAction) {
        literal(",\"action\":{\"type\":")
        string(action.type)
        if let payload = action.payload {
            literal(",\"payload\":")
            payload.withUnsafeBytes { raw($0) }
        }
        literal("}")
    }
}

/// The action that a reducer answered with a commit, its payload encoded.
public struct EncodedAction: Sendable, Equatable {
    /// The action's type, as `TimelineState.Action.requestSuccess`.
    public var type: String
    /// One JSON value.
    public var payload: [UInt8]?

    /// Names an action.
    public init(type: String, payload: [UInt8]? = nil) {
        self.type = type
        self.payload = payload
    }
}
