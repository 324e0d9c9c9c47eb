public import JSONCore
public import JournalFormat
public import JournalReading
public import QueryLanguage

/// Finds a smallest set of a run's commits that still ends bad.
///
/// None of them can be left out; another set may be smaller still. Where commits were lost, the run is taken from after
/// the last gap, because what a gap stands for cannot be left out.
///
/// The query is asked of the last position of the journal that would be written, with its number there.
///
/// Commits that write nothing of what the query reads are left out first, all at once; if the run is still bad, which it is
/// but for patches that depend on each other otherwise, only the others are kept in memory.
///
/// - Complexity: see `DeltaDebugging`; a question replays the commits that are left.
public struct Minimizer {
    /// What was found.
    public struct Answer: Sendable, Equatable {
        /// The commits that are enough, ascending; nil where the run does not end bad.
        public var kept: [CommitNumber]?
        /// How many commits there are.
        public var commits = 0
        /// How many sets of commits were tried.
        public var tested = 0
        /// The position from which on commits can be left out: the start, or the one after the last gap.
        public var from: CommitNumber
        /// What the file ends in that is not whole.
        public var torn: TornTail?
        /// The causes of these commits that are kept with them, where that was asked for.
        public var causes: [CommitNumber] = []
        /// The state in which the run of the commits that are kept ends.
        public var end: JSONValue = .null
        /// Why the query could not be asked of the end of the run.
        public var failure: QueryError?
    }

    private let journal: Journal
    private let condition: Condition
    private let progress: (_ tested: Int, _ left: Int) -> Void
    private let causes: CommitCauses?

    /// Minimises a journal to what still ends bad.
    ///
    /// - Parameters:
    ///   - causes: what caused what, where a commit is left out only with all that it caused.
    ///   - progress: called after each set with how many were tried and how many commits it had.
    public init(
        _ journal: Journal, bad query: Query, causes: CommitCauses? = nil,
        progress: @escaping (_ tested: Int, _ left: Int) -> Void = { _, _ in }
    ) {
        self.journal = journal
        condition = Condition(bad: query)
        self.progress = progress
        self.causes = causes
    }

    /// Searches for the commits.
    public func answer() throws(JournalError) -> Answer {
        var answer = Answer(from: journal.start)
        let footprint = condition.query.footprint
        let isSelective = !footprint.usesCommit && !footprint.usesOld && !footprint.paths.isEverything
        let (touched, last) = try survey(&answer, asking: isSelective ? [condition.query] : [])
        if isSelective, !isBad(last, .start, &answer) { return answer }
        func read(only chosen: Set<CommitNumber>?) throws(JournalError) -> CommitReplay {
            try CommitReplay(
                journal, after: answer.from, only: chosen, keepsRecords: footprint.usesCommit, torn: &answer.torn)
        }
        var replay = try read(only: isSelective ? Set(touched) : nil)
        if isSelective, !isBad(replay, Array(replay.numbers.indices), &answer) { replay = try read(only: nil) }
        guard isBad(replay, Array(replay.numbers.indices), &answer) else { return answer }
        let numbers = replay.numbers
        func withCauses(_ kept: [Int]) -> [Int] {
            guard let causes else { return kept }
            let whole = Set(causes.withCauses(kept.map { numbers[$0] }))
            return numbers.indices.filter { whole.contains(numbers[$0]) }
        }
        let minimal = DeltaDebugging.minimal(numbers.count) { isBad(replay, withCauses($0), &answer) }
        let needed = minimal.map { numbers[$0] }
        let kept = (causes?.withCauses(needed) ?? needed).filter { $0 > answer.from }
        answer.kept = kept
        answer.causes = kept.filter { !needed.contains($0) }
        answer.end = replay.end(keeping: withCauses(minimal)).state.value
        return answer
    }

    private func isBad(_ replay: CommitReplay, _ kept: [Int], _ answer: inout Answer) -> Bool {
        answer.tested += 1
        progress(answer.tested, kept.count)
        let footprint = condition.query.footprint
        let end = replay.end(keeping: kept, keepsOld: footprint.usesOld)
        var context = QueryContext()
        if footprint.usesCommit, let record = end.last, let recorded = try? QueryContext(record: record) {
            context = recorded
        }
        context.seq = end.state.position.rawValue
        context.old = end.old
        return isBad(end.state.value, context, &answer)
    }

    private func isBad(_ state: JSONValue, _ context: QueryContext, _ answer: inout Answer) -> Bool {
        let verdict = condition.verdict(on: state, context: context)
        if case .failed(let error) = verdict, answer.failure == nil { answer.failure = error }
        return verdict.isBad ?? false
    }

    /// Where the run can be taken from, which commits after that write what questions read, and what is read at the
    /// end.
    private func survey(
        _ answer: inout Answer, asking questions: [Query]
    ) throws(JournalError) -> (touched: [CommitNumber], last: JSONValue) {
        let end = try journal.lastCommit
        var touched: [CommitNumber] = []
        var last = JSONValue.null
        if let range = PositionRange(journal.start, end) {
            let run = try Run(journal, range, asking: questions)
            while let step = try run.next() {
                switch step.kind {
                case .gap:
                    answer.from = step.seq
                    touched = []
                case .commit: touched.append(step.seq)
                default: break
                }
            }
            last = run.state
        }
        answer.commits = end.rawValue - answer.from.rawValue
        return (touched, last)
    }
}
