public import JSONCore
public import JournalFormat
public import JournalReading
public import QueryLanguage

/// What has to hold at every position.
public struct Invariant: Sendable {
    /// The invariant's name.
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
        /// The record that began it first; nil where it did not hold from the start and no record is the cause.
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
        /// The places in the source at which it was begun; nothing unless they were asked for.
        public var places: [TurnPlace] = []
    }

    /// The invariant.
    public let invariant: Invariant
    /// Where it did not hold; nil where it held wherever it could be judged.
    public fileprivate(set) var violation: Violation?
    /// At how many positions it was judged.
    public let positions: Int
    /// The positions at which it was not: what was lost, and where the query fails.
    public let unanswered: Unanswered
}

extension InvariantAnswer {
    /// What a finished track over a range comes to.
    init(_ invariant: Invariant, _ violation: Violation?, over range: PositionRange, _ track: ConditionTrack) {
        let unanswered = track.tracker.unanswered
        let judged = range.count + 1 - (unanswered.count - unanswered.lostAfterRange)
        self.init(invariant: invariant, violation: violation, positions: judged, unanswered: unanswered)
    }
}

extension ConditionTrack {
    /// Where and how often the condition did not hold; nil where it held.
    ///
    /// - Parameter first: the record that began it first.
    func violation(by first: OwnedRecord?) -> InvariantAnswer.Violation? {
        guard let (position, author) = tracker.firstBad, let last = tracker.lastBad else { return nil }
        let turn = tracker.firstTurn.flatMap { $0.author == author ? $0 : nil }
        return InvariantAnswer.Violation(
            first: first, position: position, last: last, positions: tracker.badPositions,
            ranges: tracker.badRanges, value: value, crossesGap: turn?.crossesGap ?? false,
            candidates: turn?.candidates ?? [])
    }
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
    ///   - recover: whether reading continues after damage.
    ///   - threads: how many threads may share the work; nil for as many as there are processors.
    ///   - countsPlaces: whether each beginning of a violation is put to its place in the source.
    /// - Returns: an answer for each invariant, in their order, and the damage that was jumped over.
    /// - Throws: `JournalError` at damage.
    public static func run(
        _ journal: Journal, _ range: PositionRange, _ invariants: [Invariant], recover: Bool = false,
        threads: Int? = nil, countsPlaces: Bool = false
    ) throws(JournalError) -> (answers: [InvariantAnswer], damages: [JournalError]) {
        var options = BisectOptions()
        options.recover = recover
        options.keepsTurns = countsPlaces
        if let threads { options.threads = threads }
        let found = try ConditionScan.run(
            journal, range, invariants.map { Condition(good: $0.query) }, options: options)
        let scan = InvariantScan(journal: journal, range: range)
        var answers: [InvariantAnswer] = []
        var places = TurnPlaces(journal, range)
        for (invariant, track) in zip(invariants, found.tracks) {
            var answer = try scan.answer(invariant, track)
            answer.violation?.places = try places.places(of: track)
            answers.append(answer)
        }
        return (answers, found.damages)
    }

    private func answer(
        _ invariant: Invariant, _ track: ConditionTrack
    ) throws(JournalError) -> InvariantAnswer {
        guard let (position, author) = track.tracker.firstBad else {
            return InvariantAnswer(invariant, nil, over: range, track)
        }
        let first =
            position == range.lower ? try opening(of: track.condition) : try journal.record(of: author)
        return InvariantAnswer(invariant, track.violation(by: first), over: range, track)
    }

    /// The opening of a store with which a run that is bad from its start turned so; nil where none alone did.
    private func opening(of condition: Condition) throws(JournalError) -> OwnedRecord? {
        guard range.lower == journal.start else { return nil }
        var opening = StoreOpening(condition, at: journal.start)
        var reader = try journal.records(after: journal.start, through: journal.start)
        do throws(JournalError) {
            while let line = try reader.next(), line.seq == journal.start {
                if line.kind == .store { try opening.note(line) }
            }
        } catch {
            // The scan went on after the damage, which hides the record that is to blame.
            guard error.isDamage else { throw error }
            return nil
        }
        return opening.turned
    }
}
