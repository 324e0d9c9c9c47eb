extension LineBuilder {
    /// Writes an `outcome` record: what the derived values did after a commit.
    ///
    /// - Parameters:
    ///   - seq: the last commit's number when the line is written.
    ///   - commit: the commit that they answered, which may be an earlier one.
    public mutating func outcome(seq: CommitNumber, commit: CommitNumber, derived: [EncodedOutcome]) {
        begin(.outcome, seq: seq)
        member("commit", integer: commit.rawValue)
        key("derived")
        literal("[")
        for (index, entry) in derived.enumerated() {
            literal(index == 0 ? "{\"name\":" : ",{\"name\":")
            string(entry.name)
            literal(",\"outcome\":")
            string(entry.outcome.rawValue)
            if let value = entry.value {
                literal(",\"value\":")
                value.withUnsafeBytes { raw($0) }
            }
            if !entry.versions.isEmpty { append(versions: entry.versions) }
            literal("}")
        }
        literal("]")
        endRecord()
    }

    private mutating func append(versions: [EncodedOutcome.SeenVersion]) {
        literal(",\"versions\":{")
        for (index, seen) in versions.enumerated() {
            if index > 0 { literal(",") }
            string(seen.store)
            literal(":")
            integer(seen.version)
        }
        literal("}")
    }
}

/// What one derived value did after a commit, its new value encoded.
public struct EncodedOutcome: Sendable, Equatable {
    /// The derived value's name.
    public var name: String
    /// What it did.
    public var outcome: DerivedOutcome
    /// The new value as one JSON value, where it fired, is encodable and small.
    public var value: [UInt8]?
    /// The versions of stores that it saw, where those are not the ones at the commit.
    public var versions: [SeenVersion]

    /// A version of a store.
    public struct SeenVersion: Sendable, Equatable {
        /// The store's name.
        public var store: String
        /// How many commits it had.
        public var version: Int

        /// A version of a store.
        public init(store: String, version: Int) {
            self.store = store
            self.version = version
        }
    }

    /// States what a derived value did.
    public init(name: String, outcome: DerivedOutcome, value: [UInt8]? = nil, versions: [SeenVersion] = []) {
        self.name = name
        self.outcome = outcome
        self.value = value
        self.versions = versions
    }
}

/// What a derived value did after a commit that touched its inputs.
public enum DerivedOutcome: String, Sendable, Hashable {
    /// An input path was touched, the input is equal to the one before: the transform did not run.
    case unchanged
    /// The transform ran, its output is equal: nobody was told.
    case same
    /// The output differs: subscribers were told.
    case fired
}
