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

    init(_ invariant: Invariant, _ answers: Answers, over range: PositionRange, first: OwnedRecord?) {
        self.invariant = invariant
        unanswered = answers.unanswered
        positions = range.count + 1 - (unanswered.count - unanswered.lostAfterRange)
        guard let (position, author) = answers.firstBad, let last = answers.lastBad else { return }
        let turn = answers.firstTurn.flatMap { $0.author == author ? $0 : nil }
        violation = Violation(
            first: first, position: position, last: last, positions: answers.badPositions, ranges: answers.badRanges,
            value: answers.firstBadJudgement?.value, crossesGap: turn?.crossesGap ?? false,
            candidates: turn?.candidates ?? [])
    }
}

/// Holds invariants against every position of a range, all in one run.
///
/// - Complexity: the bytes of the range are scanned once; a commit costs the evaluation of those invariants only whose
///   footprints it touches.
public enum InvariantScan {
    /// Scans a range of a journal.
    ///
    /// - Parameters:
    ///   - threads: how many threads may share the work; nil for as many as there are processors.
    ///   - countsPlaces: whether each beginning of a violation is put to its place in the source.
    /// - Returns: an answer for each invariant, in their order, and the damage that was jumped over.
    public static func run(
        _ journal: Journal, _ range: PositionRange, _ invariants: [Invariant], recover: Bool = false,
        threads: Int? = nil, countsPlaces: Bool = false
    ) throws(JournalError) -> (answers: [InvariantAnswer], damages: [JournalError]) {
        var options = BisectOptions()
        options.recover = recover
        options.keepsTurns = countsPlaces
        if let threads { options.threads = threads }
        let found = try ConditionScan(journal, range, invariants.map { Condition(good: $0.query) }, options).run()
        var results: [InvariantAnswer] = []
        var places = TurnPlaces(journal: journal, range: range)
        for (invariant, answers) in zip(invariants, found.answers) {
            var first: OwnedRecord?
            if let (position, author) = answers.firstBad {
                first =
                    position > range.lower
                    ? try journal.record(of: author) : try opening(of: answers.condition, journal, range)
            }
            results.append(InvariantAnswer(invariant, answers, over: range, first: first))
            results[results.count - 1].violation?.places = try places.places(of: answers)
        }
        return (results, found.damages)
    }

    /// The opening of a store with which a range that is bad from its start turned so; nil where none alone did.
    private static func opening(
        of condition: Condition, _ journal: Journal, _ range: PositionRange
    ) throws(JournalError) -> OwnedRecord? {
        guard range.lower == journal.start, let start = PositionRange(range.lower, range.lower) else { return nil }
        do throws(JournalError) {
            let run = try Run(journal, start, asking: [condition.query], options: Run.Options(keepsRecords: true))
            return try condition.turningOpening(of: run)
        } catch {
            // The scan went on after the damage, which hides the record that is to blame.
            guard error.isDamage else { throw error }
            return nil
        }
    }
}

extension Condition {
    /// Nil where several openings that the query reads turned the run together.
    func turningOpening(of run: Run) throws(JournalError) -> OwnedRecord? {
        var state = PositionState(start: run.journal.start, pruning: query.footprint.paths)
        var turned: OwnedRecord?
        var wasBad = false
        for record in run.openings {
            let effect = try record.withLine { (line) throws(JournalError) in try state.apply(line) }
            guard effect != .none else { continue }
            let context = QueryContext(seq: record.seq.rawValue)
            let isBad = verdict(on: state.value, context: context).isBad ?? false
            if isBad { turned = wasBad ? nil : record }
            wasBad = isBad
        }
        return turned
    }
}

/// A place in the source at which a condition was turned bad.
public struct TurnPlace: Sendable {
    /// The first record that turned it bad there; nil where it was bad from the start.
    public let record: OwnedRecord?
    /// How often it was.
    public fileprivate(set) var times = 0
    /// The first position that became bad by it.
    public let first: CommitNumber
    /// The last such position.
    public fileprivate(set) var last: CommitNumber
}

/// - Complexity: each record that turned a condition is read once, whatever the number of conditions that it turned.
struct TurnPlaces {
    let journal: Journal
    let range: PositionRange
    fileprivate var keys: [Answers.Author: [UInt8]] = [:]

    /// The most frequent first, and of equally frequent ones the one that was met first.
    mutating func places(of answers: Answers) throws(JournalError) -> [TurnPlace] {
        var places: [TurnPlace] = []
        var indices: [[UInt8]: Int] = [:]
        for (position, author) in answers.turns {
            let isStart = position == range.lower
            let key = try isStart ? [0] : key(of: author)
            let index = indices[key] ?? places.count
            if index == places.count {
                indices[key] = index
                let record = isStart ? nil : try journal.record(of: author)
                places.append(TurnPlace(record: record, first: position, last: position))
            }
            places[index].times += 1
            places[index].last = position
        }
        return places.enumerated().sorted { left, right in
            (right.element.times, left.offset) < (left.element.times, right.offset)
        }.map(\.element)
    }

    private mutating func key(of author: Answers.Author) throws(JournalError) -> [UInt8] {
        if let known = keys[author] { return known }
        let place = try Record(journal.record(of: author)).place
        let parts = [place?.file ?? "", "\(place?.line ?? 0)", "\(place?.column ?? 0)", place?.function ?? ""]
        let key = Array(parts.joined(separator: "\0").utf8)
        keys[author] = key
        return key
    }
}
