public import JSONCore

/// A `mark` record: the app or a test says something.
public struct MarkRecord: Sendable, Equatable {
    /// The last commit before it.
    public var seq: CommitNumber
    /// When it was said.
    public var time: Timestamp
    /// Where in the app's source.
    public var at: SourceLocation?
    /// What was said.
    public var text: String
    /// How grave it is; nil where it was not said, or is of a level that this version does not know.
    public var level: MarkLevel?
    /// What it says of that where it is of a level that this version does not know.
    package var unknownLevel: String?
    /// What the app recorded with it.
    public var payload: JSONValue?

    /// What the clock was set back to after it, which the recorder says in a mark without a place; nil for any other mark.
    package var clock: Timestamp? {
        guard at == nil, case .string(let text)? = payload?.member("clock") else { return nil }
        return Timestamp(text)
    }

    /// Decodes a `mark` record.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        seq = try members.commit("seq")
        time = try members.time()
        at = try members.optionalLocation()
        text = try members.string("text")
        let said = try members.optionalString("level")
        level = said.flatMap { MarkLevel(rawValue: $0) }
        unknownLevel = level == nil ? said : nil
        payload = object["payload"]
    }
}

/// An `abort` record: a commit's closure threw, and nothing changed.
public struct AbortRecord: Sendable, Equatable {
    /// The last commit before it.
    public var seq: CommitNumber
    /// The store's name.
    public var store: String
    /// When it was.
    public var time: Timestamp
    /// Where in the app's source.
    public var at: SourceLocation
    /// The name that was given to the commit.
    public var name: String?
    /// The error's text.
    public var error: String

    /// Decodes an `abort` record.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        seq = try members.commit("seq")
        store = try members.string("store")
        time = try members.time()
        at = try members.location()
        name = try members.optionalString("name")
        error = try members.string("error")
    }
}

extension LineBuilder {
    /// Writes a `mark` record: what the app or a test says.
    ///
    /// - Parameter payload: one JSON value.
    public mutating func mark(
        seq: CommitNumber, time moment: Timestamp, at location: SourceLocation?, text: String, level: MarkLevel? = nil,
        payload: [UInt8]? = nil
    ) {
        begin(.mark, seq: seq)
        time(moment)
        if let location { at(location) }
        member("text", string: text)
        if let level { member("level", string: level.rawValue) }
        if let payload {
            key("payload")
            payload.withBytes { raw($0) }
        }
        endRecord()
    }

    /// Writes the `mark` record after which times may be earlier, since the clock was set back.
    package mutating func clock(seq: CommitNumber, from last: Timestamp, to time: Timestamp) {
        begin(.mark, seq: seq)
        self.time(last)
        setBack(to: time)
        member("text", string: "the clock was set back from \(last.text) to \(time.text)")
        member("level", string: MarkLevel.warning.rawValue)
        key("payload")
        raw(Array(#"{"clock":"\#(time.text)"}"#.utf8))
        endRecord()
    }

    /// Writes an `abort` record: a commit's closure threw, nothing changed, no number was taken.
    public mutating func abort(
        seq: CommitNumber, store: String, time moment: Timestamp, at location: SourceLocation, name: String? = nil,
        error: String
    ) {
        begin(.abort, seq: seq)
        member("store", string: store)
        time(moment)
        at(location)
        if let name { member("name", string: name) }
        member("error", string: error)
        endRecord()
    }
}

/// How grave a mark is.
public enum MarkLevel: String, Sendable, Hashable {
    /// Something to know.
    case info
    /// Something odd.
    case warning
    /// Something wrong, as a failed expectation of a test.
    case error
}
