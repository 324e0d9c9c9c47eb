import JournalFormat
import QueryLanguage

/// Follows the verdicts of ascending positions and remembers where they turned.
///
/// It knows no journal: positions, verdicts and the records behind them come in, the answer comes out.
struct FlipTracker {
    /// How many candidates are listed at the most; beyond that the list helps nobody.
    static let candidateLimit = 1_000

    /// The record that made a verdict what it is.
    enum Author: Sendable, Equatable {
        /// The commit of that number.
        case commit(CommitNumber)
        /// The record of a line: a store, a gap, or a commit that was at hand.
        case line(ByteOffset)
    }

    /// A turn from good to bad.
    struct Turn: Sendable {
        let author: Author
        let lastGood: CommitNumber
        let candidates: [CommitNumber]
        let crossesGap: Bool
    }

    private let range: PositionRange
    private(set) var firstTurn: Turn?
    private(set) var lastTurn: Turn?
    private(set) var flips = 0
    private(set) var skipped = 0
    private(set) var isBadAtStart: Bool?
    private(set) var firstFailure: BisectAnswer.Failure?
    /// How many positions are bad; those that commits were lost at are no positions.
    private(set) var badPositions = 0
    /// The first of them.
    private(set) var firstBad: (position: CommitNumber, author: Author)?
    /// The last of them.
    private(set) var lastBad: CommitNumber?
    /// How often the run became bad, a start that is bad counted.
    private(set) var stretches = 0
    /// The first bad position that is not counted yet.
    private var badSince: CommitNumber?

    /// The last verdict that could be told, nil before the first.
    private(set) var isBad: Bool?
    /// Where the positions begin that could not be judged since; nil where the last one could.
    private var unjudgedSince: CommitNumber?
    private var unjudged: [CommitNumber] = []
    /// The last position that was kept, where commits were lost since.
    private var keptUpTo: CommitNumber?

    init(_ range: PositionRange) {
        self.range = range
    }

    /// Takes the verdict on a position, which holds up to the next one that is told.
    mutating func note(_ verdict: Bool?, at position: CommitNumber, by author: Author) {
        countBad(before: position)
        guard let bad = verdict else {
            if unjudgedSince == nil { unjudgedSince = position }
            if unjudged.count < FlipTracker.candidateLimit { unjudged.append(position) }
            return
        }
        countSkipped(upTo: position)
        if position == range.lower { isBadAtStart = bad }
        if bad { badSince = position }
        if bad, firstBad == nil { firstBad = (position, author) }
        if bad, isBad != true { stretches += 1 }
        if let isBad, isBad != bad { turn(toBad: bad, at: position, by: author) }
        isBad = bad
        unjudgedSince = nil
        unjudged.removeAll()
        keptUpTo = nil
    }

    /// Notes how a position failed, of which the first is told.
    mutating func noteFailure(_ error: QueryError, at position: CommitNumber) {
        if firstFailure == nil { firstFailure = BisectAnswer.Failure(position: position, error: error) }
    }

    /// Notes that the commits behind a position were lost, up to the one that is told next.
    mutating func noteGap(after position: CommitNumber) {
        countBad(before: position.next)
        if keptUpTo == nil { keptUpTo = position }
    }

    /// Whether the range ends bad; nil where its end could not be judged.
    var isBadAtEnd: Bool? { unjudgedSince == nil ? isBad : nil }

    /// Counts the positions at the end that could not be judged.
    mutating func finish() {
        countBad(before: range.upper.next)
        countSkipped(upTo: range.upper.next)
    }

    private mutating func countBad(before position: CommitNumber) {
        guard let since = badSince, since < position else { return }
        badPositions += position.rawValue - since.rawValue
        lastBad = position.previous
        badSince = nil
    }

    private mutating func turn(toBad: Bool, at position: CommitNumber, by author: Author) {
        flips += 1
        guard toBad else {
            lastTurn = nil
            return
        }
        let turn = Turn(
            author: author, lastGood: min((unjudgedSince ?? position).previous, keptUpTo ?? position),
            candidates: unjudged.isEmpty ? [] : unjudged + [position], crossesGap: keptUpTo != nil)
        if firstTurn == nil { firstTurn = turn }
        lastTurn = turn
    }

    private mutating func countSkipped(upTo position: CommitNumber) {
        if let unjudgedSince { skipped += position.rawValue - unjudgedSince.rawValue }
    }
}
