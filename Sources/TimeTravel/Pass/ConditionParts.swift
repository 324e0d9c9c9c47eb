import JSONCore
import JournalFormat
import JournalReading
import Platform
import QueryLanguage

/// Asks conditions along the parts of a range on several threads, and reports what was found to the tracks, in the range's order.
///
/// A part begins with the state that a keyframe says. That is held against the state with which the part before it ends: only
/// where both are the same is the answer that of one pass. Where they are not, and wherever something is damaged, there is no
/// answer: one pass reports what is wrong as it always does.
///
/// The parts are the same however many threads there are, and so is what is reported of them.
///
/// - Complexity: the bytes of the range are scanned once, by all threads together; memory is that of the states of as many parts
///   as are under way, and of the turns in them.
struct ConditionParts {
    private let journal: Journal
    /// What the threads read; it reports no progress.
    private let silent: Journal
    private let range: PositionRange
    private let parts: [PositionRange]
    private let conditions: [Condition]
    private let options: BisectOptions

    /// Cuts a range; nil where it is better scanned in one pass: where it is short or has no keyframes, where only some positions
    /// are asked about, or a query prints messages, whose order counts.
    init?(
        _ journal: Journal, _ range: PositionRange, _ conditions: [Condition], _ options: BisectOptions
    ) {
        guard !options.recover, options.skip.isEmpty, options.paths.isEmpty,
            !conditions.contains(where: \.query.footprint.printsMessages),
            let parts = try? journal.parts(of: range, about: options.partLength), parts.count > 1,
            let silent = journal.silent()
        else { return nil }
        self.journal = journal
        self.silent = silent
        self.range = range
        self.parts = parts
        self.conditions = conditions
        self.options = options
    }

    /// The tracks of the conditions, in their order; nil where only one pass can give them.
    func tracks() -> [ConditionTrack]? {
        var tracks = conditions.map { ConditionTrack($0, from: range.lower, skip: options.skip) }
        var last: PositionState?
        let (silent, conditions) = (silent, conditions)
        do {
            try ParallelMap.run(parts, threads: options.threads) { (part: PositionRange) -> PartFindings? in
                try? PartScan.run(silent, part, conditions.map { $0.recompiled() })
            } each: { (found: PartFindings?) in
                guard let found, last.map({ $0.isSame(as: found.first) }) ?? true else { throw NoAnswer() }
                if last == nil {
                    for index in tracks.indices { tracks[index].begin(found.start[index], at: range.lower) }
                }
                for index in tracks.indices { found.turns[index].report(to: &tracks[index]) }
                last = found.last
                let position = found.last.position
                let end = try journal.offset(firstAtLeast: position.next)
                journal.reportProgress(readTo: end, commits: position.rawValue - range.lower.rawValue)
            }
        } catch { return nil }
        for index in tracks.indices { tracks[index].finish(range, lost: nil) }
        return tracks
    }

    /// One pass has to answer.
    private struct NoAnswer: Error {}
}

/// What a part of a range was found to be.
private struct PartFindings: Sendable {
    /// The states at its ends, as far as the conditions read them.
    let first: PositionState
    let last: PositionState
    /// What each condition says of the first.
    let start: [Condition.Judgement]
    /// Where the verdict of each condition turned.
    let turns: [PartTurns]
}

/// What one condition says along a part, as far as a track needs it.
private struct PartTurns: Sendable {
    /// How many more states were judged, each of which was what the one before it was.
    private var unreported = 0
    private var steps: [(step: Pass.Step, judgement: Condition.Judgement)] = []
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

    /// Reports to a track that has got all parts before this one.
    func report(to track: inout ConditionTrack) {
        track.count(tested: unreported)
        for (step, judgement) in steps { track.note(step, judgement) }
    }
}

/// A pass over one part.
private enum PartScan {
    static func run(
        _ journal: Journal, _ part: PositionRange, _ conditions: [Condition]
    ) throws(JournalError) -> PartFindings? {
        var options = Pass.Options()
        // The other parts are read at the same time.
        options.threads = 1
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
        guard pass.lostEnd == nil, pass.lastCommit == part.upper else { return nil }
        var last = pass.positionState
        // Commits that touch nothing were passed over.
        last.advance(to: part.upper)
        return PartFindings(first: first, last: last, start: start, turns: turns)
    }
}
