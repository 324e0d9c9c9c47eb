package import JSONCore
public import JournalFormat
public import JournalReading

/// Where a run turned bad: what `bisect` answers, in all its forms.
///
/// What a form cannot know is nil.
public struct BisectAnswer: Sendable {
    /// The record that made the first position bad whose position before was not.
    public var firstBad: OwnedRecord?
    /// The state at the first bad position, as far as the condition reads it; nil where there is none, or it was not kept.
    package var firstBadState: JSONValue?
    /// The position before the first bad one, or the last that could be judged.
    public var lastGood: CommitNumber?
    /// The record that had turned the state bad before ``firstBad``, at a position that was not asked about; nil where none had.
    public var badBefore: OwnedRecord?
    /// The record that began the bad range in which the range ends; nil where it ends good, or was bad from its start.
    public var lastFlip: OwnedRecord?
    /// How often good turned bad or bad good.
    public var flips: Int?
    /// Whether it turned at most once.
    public var isMonotone: Bool? { flips.map { $0 <= 1 } }
    /// Whether the range begins bad; nil where its start could not be judged.
    public var isBadAtStart: Bool?
    /// The first good position of a range that begins bad.
    public var firstMended: CommitNumber?
    /// Whether the range ends bad; nil where its end could not be judged.
    public var isBadAtEnd: Bool?
    /// How many states were judged.
    public var tested = 0
    /// How many positions were not judged: because they were not to be, or because there was no verdict on them.
    public var skipped = 0
    /// The positions that have no answer: what was lost, and where the query failed.
    public var unanswered = Unanswered()
    /// The commits that may be the first bad one, where positions next to the answer could not be judged.
    public var candidates: [CommitNumber] = []
    /// Whether commits were lost between the last good and the first bad position.
    public var crossesGap = false
    /// The damage that was jumped over, where that was asked for.
    public var damages: [JournalError] = []
    /// Ends of the range, and neighbours of the answer, that were not what a single turn from good to bad makes them.
    public var surprises: [Surprise] = []

    /// A position that is not what one turn from good to bad would make it.
    public struct Surprise: Sendable, Equatable {
        /// The position.
        public let position: CommitNumber
        /// What it had to be.
        public let expected: Bisection.Verdict
        /// What it is.
        public let found: Bisection.Verdict
    }

    /// An answer that says nothing yet.
    public init() {}

    /// Finds every turn between good and bad in one run along a range.
    ///
    /// The state is pruned to what the query reads, and the query is asked only where a commit touched that; in between the
    /// verdict cannot change. So a state that went bad, was mended and went bad again is reported as such, which no binary search
    /// can do.
    ///
    /// - Throws: `JournalError` where the journal is damaged and `options.recover` is not set.
    /// - Complexity: the bytes of the range are scanned once; the query runs once for each commit that touches its footprint.
    public init(
        _ journal: Journal, _ range: PositionRange, _ condition: Condition, options: BisectOptions = BisectOptions()
    ) throws(JournalError) {
        let found = try ConditionScan(journal, range, [condition], options).run()
        let answers = found.answers[0]
        damages = found.damages
        flips = answers.flips
        isBadAtStart = answers.isBadAtStart
        isBadAtEnd = answers.isBadAtEnd
        firstMended = answers.firstMended
        tested = answers.tested
        skipped = answers.skipped
        unanswered = answers.unanswered
        func record(of author: Answers.Author?) throws(JournalError) -> OwnedRecord? {
            try author.map { (author) throws(JournalError) in try journal.record(of: author) }
        }
        firstBad = try record(of: answers.firstTurn?.author)
        if let turn = answers.firstTurn {
            lastGood = turn.lastGood
            candidates = turn.candidates
            crossesGap = turn.crossesGap
            badBefore = try record(of: turn.badBefore)
        }
        if answers.firstBad?.position == firstBad?.seq ?? range.lower {
            firstBadState = answers.firstBadJudgement?.state
        }
        if isBadAtEnd != false { lastFlip = try record(of: answers.lastTurn?.author) }
    }

    /// Whether nothing stands in the way of believing the answer.
    ///
    /// A position without an answer may be bad: where one lies before the first bad position, or none was found, it could be
    /// the first. A search by halves supposes that it is not.
    public var isConclusive: Bool {
        guard candidates.isEmpty, !crossesGap, surprises.isEmpty else { return false }
        guard let firstBad else { return unanswered.count == 0 && (isBadAtStart != nil || isBadAtEnd != nil) }
        guard flips != nil, let first = unanswered.first else { return true }
        return first > firstBad.seq
    }
}
