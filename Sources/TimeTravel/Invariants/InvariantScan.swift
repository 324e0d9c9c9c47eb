public import JSONCore
public import JournalFormat
public import QueryLanguage

/// What has to hold at every position.
public struct Invariant: Sendable {
    /// Its name.
    public let name: String
    /// The query, which has to have an output and none that is false or null.
    public let query: Query

    /// An invariant.
    public init(name: String, query: Query) {
        self.name = name
        self.query = query
    }
}

/// What became of one invariant over a stretch.
public struct InvariantAnswer: Sendable {
    /// Where and how often it did not hold.
    public struct Violation: Sendable {
        /// The record that began it first.
        public let first: OwnedRecord
        /// The first position at which it did not hold.
        public let position: CommitNumber
        /// The last one.
        public let last: CommitNumber
        /// How many there are.
        public let positions: Int
        /// How often it stopped to hold.
        public let stretches: Int
        /// The query's first output at the first of them that is false or null; nil where it has no output.
        public let value: JSONValue?
        /// Whether commits were lost directly before the first of them.
        public let crossesGap: Bool
        /// The commits that may be the first, where positions next to it could not be judged.
        public let candidates: [CommitNumber]
    }

    /// The invariant.
    public let invariant: Invariant
    /// Where it did not hold; nil where it held wherever it could be judged.
    public let violation: Violation?
    /// How many positions there are at which the query fails.
    public let failures: Int
    /// The first of them.
    public let firstFailure: BisectAnswer.Failure?
}

/// Holds invariants against every position of a stretch, all in one pass.
///
/// - Complexity: the bytes of the stretch are scanned once; a commit costs the evaluation of those invariants only whose
///   footprints it touches.
public struct InvariantScan: ~Copyable {
    private let journal: Journal
    private let range: PositionRange
    private let invariants: [Invariant]
    private var pass: QueryPass
    private var tracks: [ConditionTrack]
    /// Whether an invariant is asked at every commit.
    private let asksAlways: [Bool]

    /// Scans a stretch of a journal.
    ///
    /// - Parameters:
    ///   - recover: whether reading goes on behind damage.
    ///   - progress: told from time to time how far the pass has come.
    /// - Returns: an answer for each invariant, in their order, and the damage that was jumped over.
    /// - Throws: `JournalError` at damage.
    public static func run(
        _ journal: Journal, _ range: PositionRange, _ invariants: [Invariant], recover: Bool = false,
        progress: (@Sendable (_ commits: Int, _ bytes: Int) -> Void)? = nil
    ) throws(JournalError) -> (answers: [InvariantAnswer], damages: [JournalError]) {
        let reading = invariants.reduce(PathSet.nothing) { $0.union($1.query.footprint.paths) }
        return try reading.orEverything { (set) throws(JournalError) in
            var scan = try InvariantScan(journal, range, invariants, reading: set, recover, progress)
            return try scan.answers()
        }
    }

    private init(
        _ journal: Journal, _ range: PositionRange, _ invariants: [Invariant], reading set: PathSet, _ recover: Bool,
        _ progress: QueryPass.Progress?
    ) throws(JournalError) {
        let footprints = invariants.map(\.query.footprint)
        var options = PositionPass.Options()
        options.recover = recover
        options.interests = footprints.map(\.paths)
        // What throws comes first: a struct that cannot be copied is destroyed wrongly where it was half made.
        let pass = try QueryPass(
            journal, range, reading: set, for: footprints, options: options, progress: progress)
        self.journal = journal
        self.range = range
        self.invariants = invariants
        self.pass = pass
        asksAlways = footprints.map { $0.usesCommit || $0.usesOld }
        tracks = invariants.map { ConditionTrack(Condition(good: $0.query), over: range) }
    }

    private mutating func answers() throws(JournalError) -> (answers: [InvariantAnswer], damages: [JournalError]) {
        for index in tracks.indices { tracks[index].begin(pass.state, at: range.lower) }
        while let settled = try pass.next() { try note(settled) }
        for index in tracks.indices { tracks[index].finish(range) }
        var answers: [InvariantAnswer] = []
        for index in tracks.indices { answers.append(try answer(index)) }
        return (answers, pass.damages)
    }

    private mutating func note(_ settled: PositionPass.Settled) throws(JournalError) {
        let isJump = settled.kind == .gap || settled.kind == .keyframe
        let context = try pass.context(of: settled)
        for index in tracks.indices {
            if isJump { tracks[index].noteGap(after: settled.before) }
            // An invariant whose footprint is not touched holds or not as before.
            if pass.hasTouched(index) || asksAlways[index] || isJump || tracks[index].isInsidePosition {
                tracks[index].note(settled, pass.state, context)
            }
        }
        if settled.isComplete { pass.keepOld() }
    }

    // MARK: The answer

    private func answer(_ index: Int) throws(JournalError) -> InvariantAnswer {
        let (tracker, invariant) = (tracks[index].tracker, invariants[index])
        return InvariantAnswer(
            invariant: invariant, violation: try violation(tracker, invariant), failures: tracker.skipped,
            firstFailure: tracker.firstFailure)
    }

    private func violation(
        _ tracker: FlipTracker, _ invariant: Invariant
    ) throws(JournalError) -> InvariantAnswer.Violation? {
        guard let (position, author) = tracker.firstBad, let last = tracker.lastBad else { return nil }
        let opening = position == range.lower ? try opening(of: invariant) : nil
        let turn = tracker.firstTurn.flatMap { $0.author == author ? $0 : nil }
        return InvariantAnswer.Violation(
            first: try first(author, opening), position: position, last: last,
            positions: tracker.badPositions, stretches: tracker.stretches,
            value: try value(of: invariant, at: position), crossesGap: turn?.crossesGap ?? false,
            candidates: turn?.candidates ?? [])
    }

    private func first(
        _ author: FlipTracker.Author, _ opening: OwnedRecord?
    ) throws(JournalError) -> OwnedRecord {
        if let opening { return opening }
        return try journal.record(of: author)
    }

    /// The store record with which a run that is bad from its start turned so.
    private func opening(of invariant: Invariant) throws(JournalError) -> OwnedRecord? {
        guard range.lower == journal.start else { return nil }
        let condition = Condition(good: invariant.query)
        var state = PositionState(start: journal.start, pruning: invariant.query.footprint.paths)
        var reader = try journal.records(after: range.lower, through: range.lower.next)
        var author: OwnedRecord?
        var wasBad = false
        while let line = try reader.next(), line.seq == range.lower {
            guard line.kind == .store else { continue }
            try state.apply(line)
            let isBad = condition.verdict(on: state.value, context: QueryContext(seq: line.seq.rawValue)).isBad ?? false
            if isBad, author == nil || !wasBad { author = line.owned() }
            wasBad = isBad
        }
        return author
    }

    private func value(of invariant: Invariant, at position: CommitNumber) throws(JournalError) -> JSONValue? {
        let state = try journal.state(at: position, pruning: invariant.query.footprint.paths).value
        var value: JSONValue?
        try? invariant.query.evaluate(state, context: QueryContext(seq: position.rawValue)) { output in
            value = output
            return output.isTruthy
        }
        return value
    }
}
