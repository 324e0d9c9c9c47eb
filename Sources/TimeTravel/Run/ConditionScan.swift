import JSONCore
import JournalFormat
import JournalReading
import Platform
import QueryLanguage

/// Asks conditions along a range, in parts between keyframes on several threads.
///
/// A keyframe's state is compared with the one that the part before it ends with; where they differ, and wherever
/// something is damaged, one run reports what is wrong. The parts are the same however many threads there are.
///
/// - Complexity: the bytes of the range are scanned once, by all threads together; a step costs the evaluation of those
///   conditions only whose footprints it touches; memory is that of the states of as many parts as are under way, and
///   of the turns in them.
struct ConditionScan: Sendable {
    private let journal: Journal
    private let range: PositionRange
    private let conditions: [Condition]
    private let options: BisectOptions

    init(
        _ journal: Journal, _ range: PositionRange, _ conditions: [Condition],
        _ options: BisectOptions = BisectOptions()
    ) {
        (self.journal, self.range, self.conditions, self.options) = (journal, range, conditions, options)
    }

    func run() throws(JournalError) -> (answers: [Answers], damages: [JournalError]) {
        if let answers = inParts() { return (answers, []) }
        var runOptions = Run.Options(
            reading: options.paths.paths, keepsRecords: !options.paths.isEmpty, recover: options.recover)
        runOptions.threads = options.threads
        let run = try Run(journal, range, asking: conditions.map(\.query), options: runOptions)
        var answers = try ask(along: run)
        for index in answers.indices { answers[index].finish(range, lost: run.lostEnd) }
        return (answers, run.damages)
    }

    private func ask(along run: Run, isPart: Bool = false) throws(JournalError) -> [Answers] {
        let touched = options.paths.isEmpty ? nil : TouchedCommits(options.paths)
        touched?.follow(journal, range, recover: options.recover)
        var answers = conditions.map { Answers($0, from: range.lower, options, keepsSteps: isPart) }
        for index in answers.indices { answers[index].begin(run, index) }
        var isAsked = touched == nil
        while let step = try run.next() {
            let (state, context) = (run.state, try run.context(of: step))
            // A position is asked about where one of its records touches a path.
            if let touched, !isAsked { isAsked = try touched.contains(try run.record(of: step)) }
            for index in answers.indices where run.isTouched(index) {
                answers[index].judge(step, state, context, run, index, isAsked: isAsked)
            }
            if step.isComplete { isAsked = touched == nil }
        }
        return answers
    }

    // MARK: In parts

    private typealias Found = (answers: [Answers], first: PositionState, last: PositionState)

    /// Nil where only one run can give them: a short range, one without keyframes, some positions only, or queries that print.
    func inParts() -> [Answers]? {
        guard !options.recover, options.skip.isEmpty, options.paths.isEmpty,
            !conditions.contains(where: \.query.footprint.printsMessages),
            let parts = try? journal.parts(of: range, about: options.partLength), parts.count > 1,
            let silent = journal.silent()
        else { return nil }
        var answers: [Answers] = []
        var last: PositionState?
        do {
            try ParallelMap.run(parts, threads: options.threads) { [conditions, options] (part) -> Found? in
                try? ConditionScan(silent, part, conditions.map { $0.recompiled() }, options).asPart()
            } each: { (found: Found?) in
                guard let found, last?.isSame(as: found.first) ?? true else { throw CancellationError() }
                if answers.isEmpty {
                    answers = found.answers
                } else {
                    for index in answers.indices { answers[index].append(found.answers[index]) }
                }
                last = found.last
                let position = found.last.position
                let end = try journal.offset(firstAtLeast: position.next)
                journal.reportProgress(readTo: end, commits: position.rawValue - range.lower.rawValue)
            }
        } catch { return nil }
        // Which states come before the last one that is asked about is for one run to say.
        let stopped = conditions.map(\.query).filter(\.isStopped)
        guard stopped.isEmpty else {
            for query in stopped { query.askAgain() }
            return nil
        }
        for index in answers.indices { answers[index].finish(range, lost: nil) }
        return answers
    }

    private func asPart() throws(JournalError) -> Found? {
        var options = Run.Options()
        // The other parts are read at the same time.
        options.threads = 1
        let run = try Run(journal, range, asking: conditions.map(\.query), options: options)
        let first = run.positionState
        let answers = try ask(along: run, isPart: true)
        guard run.lostEnd == nil, run.lastCommit == range.upper else { return nil }
        var last = run.positionState
        // Commits that touch nothing were passed over.
        if last.position < range.upper { last.advance(to: range.upper) }
        return (answers, first, last)
    }
}
