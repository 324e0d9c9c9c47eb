import JSONCore
import JournalFormat
public import JournalReading
import QueryLanguage

/// Follows derived values along a range and finds which would have fired, and why not.
///
/// One pass over the states pruned to what all of them read. A value is computed again only where something that it reads
/// was written and differs: the same two steps as in the app.
public final class DerivedFirings {
    fileprivate struct Follower {
        let value: DerivedValue
        /// What its definition reads by itself: with the values that it calls, its input.
        let input: PathSet.Node
        /// What it and all that it calls read: whether a record touches it.
        let reads: PathSet
        /// None and a failure both count as null, but are distinct to the caller; nil where only the app knew its values.
        var result: QueryOutcome?
        let memo: QueryMemo?
        var recorded: JSONValue?
        var unanswered = Unanswered()
        var incomparable = 0

        var readsSeveralStores: Bool {
            guard case .branch(let branch)? = reads.root else { return true }
            return branch.each != nil || branch.members.count > 1
        }
    }

    private struct AppliedRecord {
        let record: OwnedRecord
        let state: JSONValue
        let before: StateBefore?
    }

    private let range: PositionRange
    private var followers: [Follower]
    private var run: Run
    private var steps: [AppliedRecord] = []
    private var companions: [OwnedRecord] = []
    private var open: Set<ByteName>

    /// Recorded outcomes may have seen other versions than those at their commits; nil where none is compared.
    private var recent: RecentStates?
    /// Whether an outcome named versions: then each that names none saw those at its commit.
    private var hasVersions = false
    /// Outcomes that differ, of a journal that names no versions: another thread's commit may explain them.
    private var suspects: [DerivedFiring] = []
    private var isFinished = false
    /// The positions that have no state.
    public private(set) var lost = Unanswered()

    /// Stands at the beginning of a range, where each value has its initial value.
    ///
    /// - Parameters:
    ///   - values: the derived values; one that reads another comes after it.
    ///   - everyCommit: whether positions are reported too that touch no value.
    ///   - comparing: whether recorded outcomes are to be compared: one that saw other versions than those at its commit, or stands
    ///     after a later commit, is then a firing of its own, of what the definition says of those versions.
    public init(
        _ journal: Journal, _ range: PositionRange, values: [DerivedValue], everyCommit: Bool = false,
        comparing: Bool = false, recover: Bool = false
    ) throws(JournalError) {
        var options = Run.Options(
            reading: values.reduce(.nothing) { $0.union($1.reads) }, everyCommit: everyCommit, keepsRecords: true,
            companions: .outcome, recover: recover)
        options.before = true
        let memos = values.map { $0.memo() }
        options.memos = memos.compactMap { $0 }
        let run = try Run(journal, range, options: options)
        self.range = range
        self.run = run
        let state = self.run.state
        open = Set(self.run.stores.keys.map { ByteName($0) })
        recent = comparing ? RecentStates(at: range.lower, state) : nil
        followers = zip(values, memos).map { value, memo in
            let result = value.result(at: state, memo)
            var follower = Follower(
                value: value, input: (value.inputs ?? .nothing).pruningNode, reads: value.reads, result: result,
                memo: memo)
            follower.unanswered.note(result?.error, at: range.lower)
            return follower
        }
    }

    /// What each value does at the next position that is reported; nil at the end of the range.
    public func next() throws(JournalError) -> [DerivedFiring]? {
        while let step = try run.next() {
            if let positions = step.lost { lose(positions) }
            steps.append(AppliedRecord(record: try run.record(of: step), state: run.state, before: run.before))
            recent?.note(steps[steps.count - 1].record, run.state)
            companions += run.companions
            guard step.isComplete else { continue }
            defer {
                steps.removeAll()
                companions.removeAll()
            }
            return try firings(at: step.seq)
        }
        guard !isFinished else { return nil }
        isFinished = true
        lost.finish(range, lost: run.lostEnd)
        for index in followers.indices { followers[index].unanswered.finish(range, lost: run.lostEnd) }
        defer { suspects = [] }
        return suspects.isEmpty ? nil : suspects
    }

