import JSONCore
import JournalFormat
package import JournalReading
import QueryLanguage

/// What conditions come to along one part of a range, as far as the parts beside it need that.
///
/// Parts are asked by threads of one process (``ConditionParts``), or by processes that know nothing of each other, whose findings
/// travel as lines (``line(at:in:)``). ``ConditionJoin`` joins both.
package struct PartFindings: Sendable {
    /// The states at its ends, as far as the conditions read them.
    let first: PositionState
    let last: PositionState
    /// What each condition says of the first.
    let start: [Condition.Judgement]
    /// Where the verdict of each condition turned.
    let turns: [PartTurns]
    /// The positions at its end that have no state.
    let lost: ClosedRange<CommitNumber>?
    /// Whether all up to its end has been read.
    let isWhole: Bool

    /// Asks conditions along a part.
    ///
    /// - Parameters:
    ///   - threads: how many threads may look through it.
    ///   - recover: whether reading continues after damage.
    /// - Complexity: its bytes are scanned once; memory is that of the state, and of the turns.
    package init(
        _ journal: Journal, _ part: PositionRange, _ conditions: [Condition], threads: Int, recover: Bool = false
    ) throws(JournalError) {
        var options = Pass.Options()
        options.recover = recover
        options.threads = threads
        var pass = try Pass(journal, part, asking: conditions.map(\.query), options: options)
        let first = pass.positionState
        var start: [Condition.Judgement] = []
        for index in conditions.indices {
            start.append(
                conditions[index].judgement(on: pass.state, pass.startContext, pass.memo(of: index), wantsValue: true))
        }
        var turns = conditions.map { _ in PartTurns() }
        while let step = try pass.next() {
            let context = try pass.context(of: step)
            for index in turns.indices where pass.isTouched(index) {
                turns[index].note(step, conditions[index], pass.state, context, pass.memo(of: index))
            }
        }
        isWhole = pass.lostEnd == nil && pass.lastCommit == part.upper
        lost = pass.lostEnd
        var last = pass.positionState
        // Commits that touch nothing were passed over.
        if last.position < part.upper, lost == nil { last.advance(to: part.upper) }
        (self.first, self.last, self.start, self.turns) = (first, last, start, turns)
    }
}

/// What one condition says along a part, as far as a track needs it.
struct PartTurns: Sendable {
    /// How many more states were judged, each of which was what the one before it was.
    private(set) var unreported = 0
    private(set) var steps: [(step: Pass.Step, judgement: Condition.Judgement)] = []
    /// The verdict that need not be reported again.
    private var verdict: Condition.Verdict?
    /// Whether a bad state was met: a track wants the output and the state of the first one only.
    private var hasValue = false

    /// Judges the state after a step.
    mutating func note(
        _ step: Pass.Step, _ condition: Condition, _ state: JSONValue, _ context: QueryContext,
        _ memo: QueryMemo?
    ) {
        let judgement = condition.judgement(on: state, context, memo, wantsValue: step.isComplete && !hasValue)
        if judgement.state != nil { hasValue = true }
        // A position that has no answer, or several records, is reported with the one after it.
        let isPlain = step.isComplete && !step.isJump && judgement.verdict.error == nil
        if isPlain, judgement.verdict == verdict {
            unreported += 1
        } else {
            steps.append((step, judgement))
            verdict = isPlain ? judgement.verdict : nil
        }
    }
}

/// Joins what conditions come to along the parts of a range, in the range's order, into what one pass would have found.
struct ConditionJoin {
    private var tracks: [ConditionTrack]
    private let lower: CommitNumber
    private var hasBegun = false

    /// A join that has got no part yet.
    init(
        _ conditions: [Condition], from lower: CommitNumber, skip: CommitList = CommitList(), keepsTurns: Bool = false
    ) {
        self.lower = lower
        tracks = conditions.map { ConditionTrack($0, from: lower, skip: skip, keepsTurns: keepsTurns) }
    }

    /// Takes the next part.
    mutating func take(_ found: PartFindings) {
        for index in tracks.indices {
            begin(found.start[index], index)
            tracks[index].count(tested: found.turns[index].unreported)
            for (step, judgement) in found.turns[index].steps { tracks[index].note(step, judgement) }
        }
        hasBegun = true
    }

    /// Takes what a condition says of the first state of a part: what the parts before it lead to was judged there.
    mutating func begin(_ judgement: Condition.Judgement, _ condition: Int) {
        if !hasBegun { tracks[condition].begin(judgement, at: lower) }
    }

    /// Takes a turn of a condition.
    mutating func note(_ step: Pass.Step, _ judgement: Condition.Judgement, _ condition: Int) {
        tracks[condition].note(step, judgement)
    }

    /// Counts states that had the verdict of the one before.
    mutating func count(tested states: Int, _ condition: Int) { tracks[condition].count(tested: states) }

    /// Notes that what comes is not of the first part.
    mutating func endPart() { hasBegun = true }

    /// The tracks of all parts.
    mutating func finish(_ range: PositionRange, lost: ClosedRange<CommitNumber>?) -> [ConditionTrack] {
        for index in tracks.indices { tracks[index].finish(range, lost: lost) }
        return tracks
    }
}
