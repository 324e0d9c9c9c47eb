public import JSONCore
internal import Platform

/// A `keyframe` record: the whole state, so that a seek needs nothing before it.
public struct KeyframeRecord: Sendable, Equatable {
    /// The commit that it directly follows.
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

    package init(_ members: RecordMembers) throws(RecordFault) {
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
        for name in try members.strings("derived") { count(derived: name) }
        if members.isPresent("moreDerived") { countMoreDerived(try members.count("moreDerived")) }
        marks = try members.count("marks")
        gaps = try members.count("gaps")
        aborts = try members.count("aborts")
    }
}

extension LineBuilder {
    /// Begins a `keyframe` record: ``stateKey(_:)`` and a value for each open store follow, then ``endKeyframe(totals:)``.
    public mutating func beginKeyframe(seq: CommitNumber) {
        begin(.keyframe, seq: seq)
        literal(",\"states\":{")
    }

    /// Ends a `keyframe` record.
    ///
    /// - Parameter totals: what the file holds up to this line.
    public mutating func endKeyframe(totals: Totals) {
        literal("}")
        self.totals(totals)
        endRecord()
    }

    /// Begins a `gap` record: commits `first` … `first+lost-1` could not be kept.
    ///
    /// ``stateKey(_:)`` and a value for each open store follow, then ``endGap()``. Its `seq` is the last of the lost ones.
    ///
    /// - Precondition: `lost` is positive.
    public mutating func beginGap(first: CommitNumber, lost: Int, time moment: Timestamp, reason: String) {
        requirement(lost > 0, "'beginGap(first:lost: \(lost))': a gap holds at least one lost commit")
        begin(.gap, seq: CommitNumber(first.rawValue + lost - 1))
        time(moment)
        member("first", integer: first.rawValue)
        member("lost", integer: lost)
        member("reason", string: reason)
        literal(",\"states\":{")
    }

    /// Ends a `gap` record.
    public mutating func endGap() {
        literal("}")
        endRecord()
    }

    /// Begins the state of one store in a keyframe or a gap; the state is to be appended to ``bytes``.
    public mutating func stateKey(_ store: String) {
        holdsState(of: store)
        if bytes.last != UInt8(ascii: "{") { literal(",") }
        string(store)
        literal(":")
    }

    /// Writes the encoded state of one store in a keyframe or a gap.
    public mutating func state(of store: String, _ encoded: ByteView) {
        stateKey(store)
        raw(encoded)
    }

    /// Writes an `end` record: the run ended cleanly.
    public mutating func end(seq: CommitNumber, time moment: Timestamp, totals: Totals) {
        begin(.end, seq: seq)
        time(moment)
        self.totals(totals)
        endRecord()
    }

    package mutating func totals(_ totals: Totals) {
        literal(",\"totals\":{\"commits\":{")
        for (index, entry) in totals.commits.enumerated() {
            if index > 0 { literal(",") }
            string(entry.store)
            literal(":")
            integer(entry.count)
        }
        literal("},\"open\":")
        strings(totals.open)
        literal(",\"derived\":")
        strings(totals.derived)
        if totals.moreDerived > 0 {
            literal(",\"moreDerived\":")
            integer(totals.moreDerived)
        }
        literal(",\"marks\":")
        integer(totals.marks)
        literal(",\"gaps\":")
        integer(totals.gaps)
        literal(",\"aborts\":")
        integer(totals.aborts)
        literal("}")
    }
}
