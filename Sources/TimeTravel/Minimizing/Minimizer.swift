import JSONCore
public import JournalFormat
public import QueryLanguage

/// Finds a smallest set of a run's commits that still ends bad.
///
/// None of them can be left out; another set may be smaller still. Where commits were lost the run is taken from behind the
/// last gap, because what a gap stands for cannot be left out.
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
        /// The position from which on commits can be left out: the start, or behind the last gap.
        public var from: CommitNumber
        /// What the file ends in that is not whole.
        public var torn: TornTail?
        /// Why the query could not be asked of the end of the run.
        public var failure: QueryError?
    }

    private let journal: Journal
    private let condition: Condition
    private let progress: (_ tested: Int, _ left: Int) -> Void

    /// Minimises a journal to what still ends bad.
    ///
    /// - Parameter progress: told after each set how many were tried and how many commits it had.
    public init(
        _ journal: Journal, bad query: Query, progress: @escaping (_ tested: Int, _ left: Int) -> Void = { _, _ in }
    ) {
        self.journal = journal
        condition = Condition(bad: query)
        self.progress = progress
    }

    /// Looks for the commits.
    ///
    /// - Throws: `JournalError` where the journal is damaged.
    public func answer() throws(JournalError) -> Answer {
        var answer = Answer(from: journal.start)
        let footprint = condition.query.footprint
        let isSelective = !footprint.usesCommit && !footprint.usesOld && !footprint.paths.isEverything
        var (replay, last) = try read(&answer, touching: isSelective ? footprint.paths : nil)
        if isSelective {
            guard isBad(last, .start, &answer) else { return answer }
            if !isBad(replay, Array(replay.commits.indices), &answer) {
                replay = try read(&answer, touching: nil).replay
            }
        }
        guard isBad(replay, Array(replay.commits.indices), &answer) else { return answer }
        let minimal = DeltaDebugging.minimal(replay.commits.count) { isBad(replay, $0, &answer) }
        answer.kept = minimal.map { replay.commits[$0].number }
        return answer
    }

    private func isBad(_ replay: CommitReplay, _ kept: [Int], _ answer: inout Answer) -> Bool {
        answer.tested += 1
        progress(answer.tested, kept.count)
        let footprint = condition.query.footprint
        let end = replay.end(keeping: kept, keepsOld: footprint.usesOld)
        var context = QueryContext()
        if footprint.usesCommit, let record = end.last?.record, let told = try? QueryContext(record: record) {
            context = told
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

    /// Reads the run, or what of it touches a set of paths; behind a gap anew.
    ///
    /// - Returns: the run, and what the paths read of its last state.
    private func read(
        _ answer: inout Answer, touching paths: PathSet?
    ) throws(JournalError) -> (replay: CommitReplay, last: JSONValue) {
        var replay = CommitReplay(start: PositionState(start: journal.start))
        let keepsRecords = condition.query.footprint.usesCommit
        answer.commits = 0
        var state = PositionState(start: journal.start, pruning: paths ?? .nothing)
        var reader = journal.records()
        while let line = try reader.next() {
            switch line.kind {
            case .commit:
                answer.commits += 1
                if paths != nil { try state.apply(line) }
                let record = try line.decode(order: .ascending) { (o) throws(RecordFault) in try CommitRecord(o) }
                let commit = CommitReplay.Commit(
                    number: record.seq, store: record.store, patch: record.patch,
                    record: keepsRecords ? line.owned() : nil)
                if let paths, !commit.touches(paths, in: state.value) { continue }
                replay.append(commit)
            case .store:
                let record = try line.decode(order: .ascending) { (o) throws(RecordFault) in try StoreRecord(o) }
                if paths != nil { try state.apply(line) }
                replay.append(.open(record.store, record.state))
            case .close:
                if paths != nil { try state.apply(line) }
                replay.append(.close(try line.storeName()))
            case .gap:
                let record = try line.decode(order: .ascending) { (o) throws(RecordFault) in try GapRecord(o) }
                if paths != nil { try state.apply(line) }
                var start = PositionState(start: line.seq)
                start.restart(with: record.states.ascending(), at: line.seq)
                replay = CommitReplay(start: start)
                answer.from = line.seq
                answer.commits = 0
            default: break
            }
        }
        answer.torn = reader.tornTail
        return (replay, state.value)
    }
}

extension CommitReplay.Commit {
    /// Whether the commit writes something of a set of paths.
    fileprivate func touches(_ paths: PathSet, in state: JSONValue) -> Bool {
        patch.inStore(store).operations.contains { paths.isTouched(by: $0, in: state) }
    }
}
