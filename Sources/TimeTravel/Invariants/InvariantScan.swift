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

/// What became of one invariant over a range.
public struct InvariantAnswer: Sendable {
    /// Where and how often it did not hold.
    public struct Violation: Sendable {
        /// The record that began it first; nil where it did not hold from the start and no record tells why.
        public let first: OwnedRecord?
        /// The first position at which it did not hold.
        public let position: CommitNumber
        /// The last one.
        public let last: CommitNumber
        /// How many there are.
        public let positions: Int
        /// How often it stopped to hold.
        public let ranges: Int
        /// The query's output at the first of them that is false or null; nil where it has no output.
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
    /// At how many positions it was judged.
    public let positions: Int
    /// The positions at which it was not: what was lost, and where the query fails.
    public let unanswered: Unanswered
}

/// Holds invariants against every position of a range, all in one pass.
///
/// - Complexity: the bytes of the range are scanned once; a commit costs the evaluation of those invariants only whose
///   footprints it touches.
public struct InvariantScan {
    private let journal: Journal
    private let range: PositionRange

    /// Scans a range of a journal.
    ///
    /// - Parameters:
    ///   - recover: whether reading goes on behind damage.
    ///   - progress: called from time to time with how far the pass has come.
    /// - Returns: an answer for each invariant, in their order, and the damage that was jumped over.
    /// - Throws: `JournalError` at damage.
    public static func run(
        _ journal: Journal, _ range: PositionRange, _ invariants: [Invariant], recover: Bool = false,
        progress: QuestionPass.Progress? = nil
    ) throws(JournalError) -> (answers: [InvariantAnswer], damages: [JournalError]) {
        var options = BisectOptions()
        options.recover = recover
        options.progress = progress
        let found = try ConditionScan.run(
            journal, range, invariants.map { Condition(good: $0.query) }, options: options)
        let scan = InvariantScan(journal: journal, range: range)
        var answers: [InvariantAnswer] = []
        for (invariant, track) in zip(invariants, found.tracks) { answers.append(try scan.answer(invariant, track)) }
        return (answers, found.damages)
    }

    private func answer(
        _ invariant: Invariant, _ track: ConditionTrack
    ) throws(JournalError) -> InvariantAnswer {
        let unanswered = track.tracker.unanswered
        return InvariantAnswer(
            invariant: invariant, violation: try violation(of: invariant, track),
            positions: range.count + 1 - unanswered.count, unanswered: unanswered)
    }

    private func violation(
        of invariant: Invariant, _ track: ConditionTrack
    ) throws(JournalError) -> InvariantAnswer.Violation? {
        let tracker = track.tracker
        guard let (position, author) = tracker.firstBad, let last = tracker.lastBad else { return nil }
        let first =
            position == range.lower ? try opening(of: track.condition) : try journal.record(of: author)
        let turn = tracker.firstTurn.flatMap { $0.author == author ? $0 : nil }
        return InvariantAnswer.Violation(
            first: first, position: position, last: last, positions: tracker.badPositions,
            ranges: tracker.badRanges, value: track.value, crossesGap: turn?.crossesGap ?? false,
            candidates: turn?.candidates ?? [])
    }

    /// The opening of a store with which a run that is bad from its start turned so; nil where none alone did.
    ///
    /// Only stores that the query reads count. Where it reads several and was bad with the first of them already, for want of
    /// the others or not, no single record is to blame.
    private func opening(of condition: Condition) throws(JournalError) -> OwnedRecord? {
        let paths = condition.query.footprint.paths
        var state = PositionState(start: journal.start, pruning: paths)
        var reader = try journal.records(after: journal.start, through: journal.start)
        var turned: OwnedRecord?
        var wasBad: Bool?
        while let line = try reader.next(), line.seq == range.lower, range.lower == journal.start {
            guard line.kind == .store, try state.apply(line) != .none else { continue }
            let context = QueryContext(seq: line.seq.rawValue)
            let isBad = condition.verdict(on: state.value, context: context).isBad ?? false
            if isBad, wasBad != true { turned = line.owned() }
            if isBad, wasBad == true { turned = nil }
            wasBad = isBad
        }
        return turned
    }
}