    /// How many outcomes of a value could not be held against its definition, as it is not known any more, or was never said, what
    /// they saw of other stores.
    public func incomparable(_ name: String) -> Int {
        followers.first { UTF8Order.equal($0.value.name, name) }?.incomparable ?? 0
    }

    private func lose(_ positions: ClosedRange<CommitNumber>) {
        lost.lose(positions)
        for index in followers.indices { followers[index].unanswered.lose(positions) }
    }

    /// A value whose definition fails somewhere.
    public struct Failing: Sendable {
        /// The derived value's name.
        public let name: String
        /// Where it fails first.
        public let failure: Unanswered.Failure
        /// At how many positions it fails.
        public let positions: Int
    }

    /// The values whose definitions fail somewhere, in their order; known at the end.
    public var failures: [Failing] {
        followers.compactMap { follower in
            let unanswered = follower.unanswered
            guard let failure = unanswered.firstFailure else { return nil }
            return Failing(name: follower.value.name, failure: failure, positions: unanswered.failed)
        }
    }

    /// Whether some value has none anywhere, as its definition fails everywhere; known at the end.
    package var isAnyWithoutValue: Bool {
        followers.contains { $0.unanswered.firstFailure != nil && $0.unanswered.count > range.count }
    }

    /// The damage that was jumped over.
    public var damages: [JournalError] { run.damages }

    // MARK: One position

    private func firings(at position: CommitNumber) throws(JournalError) -> [DerivedFiring] {
        let (recorded, others) = try recordedOutcomes(of: position)
        let touches = steps.map { CommitTouch($0.record) }
        let gone = open
        open = Set(run.stores.keys.map { ByteName($0) })
        // Values that are distinct to the caller, as a failure is from null, though to a subscriber they are equal.
        var differing: Set<ByteName> = []
        var firings: [DerivedFiring] = []
        for index in followers.indices {
            let read = followers[index].reads
            let touched =
                gone.contains { !open.contains($0) && read.relation(of: [$0.text]) != .outside }
                || zip(touches, steps).contains { touch, step in touch.touches(read, in: step.state) }
            let reads = followers[index].value.from
            let before = followers[index].result
            let outcome = step(
                index, touched: touched, sourceFired: reads.contains { differing.contains(ByteName($0)) })
            let after = followers[index].result
            if outcome.kind == .recomputed || after != before || after?.error != before?.error {
                differing.insert(ByteName(followers[index].value.name))
            }
            let name = followers[index].value.name
            let firing = DerivedFiring(
                seq: position, name: name, outcome: outcome.kind, old: outcome.old ?? followers[index].recorded,
                value: after.counted,
                record: outcome.author, recorded: recorded.first { UTF8Order.equal($0.name, name) })
            if let value = firing.recorded?.value { followers[index].recorded = value }
            firings.append(isSuspect(firing, index) ? firing.withoutRecorded : firing)
        }
        for (commit, entry) in others { try compare(entry, of: commit, &firings) }
        return firings
    }

    // MARK: Outcomes that saw other versions

    private func isSuspect(_ firing: DerivedFiring, _ index: Int) -> Bool {
        guard recent != nil, !hasVersions, firing.differsFromRecorded == true, followers[index].readsSeveralStores
        else { return false }
        suspects.append(firing)
        return true
    }

