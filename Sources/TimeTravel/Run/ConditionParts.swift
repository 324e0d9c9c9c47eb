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
        var tracks = conditions.map {
            ConditionTrack($0, from: range.lower, skip: options.skip, keepsTurns: options.keepsTurns)
        }
        var last: PositionState?
        let (silent, conditions) = (silent, conditions)
        do {
            try ParallelMap.run(parts, threads: options.threads) { (part: PositionRange) -> PartFindings? in
                try? PartFindings(silent, part, conditions.map { $0.recompiled() })
            } each: { (found: PartFindings?) in
                guard let found, found.isWhole, last.map({ $0.isSame(as: found.first) }) ?? true else {
                    throw NoAnswer()
                }
                for index in tracks.indices {
                    // What the part before leads to was judged at its end.
                    if last == nil { tracks[index].begin(found.start[index], at: range.lower) }
                    tracks[index].count(tested: found.turns[index].unreported)
                    for (step, judgement) in found.turns[index].steps { tracks[index].note(step, judgement) }
                }
                last = found.last
                let position = found.last.position
                let end = try journal.offset(firstAtLeast: position.next)
                journal.reportProgress(readTo: end, commits: position.rawValue - range.lower.rawValue)
            }
        } catch { return nil }
        // Which states come before the last one that is asked about is for one pass to say.
        let stopped = conditions.map(\.query).filter(\.isStopped)
        guard stopped.isEmpty else {
            for query in stopped { query.askAgain() }
            return nil
        }
        for index in tracks.indices { tracks[index].finish(range, lost: nil) }
        return tracks
    }

    /// One pass has to answer.
    private struct NoAnswer: Error {}
}
