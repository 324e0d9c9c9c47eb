public import JSONCore

/// An `outcome` record: what the derived values did after a commit.
public struct OutcomeRecord: Sendable, Equatable {
    /// What one of them did.
    public struct Entry: Sendable, Equatable {
        /// The derived value's name.
        public var name: String
        /// What it did.
        public var outcome: DerivedOutcome
        /// The new value, where it fired and is small.
        public var value: JSONValue?
        /// The versions of stores that it saw, where those are not the ones at the commit.
        public var versions: [EncodedOutcome.SeenVersion] = []
    }

    /// The last commit before the record.
    public var seq: CommitNumber
    /// The commit that they answered.
    public var commit: CommitNumber
    /// The derived values whose inputs the commit touched.
    public var derived: [Entry]
    package private(set) var unknownOutcomes: [String] = []

    /// Decodes an `outcome` record; an outcome that it does not know is left out.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        seq = try members.commit("seq")
        commit = try members.commit("commit")
        derived = []
        for (index, element) in try members.elements("derived").enumerated() {
            guard case .object(let entry) = element else {
                throw RecordFault(member: "derived/\(index)", expected: "an object")
            }
            let members = RecordMembers(object: entry, prefix: "derived/\(index)/")
            let name = try members.string("name")
            let text = try members.string("outcome")
            guard let outcome = DerivedOutcome(rawValue: text) else {
                unknownOutcomes.append(text)
                continue
            }
            let versions = try Self.versions(entry["versions"], at: "derived/\(index)/versions")
            derived.append(Entry(name: name, outcome: outcome, value: entry["value"], versions: versions))
        }
    }

    private static func versions(
        _ value: JSONValue?, at place: String
    ) throws(RecordFault) -> [EncodedOutcome.SeenVersion] {
        guard let value else { return [] }
        guard case .object(let members) = value else { throw RecordFault(member: place, expected: "an object") }
        var versions: [EncodedOutcome.SeenVersion] = []
        for (store, version) in members {
            guard let version = version.number?.integerValue, version >= 0 else {
                throw RecordFault(member: place + "/" + store, expected: "a whole number from 0")
            }
            versions.append(EncodedOutcome.SeenVersion(store: store, version: version))
        }
        return versions
    }
}

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
                value.withBytes { raw($0) }
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
    /// The transform ran, its output is equal: subscribers were not notified.
    case same
    /// The output differs: subscribers were notified.
    case fired
}
