public import JSONCore
public import JournalFormat
public import JournalReading

/// Where two runs part, or what differs at their ends.
///
/// Runs are aligned store by store: the steps of a store in one run, its openings and commits, are held against those of the
/// store of that name in the other, by location and changes. When something happened, in which order the stores took turns,
/// and what caused what, does not count as a difference.
public struct Divergence: Sendable {
    /// How many commits at the beginning of each run are in the other one too.
    public let common: Int
    /// The record of the left run that the right one does not have there, a commit or the opening of a store; nil where the
    /// left run has no further one.
    public let left: OwnedRecord?
    /// The record of the right run in its place.
    public let right: OwnedRecord?
    /// The store in which they part; nil where they do not, or their last states are compared.
    public let store: String?
    /// What leads from the left state to the right one: of that store after the two records, or of all stores at the end.
    public let patch: JSONPatch
    /// Where the runs part in the other stores that part, in their order; only where that was asked for, and as far as both
    /// runs can be read.
    public var others: [Parting] = []
    /// The first lost commit of either run, where the comparison had to end at a gap.
    public let gap: Gap?
    /// Whether each file ends in an incomplete record.
    public let tornTails: (left: TornTail?, right: TornTail?)

    /// Where two runs part in one store.
    public struct Parting: Sendable {
        /// Its name.
        public let store: String
        /// The record of the left run that the right one does not have there; nil where the left run has no further one.
        public let left: OwnedRecord?
        /// The record of the right run in its place.
        public let right: OwnedRecord?
    }

    /// Commits that are not in a journal.
    public struct Gap: Sendable, Equatable {
        /// Whether it is in the left run.
        public let isLeft: Bool
        /// The first lost commit.
        public let first: CommitNumber
    }

    /// Whether no difference was found.
    public var isEqual: Bool { left == nil && right == nil || store == nil && patch.isEmpty }

    /// What two runs are compared by.
    public struct Options: Sendable {
        /// The one store that is compared; nil for all.
        public var store: String?
        /// What may differ, in the whole state.
        package var ignored = PathMatcher([])
        /// Whether it is also found where the other stores part, for which both runs are read to their ends.
        public var findsOthers = false

        /// Everything is compared.
        public init() {}
    }

    /// Finds the first divergence of two runs, the same one whichever of them is the left one.
    ///
    /// - Throws: `JournalError` where one of them is damaged before it.
    /// - Complexity: one pass over both up to the divergence, two where their bytes differ and their values do not; memory
    ///   follows how differently they interleave their stores.
    public static func first(
        of left: Journal, and right: Journal, _ options: Options = Options()
    ) throws(JournalError) -> Divergence {
        let raw = EventFingerprint(isRaw: true, ignored: options.ignored)
        let found = try first(left, right, options, raw)
        if try !found.hasOnlyOtherBytes(left, right, options) { return found.divergence }
        let fingerprint = EventFingerprint(isRaw: false, ignored: options.ignored)
        return try first(left, right, options, fingerprint).divergence
    }

    /// What differs between the last states of two runs.
    public static func ofLastStates(
        _ left: Journal, _ right: Journal, _ options: Options = Options()
    ) throws(JournalError) -> Divergence {
        func last(_ journal: Journal) throws(JournalError) -> (OwnedRecord?, JSONValue, TornTail?) {
            let tail = try journal.tail()
            let record = tail.lastCommit > journal.start ? try? journal.record(of: tail.lastCommit) : nil
            let paths = options.store.map { PathSet(JSONPointer([$0])) } ?? .everything
            let state = try journal.state(at: tail.lastCommit, pruning: paths).value
            let value = options.ignored.replacing(in: state, at: options.ignored.root) { _ in .nothing }
            return (record, value, tail.torn)
        }
        let (leftRecord, leftState, leftTorn) = try last(left)
        let (rightRecord, rightState, rightTorn) = try last(right)
        return Divergence(
            common: 0, left: leftRecord, right: rightRecord, store: nil,
            patch: options.ignored.leavingOut(.difference(from: leftState, to: rightState)), gap: nil,
            tornTails: (leftTorn, rightTorn))
    }

