import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

/// What conditions come to along one part of a range, as far as the parts beside it need that.
struct PartFindings: Sendable {
    /// The states at its ends, as far as the conditions read them.
    let first: PositionState
    let last: PositionState
    /// What each condition says of the first.
    let start: [Condition.Judgement]
    /// Where the verdict of each condition turned.
    let turns: [PartTurns]
    /// Whether all up to its end has been read.
    let isWhole: Bool

    /// Asks conditions along a part.
    ///
    /// - Complexity: its bytes are scanned once; memory is that of the state, and of the turns.
    init(
        _ journal: Journal, _ part: PositionRange, _ conditions: [Condition]
    ) throws(JournalError) {
        var options = Run.Options()
        // The other parts are read at the same time.
        options.threads = 1
        let run = try Run(journal, part, asking: conditions.map(\.query), options: options)
        let first = run.positionState
        var start: [Condition.Judgement] = []
        for index in conditions.indices {
            start.append(
                conditions[index].judge(run.state, run.startContext, run.memo(of: index), wantsValue: true))
        }
        var turns = conditions.map { _ in PartTurns() }
        while let step = try run.next() {
            let (state, context) = (run.state, try run.context(of: step))
            for index in turns.indices where run.isTouched(index) {
                turns[index].note(step, conditions[index], state, context, run.memo(of: index))
            }
        }
        isWhole = run.lostEnd == nil && run.lastCommit == part.upper
        var last = run.positionState
        // Commits that touch nothing were passed over.
        if last.position < part.upper, run.lostEnd == nil { last.advance(to: part.upper) }
        (self.first, self.last, self.start, self.turns) = (first, last, start, turns)
    }
}

/// What one condition says along a part, as far as a track needs it.
struct PartTurns: Sendable {
    /// How many more states were judged, each of which was what the one before it was.
    private(set) var unreported = 0
    private(set) var steps: [(step: Run.Step, judgement: Condition.Judgement)] = []
    /// The verdict that need not be reported again.
    private var verdict: Condition.Verdict?
    /// Whether a bad state was met: a track wants the output and the state of the first one only.
    private var hasValue = false

    /// Judges the state after a step.
    mutating func note(
        _ step: Run.Step, _ condition: Condition, _ state: JSONValue, _ context: QueryContext,
        _ memo: QueryMemo?
    ) {
        let judgement = condition.judge(state, context, memo, wantsValue: step.isComplete && !hasValue)
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