    private func compare(
        _ entry: OutcomeRecord.Entry, of commit: CommitNumber, _ firings: inout [DerivedFiring]
    ) throws(JournalError) {
        guard let index = followers.firstIndex(where: { UTF8Order.equal($0.value.name, entry.name) }),
            case .query = followers[index].value.formula, commit > range.lower
        else { return }
        let value = followers[index].value
        if !hasVersions, followers[index].readsSeveralStores {
            // It was delivered after later commits, which therefore had not seen it: they say nothing of the definition.
            let explained = suspects.filter { UTF8Order.equal($0.name, entry.name) && $0.seq > commit }
            suspects.removeAll { UTF8Order.equal($0.name, entry.name) && $0.seq > commit }
            followers[index].incomparable += explained.count
        }
        guard let seen = try recent?.seen(at: commit, entry.versions) else {
            followers[index].incomparable += 1
            return
        }
        let (old, new) = (value.result(at: seen.before).counted, value.result(at: seen.after).counted)
        let firing = DerivedFiring(
            seq: commit, name: entry.name, outcome: old == new ? .same : .fired, old: old, value: new,
            record: seen.record, recorded: entry)
        if firing.differsFromRecorded == true, !hasVersions, followers[index].readsSeveralStores {
            followers[index].incomparable += 1
        } else {
            firings.append(firing)
        }
    }

    private func step(
        _ index: Int, touched: Bool, sourceFired: Bool
    ) -> (kind: DerivedFiring.Outcome, old: JSONValue?, author: OwnedRecord) {
        let follower = followers[index]
        let last = steps[steps.count - 1]
        // What made no difference is reported with the commit, whatever opened after it.
        let record = steps.first { $0.record.kind == .commit }?.record ?? last.record
        let old = follower.result.counted
        guard touched || sourceFired else { return (.untouched, old, record) }
        guard sourceFired || !isSame(follower.input) else { return (.unchanged, old, record) }
        guard case .query = follower.value.formula else { return (.recomputed, nil, record) }
        let result = follower.value.result(at: last.state, follower.memo)
        followers[index].result = result
        followers[index].unanswered.note(result?.error, at: last.record.seq)
        guard result.counted != old else { return (.same, old, record) }
        return (.fired, old, author(of: result.counted, for: follower.value))
    }

    private func isSame(_ input: PathSet.Node) -> Bool {
        let (first, last) = (steps[0], steps[steps.count - 1])
        guard let before = first.before else { return false }
        if steps.count == 1 { return before.isSame(in: last.state, reading: input) }
        return last.state.equals(before.state(before: first.state), reading: input)
    }

    /// The last of a position's records at which the value turned to what it is at the end.
    private func author(of output: JSONValue?, for value: DerivedValue) -> OwnedRecord {
        var author = steps[steps.count - 1].record
        for step in steps.dropLast().reversed() {
            if value.result(at: step.state).counted != output { break }
            author = step.record
        }
        return author
    }

    private func recordedOutcomes(
        of position: CommitNumber
    ) throws(JournalError) -> (here: [OutcomeRecord.Entry], others: [(commit: CommitNumber, OutcomeRecord.Entry)]) {
        var here: [OutcomeRecord.Entry] = []
        var others: [(commit: CommitNumber, OutcomeRecord.Entry)] = []
        for companion in companions {
            let record = try companion.decode(OutcomeRecord.init)
            for entry in record.derived {
                if !entry.versions.isEmpty { hasVersions = true }
                if record.commit == position, recent == nil || entry.versions.isEmpty {
                    here.append(entry)
                } else if recent != nil {
                    others.append((record.commit, entry))
                }
            }
        }
        return (here, others)
    }
}

extension DerivedValue {
    fileprivate func memo() -> QueryMemo? {
        guard case .query(let query) = formula else { return nil }
        return query.memo()
    }

    fileprivate func result(at state: JSONValue, _ memo: QueryMemo? = nil) -> QueryOutcome? {
        guard case .query(let query) = formula else { return nil }
        return QueryOutcome { () throws(QueryError) in try query.first(of: state, context: .start, memo: memo) }
    }
}

extension QueryOutcome? {
    fileprivate var counted: JSONValue? { map { $0.value ?? .null } }
}