    private struct Found {
        let divergence: Divergence
        let splits: [RunAlignment.Split]

        /// Whether the two steps at which some store parts are written otherwise but say the same.
        func hasOnlyOtherBytes(_ left: Journal, _ right: Journal, _ options: Options) throws(JournalError) -> Bool {
            var fingerprint = EventFingerprint(isRaw: false, ignored: options.ignored)
            for split in splits {
                guard let a = split.left, let b = split.right else { continue }
                func value(_ journal: Journal, _ event: RunEvent) throws(JournalError) -> Int {
                    try journal.record(at: event.offset)
                        .withLine { (line) throws(JournalError) in try fingerprint.of(line, store: split.store) }
                }
                if try value(left, a) == value(right, b) { return true }
            }
            return false
        }
    }

    private static func first(
        _ left: Journal, _ right: Journal, _ options: Options, _ fingerprint: EventFingerprint
    ) throws(JournalError) -> Found {
        var walk = RunAlignment(
            RunSteps(left, fingerprint, store: options.store), RunSteps(right, fingerprint, store: options.store),
            findsAll: options.findsOthers)
        try walk.run()
        let gap =
            walk.gaps.left.map { Gap(isLeft: true, first: $0) } ?? walk.gaps.right.map { Gap(isLeft: false, first: $0) }
        guard let split = walk.split else {
            let common = min(walk.commits.left, walk.commits.right)
            let equal = Divergence(
                common: common, left: nil, right: nil, store: nil, patch: JSONPatch(), gap: gap,
                tornTails: walk.tornTails)
            return Found(divergence: equal, splits: [])
        }
        let name = String(decoding: split.store, as: UTF8.self)
        func record(_ journal: Journal, _ event: RunEvent?) throws(JournalError) -> OwnedRecord? {
            try event.map { (event) throws(JournalError) in try journal.record(at: event.offset) }
        }
        func side(_ journal: Journal, _ event: RunEvent?) throws(JournalError) -> (OwnedRecord?, JSONValue) {
            let record = try record(journal, event)
            let state = try journal.state(of: name, after: record)
            return (record, fingerprint.without(.object(state), at: fingerprint.ignored.root))
        }
        let (leftRecord, leftState) = try side(left, split.left)
        let (rightRecord, rightState) = try side(right, split.right)
        let common = min(split.left?.commitsBefore ?? .max, split.right?.commitsBefore ?? .max)
        var divergence = Divergence(
            common: common, left: leftRecord, right: rightRecord, store: name,
            patch: fingerprint.ignored.leavingOut(.difference(from: leftState, to: rightState)), gap: nil,
            tornTails: walk.tornTails)
        guard options.findsOthers else { return Found(divergence: divergence, splits: [split]) }
        for other in walk.splits.sorted(by: { $0.isBefore($1) }) where other.store != split.store {
            divergence.others.append(
                Parting(
                    store: String(decoding: other.store, as: UTF8.self), left: try record(left, other.left),
                    right: try record(right, other.right)))
        }
        return Found(divergence: divergence, splits: walk.splits)
    }
}

extension Journal {
    fileprivate func state(of store: String, after record: OwnedRecord?) throws(JournalError) -> JSONObject {
        if let record, record.kind == .store {
            let opened = try record.decode(StoreRecord.init)
            return [store: opened.state.ascending()]
        }
        let position = if let record { record.seq } else { try lastCommit }
        return try state(at: position, pruning: PathSet(JSONPointer([store]))).stores
    }
}

extension PathMatcher {
    /// - Parameter prefix: where the paths of the patch begin.
    package func leavingOut(_ patch: JSONPatch, below prefix: [String] = []) -> JSONPatch {
        JSONPatch(
            patch.operations.filter { operation in
                if case .inside = meeting(prefix + operation.path.segments) { return false }
                return true
            })
    }
}
