import JournalFormat
import JournalReading
import QueryLanguage

/// Follows the verdicts of ascending positions and remembers where they turned.
///
/// It knows no journal: positions, their verdicts and records come in, the answer comes out.
struct FlipTracker {
    /// How many candidates are listed at the most; a longer list helps no reader.
    static let candidateLimit = 1_000

    /// The record that made a verdict what it is.
    enum Author: Sendable, Hashable {
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
        /// The record that had turned the state bad before, at a position that was not asked about; nil where none had.
        let badBefore: Author?
    }

    /// A position at which the run became bad, a start that is bad counted.
    struct BadTurn: Sendable {
        let position: CommitNumber
        let author: Author
    }

    /// How many of them are kept at the most, where they are wanted; all are counted.
    static let turnLimit = 20_000

    /// A verdict on positions that are not asked about, other than the last one that was asked for.
    private struct PassedOver {
        let isBad: Bool?
        let author: Author
        /// The last position at which the verdict that was asked for still held.
        let knownUpTo: CommitNumber
    }

    /// The first position.
    private let lower: CommitNumber
    private(set) var firstTurn: Turn?
    private(set) var lastTurn: Turn?
    private(set) var flips = 0
    /// How many positions were not judged, because they are on a list or the query fails there.
    private(set) var skipped = 0
    /// The positions without an answer.
    private(set) var unanswered = Unanswered()
    private(set) var isBadAtStart: Bool?
    /// The first good position of a range that begins bad.
    private(set) var firstMended: CommitNumber?
    /// How many positions are bad; those that commits were lost at are no positions.
    private(set) var badPositions = 0
    /// The first of them.
    private(set) var firstBad: (position: CommitNumber, author: Author)?
    /// The last of them.
    private(set) var lastBad: CommitNumber?
    /// How often the run became bad, a start that is bad counted.
    private(set) var badRanges = 0
    /// Where it did so; nothing unless that was asked for.
    private(set) var turns: [BadTurn] = []
    private let keepsTurns: Bool
    /// The first bad position that is not counted yet.
    private var badSince: CommitNumber?
    /// The first skipped position that is not counted yet.
    private var skippedSince: CommitNumber?

    /// The last verdict that there was, nil before the first.
    private(set) var isBad: Bool?
    /// Where the positions begin that could not be judged since; nil where the last one could.
    private var unjudgedSince: CommitNumber?
    private var unjudged: [CommitNumber] = []
    /// The last position that was kept, where commits were lost since.
    private var keptUpTo: CommitNumber?
    /// The verdict on the positions that are not asked about; nil where it equals the last one that was asked for.
    private var passedOver: PassedOver?

    /// A tracker of the positions from one on.
    init(from lower: CommitNumber, keepsTurns: Bool = false) {
        self.lower = lower
        self.keepsTurns = keepsTurns
    }

    /// Whether a verdict is the one that was noted last, and nothing has come after that: then there is nothing to note.
    @inline(__always)
    func holds(_ verdict: Condition.Verdict) -> Bool {
        guard let bad = verdict.isBad else { return false }
        return bad == isBad && unjudgedSince == nil && keptUpTo == nil && passedOver == nil
    }

    /// Takes the verdict on a position, which holds up to the next one that is noted.
    mutating func note(_ verdict: Condition.Verdict, at position: CommitNumber, by author: Author) {
        count(before: position)
        unanswered.note(verdict.error, at: position)
        guard let bad = verdict.isBad else { return noteUnjudged(at: position) }
        if position == lower { isBadAtStart = bad }
        if bad {
            badSince = position
            if firstBad == nil { firstBad = (position, author) }
            if isBad != true {
                badRanges += 1
                if keepsTurns, turns.count < Self.turnLimit {
                    turns.append(BadTurn(position: position, author: author))
                }
            }
        } else if isBadAtStart == true, firstMended == nil {
            firstMended = position
        }
        if let isBad, isBad != bad { turn(toBad: bad, at: position, by: author) }
        isBad = bad
        unjudgedSince = nil
        unjudged.removeAll()
        keptUpTo = nil
        passedOver = nil
    }

    /// Takes a position that is not to be judged.
    mutating func noteSkipped(at position: CommitNumber) {
        count(before: position)
        unanswered.note(nil, at: position)
        noteUnjudged(at: position)
    }

    /// Takes the verdict on a position that is not asked about.
    mutating func passOver(_ bad: Bool?, at position: CommitNumber, by author: Author) {
        if bad == isBad {
            passedOver = nil
        } else if passedOver == nil || passedOver?.isBad != bad {
            passedOver = PassedOver(
                isBad: bad, author: author, knownUpTo: passedOver?.knownUpTo ?? position.previous)
        }
    }

    /// Notes that the commits after a position were lost, up to one that has a state again.
    mutating func noteJump(from before: CommitNumber, to position: CommitNumber) {
        count(before: before.next)
        if before.next < position { unanswered.lose(before.next...position.previous) }
        if keptUpTo == nil { keptUpTo = before }
    }

    /// Whether the range ends bad; nil where its end could not be judged.
    var isBadAtEnd: Bool? {
        if let passedOver { return passedOver.isBad }
        return unjudgedSince == nil && keptUpTo == nil ? isBad : nil
    }

    /// Counts the positions up to the end of the range.
    ///
    /// - Parameter lost: those at the end that have no state.
    mutating func finish(_ range: PositionRange, lost: ClosedRange<CommitNumber>?) {
        count(before: lost?.lowerBound ?? range.upper.next)
        unanswered.finish(range, lost: lost)
        if let lost { keptUpTo = lost.lowerBound.previous }
    }

    private mutating func noteUnjudged(at position: CommitNumber) {
        skippedSince = position
        if unjudgedSince == nil { unjudgedSince = position }
        if unjudged.count < FlipTracker.candidateLimit { unjudged.append(position) }
    }

    /// Counts the positions that the last verdict holds for.
    private mutating func count(before position: CommitNumber) {
        if let since = badSince, since < position {
            badPositions += position.rawValue - since.rawValue
            lastBad = position.previous
        }
        if let since = skippedSince, since < position { skipped += position.rawValue - since.rawValue }
        badSince = nil
        skippedSince = nil
    }

    private mutating func turn(toBad: Bool, at position: CommitNumber, by author: Author) {
        flips += 1
        guard toBad else {
            lastTurn = nil
            return
        }
        let lastGood = min((unjudgedSince ?? position).previous, keptUpTo ?? position)
        let turn = Turn(
            author: author, lastGood: min(lastGood, passedOver?.knownUpTo ?? position),
            candidates: unjudged.isEmpty ? [] : unjudged + [position], crossesGap: keptUpTo != nil,
            badBefore: passedOver.flatMap { $0.isBad == true ? $0.author : nil })
        if firstTurn == nil { firstTurn = turn }
        lastTurn = turn
    }
}
