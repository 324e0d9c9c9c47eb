import JSONCore
public import JournalFormat
import QueryLanguage

/// Follows derived values through a stretch of a run and tells which would have fired, and why not.
///
/// One pass over the states pruned to what all of them read. A value is computed again only where something that it reads
/// was written and differs: the same two steps as in the app.
public struct DerivedFirings: ~Copyable {
    /// What one value was at the position before.
    private struct Follower {
        let value: DerivedValue
        let paths: PathSet
        var input: JSONValue
        var output: JSONValue?
        var summary: DerivedSummary
    }

    /// A record that changed the state, and the state after it.
    private struct Step {
        let record: OwnedRecord
        let state: JSONValue
    }

    private let journal: Journal
    private let range: PositionRange
    private var followers: [Follower]
    private var pass: PositionPass
    private var steps: [Step] = []

    /// Stands at the beginning of a stretch, where each value has its initial value.
    ///
    /// - Parameters:
    ///   - values: the derived values; one that reads another stands behind it.
    ///   - everyCommit: whether positions are told too that touch no value.
    ///   - recover: whether reading goes on behind damage.
    public init(
        _ journal: Journal, _ range: PositionRange, values: [DerivedValue], everyCommit: Bool = false,
        recover: Bool = false
    ) throws(JournalError) {
        self.journal = journal
        self.range = range
        var options = PositionPass.Options()
        options.everyCommit = everyCommit
        options.keepsRecords = true
        options.companions = .outcome
        options.recover = recover
        let reading = values.reduce(PathSet.nothing) { $0.union($1.inputs ?? .nothing) }
        pass = try PositionPass(journal, range, reading: reading, options: options)
        let state = pass.state.value
        followers = values.map { value in
            let paths = value.inputs ?? .nothing
            return Follower(
                value: value, paths: paths, input: state.pruned(to: paths.pruningNode), output: value.output(at: state),
                summary: DerivedSummary(name: value.name))
        }
    }

    /// What each value does at the next position that is told; nil at the end of the stretch.
    ///
    /// - Throws: `JournalError` at damage.
    public mutating func next() throws(JournalError) -> [DerivedFiring]? {
        while let settled = try pass.next() {
            steps.append(Step(record: try record(of: settled), state: pass.state.value))
            guard settled.isComplete else { continue }
            defer { steps.removeAll() }
            return try firings(at: settled.seq)
        }
        return nil
    }

    /// How often each value did what, up to now; positions that were passed over count as untouched.
    public var summaries: [DerivedSummary] {
        followers.map { follower in
            var summary = follower.summary
            let told = DerivedFiring.Outcome.allCases.reduce(0) { $0 + summary[$1] }
            summary[.untouched] += max(0, range.count - told)
            return summary
        }
    }

    /// The damage that was jumped over.
    public var damages: [JournalError] { pass.damages }

    private func record(of settled: PositionPass.Settled) throws(JournalError) -> OwnedRecord {
        if let record = pass.record { return record }
        return try journal.record(of: settled.seq)
    }

    // MARK: One position

    private mutating func firings(at position: CommitNumber) throws(JournalError) -> [DerivedFiring] {
        let recorded = try recordedOutcomes()
        let touches = steps.map { CommitTouch($0.record) }
        var differing: Set<String> = []
        var firings: [DerivedFiring] = []
        for index in followers.indices {
            let touched = zip(touches, steps).contains { touch, step in
                touch.touches(followers[index].paths, in: step.state)
            }
            let reads = followers[index].value.from
            let outcome = step(index, touched: touched, sourceFired: reads.contains { differing.contains($0) })
            if outcome.kind == .fired || outcome.kind == .recomputed { differing.insert(followers[index].value.name) }
            followers[index].summary[outcome.kind] += 1
            let name = followers[index].value.name
            firings.append(
                DerivedFiring(
                    seq: position, name: name, outcome: outcome.kind, old: outcome.old, value: followers[index].output,
                    record: outcome.author, recorded: recorded.first { UTF8Order.equal($0.name, name) }))
        }
        return firings
    }

    /// Moves one value over the steps of a position and says what it did.
    private mutating func step(
        _ index: Int, touched: Bool, sourceFired: Bool
    ) -> (kind: DerivedFiring.Outcome, old: JSONValue?, author: OwnedRecord) {
        let follower = followers[index]
        let last = steps[steps.count - 1]
        guard touched || sourceFired else { return (.untouched, follower.output, last.record) }
        let input = last.state.pruned(to: follower.paths.pruningNode)
        guard sourceFired || input != follower.input else { return (.unchanged, follower.output, last.record) }
        followers[index].input = input
        guard case .query = follower.value.formula else { return (.recomputed, nil, last.record) }
        let output = follower.value.output(at: last.state)
        followers[index].output = output
        guard output != follower.output else { return (.same, follower.output, last.record) }
        return (.fired, follower.output, author(of: output, for: follower.value))
    }

    /// The last of a position's records at which the value turned to what it is at the end.
    private func author(of output: JSONValue?, for value: DerivedValue) -> OwnedRecord {
        var author = steps[steps.count - 1].record
        for step in steps.dropLast().reversed() {
            if value.output(at: step.state) != output { break }
            author = step.record
        }
        return author
    }

    private func recordedOutcomes() throws(JournalError) -> [OutcomeRecord.Entry] {
        var outcomes: [OutcomeRecord.Entry] = []
        for companion in pass.companions {
            outcomes += try companion.decode { (object) throws(RecordFault) in try OutcomeRecord(object) }.derived
        }
        return outcomes
    }
}

extension DerivedValue {
    /// The value at a state, by its definition; nil where the formula is unknown.
    fileprivate func output(at state: JSONValue) -> JSONValue? {
        guard case .query(let query) = formula else { return nil }
        let first = try? query.first(of: state)
        return .some((first ?? nil) ?? .null)
    }
}
