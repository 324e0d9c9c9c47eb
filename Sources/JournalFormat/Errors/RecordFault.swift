/// What keeps a record from being what its kind says: one member, and what it should have been.
public struct RecordFault: Error, Sendable, Equatable {
    /// The member, as a path inside the record: `at/line`.
    public var member: String
    /// What was expected there: `an integer`.
    public var expected: String
    /// Whether there is no such member at all.
    public var isMissing: Bool

    /// States what is wrong.
    public init(member: String, expected: String, isMissing: Bool = false) {
        self.member = member
        self.expected = expected
        self.isMissing = isMissing
    }

    /// The fault as a clause: `'at/line' is not an integer`.
    public var text: String {
        isMissing ? "'\(member)' is missing, \(expected) is expected" : "'\(member)' is not \(expected)"
    }
}
