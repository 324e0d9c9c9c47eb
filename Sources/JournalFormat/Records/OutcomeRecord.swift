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
    /// Those whose inputs it touched.
    public var derived: [Entry]

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
            guard let outcome = DerivedOutcome(rawValue: try members.string("outcome")) else { continue }
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
