extension LineBuilder {
    /// Writes a `mark` record: what the app or a test says.
    public mutating func mark(
        seq: CommitNumber, time moment: Timestamp, at location: SourceLocation?, text: String, level: MarkLevel? = nil
    ) {
        begin(.mark, seq: seq)
        time(moment)
        if let location { at(location) }
        member("text", string: text)
        if let level { member("level", string: level.rawValue) }
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
