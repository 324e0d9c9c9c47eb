public import JSONCore

/// A `keyframe` record: the whole state, so that a seek needs nothing before it.
public struct KeyframeRecord: Sendable, Equatable {
    /// The commit that it stands behind.
    public var seq: CommitNumber
    /// The state of every open store.
    public var states: JSONObject
    /// What the file holds up to it; nil where a foreign writer left it out.
    public var totals: Totals?

    /// Decodes a `keyframe` record.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        seq = try members.commit("seq")
        states = try members.members("states")
        totals = members.isPresent("totals") ? try Totals(members.nested("totals")) : nil
    }
}

/// A `gap` record: commits that could not be kept, and the state after them.
public struct GapRecord: Sendable, Equatable {
    /// The last lost commit.
    public var seq: CommitNumber
    /// When it was written.
    public var time: Timestamp
    /// The first lost commit.
    public var first: CommitNumber
    /// How many are lost.
    public var lost: Int
    /// Why.
    public var reason: String
    /// The state of every open store after them.
    public var states: JSONObject

    /// Decodes a `gap` record.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        seq = try members.commit("seq")
        time = try members.time()
        first = try members.commit("first")
        lost = try members.count("lost")
        guard lost > 0, first.rawValue + lost - 1 == seq.rawValue else {
            throw RecordFault(member: "lost", expected: "the number of commits from 'first' to 'seq'")
        }
        reason = try members.string("reason")
        states = try members.members("states")
    }
}

/// An `end` record: the run ended cleanly.
public struct EndRecord: Sendable, Equatable {
    /// The last commit.
    public var seq: CommitNumber
    /// When it ended.
    public var time: Timestamp
    /// What the file holds.
    public var totals: Totals?

    /// Decodes an `end` record.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        seq = try members.commit("seq")
        time = try members.time()
        totals = members.isPresent("totals") ? try Totals(members.nested("totals")) : nil
    }
}

extension Totals {
    /// Decodes the member `totals`.
    public init(_ object: JSONObject) throws(RecordFault) {
        try self.init(RecordMembers(object: object, prefix: "totals/"))
    }

    init(_ members: RecordMembers) throws(RecordFault) {
        let counts = try members.nested("commits")
        self.init()
        var entries: [StoreCommits] = []
        for (store, _) in counts.object {
            entries.append(StoreCommits(store: store, count: try counts.count(store)))
        }
        commits = entries
        guard commitCount <= CommitNumber.largest.rawValue else {
            throw counts.fault("commits", "numbers of commits that a journal can hold")
        }
        open = try members.strings("open")
        for name in try members.strings("derived") { note(derived: name) }
        if members.isPresent("moreDerived") { noteMoreDerived(try members.count("moreDerived")) }
        marks = try members.count("marks")
        gaps = try members.count("gaps")
        aborts = try members.count("aborts")
    }
}
