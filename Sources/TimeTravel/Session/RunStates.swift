import JSONCore
import JournalFormat
package import JournalReading

/// Memory is that of some megabytes of text, though states that follow each other mostly share what they hold.
struct KeptStates {
    private var states: [(state: PositionState, size: Int)] = []
    private var spacing: Int
    private static let (countLimit, sizeLimit) = (64, 16 << 20)

    init(spacing: Int = 256) { self.spacing = spacing }
    func last(upTo position: CommitNumber) -> PositionState? { states.last { $0.state.position <= position }?.state }

    mutating func offer(_ state: PositionState, after base: CommitNumber) {
        guard state.position.rawValue - (states.last?.state.position ?? base).rawValue >= spacing else { return }
        let size = state.value.textSize(upTo: KeptStates.sizeLimit)
        if let size { states.append((state, size)) }
        let isFull = states.count > KeptStates.countLimit || states.reduce(0) { $0 + $1.size } > KeptStates.sizeLimit
        guard isFull || size == nil else { return }
        states = states.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        spacing *= 2
    }
}

/// The states of a run, for a caller that asks for many: as the journal has it, or as it would have been without some
/// commits.
///
/// A replay keeps states on its way, from which the next one begins. All lie on the way that a seek takes, so both find
/// the same. Without some commits, the run is the journal's own up to the first of them; the positions after it are
/// those of the commits that stay.
///
/// - Complexity: the first state after a keyframe, a gap or the front costs a seek; any other, some hundred commits.
package final class RunStates {
    let journal: Journal
    let skipped: CommitList
    private let spacing: Int
    private let distance: Int
    /// The recorded run, and the last position that it shares with this one; nil where this is the recorded one.
    private var shared: (states: RunStates, end: CommitNumber)?
    private var base: (record: ByteOffset, position: CommitNumber)?
    private var kept = KeptStates()
    private var conflicts: [Run.Conflict] = []
    private var reported: Set<CommitNumber> = []

    /// - Parameters:
    ///   - spacing: how many positions lie between two kept states at first.
    ///   - distance: how many bytes a seek reads that is made without them.
    package init(_ journal: Journal, spacing: Int = 256, distance: Int = 128 << 10) {
        self.journal = journal
        self.spacing = spacing
        self.distance = distance
        skipped = CommitList()
    }

    private init(_ states: RunStates, without skipped: CommitList, shared end: CommitNumber) {
        (journal, spacing, distance) = (states.journal, states.spacing, states.distance)
        self.skipped = skipped
        shared = (states, end)
    }

    var isSkipping: Bool { shared != nil }

    func without(_ skipped: CommitList) throws(JournalError) -> RunStates {
        let recorded = shared?.states ?? self
        guard let first = skipped.prefix(1).first else { return recorded }
        return RunStates(recorded, without: skipped, shared: try recorded.lastState(upTo: first.previous).position)
    }

    func bounds() throws(JournalError) -> PositionRange {
        if let bounds = PositionRange(journal.start, try journal.lastCommit) { return bounds }
        throw JournalError(path: journal.path, .empty)
    }

    /// Whether the state at a position may be another than the journal's own.
    func isDiverged(at position: CommitNumber) -> Bool { shared.map { position > $0.end } ?? false }

    /// The state at a position, also around damage; of one whose commit is left out, the last one before it.
    func state(
        at position: CommitNumber, pruning paths: PathSet = .everything
    ) throws(JournalError) -> PositionState {
        if let shared, position > shared.end {
            let found = try lastState(upTo: position)
            if found.position < position, lost(found.position.next...position) != nil {
                _ = try shared.states.state(at: position, pruning: paths)
            }
            return found.pruned(to: paths)
        }
        if let known = replayed(to: position, pruning: paths) { return known }
        return try journal.recovering().state(at: position, pruning: paths)
    }

    func lastState(upTo position: CommitNumber) throws(JournalError) -> PositionState {
        if let shared {
            return try position <= shared.end ? shared.states.lastState(upTo: position) : chosen(upTo: position)
        }
        if let state = replayed(to: position) { return state }
        return try journal.lastState(upTo: position)
    }

    func value(before position: CommitNumber, reading paths: PathSet) throws(JournalError) -> JSONValue {
        guard position > journal.start else { return .null }
        if isDiverged(at: position) { return try lastState(upTo: position.previous).value }
        if let known = replayed(to: position.previous, pruning: paths) { return known.value }
        return try journal.lastState(upTo: position.previous, pruning: paths).value
    }

    /// The state at a position; nil where it has to be sought: where that is quick, or the way there is damaged.
    func replayed(to position: CommitNumber, pruning paths: PathSet = .everything) -> PositionState? {
        try? replay(to: position, paths)
    }

    /// The last kept state before a position, where no keyframe or gap lies in between.
    func kept(before position: CommitNumber, pruning paths: PathSet) throws(JournalError) -> PositionState? {
        if let shared {
            guard position.previous > shared.end else {
                return try shared.states.kept(before: position, pruning: paths)
            }
            if let known = kept.last(upTo: position.previous) { return known.pruned(to: paths) }
            return try shared.states.lastState(upTo: shared.end).pruned(to: paths)
        }
        guard let base, (try? journal.base(for: position.previous)) == base.record else { return nil }
        return kept.last(upTo: position.previous)?.pruned(to: paths)
    }

    private func replay(to position: CommitNumber, _ paths: PathSet) throws(JournalError) -> PositionState? {
        if let shared { return position <= shared.end ? shared.states.replayed(to: position, pruning: paths) : nil }
        let record = try journal.base(for: position)
        guard try journal.offset(firstAtLeast: position.next).rawValue - record.rawValue > distance else { return nil }
        let base = try begin(at: record)
        let known = kept.last(upTo: position)
        let first = if let known { known } else { try journal.soundState(at: base, pruning: .everything) }
        var state = first.pruned(to: paths)
        var filter = RecordFilter(touching: paths, reportsStores: true)
        var reader = try journal.records(after: first.position, through: position)
        // Where states are kept every line is read: none lies after damage that a walk backward meets.
        while let line = try paths.isEverything ? reader.next() : reader.next(matching: &filter) {
            guard line.seq > first.position else { continue }
            if paths.isEverything, line.seq > state.position { kept.offer(state, after: base) }
            try state.apply(line)
        }
        guard reader.lastCommit == position else { return nil }
        state.advance(to: position)
        return state
    }

    /// Takes the record at which a seek begins; states that others lead to are kept no longer.
    private func begin(at record: ByteOffset) throws(JournalError) -> CommitNumber {
        if let base, base.record == record { return base.position }
        let position = record == .zero ? journal.start : try journal.record(at: record).seq
        kept = KeptStates(spacing: spacing)
        base = (record, position)
        return position
    }

    // MARK: Without some commits

    /// The state at the last position up to one that the run has, after the first commit that is left out.
    private func chosen(upTo position: CommitNumber) throws(JournalError) -> PositionState {
        guard let shared else { return try lastState(upTo: position) }
        let bounds = try bounds()
        if position > bounds.upper {
            throw JournalError(path: journal.path, .pastEnd(asked: position, first: bounds.lower, last: bounds.upper))
        }
        let known = kept.last(upTo: position)
        let start = if let known { known } else { try shared.states.lastState(upTo: shared.end) }
        guard let range = PositionRange(start.position, position) else { return start }
        let run = try Run(self, range, from: start)
        while let step = try run.next() {
            note(run.takeConflicts())
            if step.isComplete { kept.offer(run.positionState, after: shared.end) }
        }
        note(run.takeConflicts())
        // A store that opened after a commit that is left out belongs to no position before the next one.
        let end = run.positionState
        return end.position < position ? try lastState(upTo: end.position) : end
    }

    /// Of positions without a state, those from the first on whose commit would have stayed; nil where none would.
    func lost(_ positions: ClosedRange<CommitNumber>?) -> ClosedRange<CommitNumber>? {
        guard let positions else { return nil }
        var first = positions.lowerBound
        while first <= positions.upperBound {
            if let part = skipped.part(with: first) {
                first = part.upperBound.next
            } else if reported.contains(first) {
                first = first.next
            } else {
                return first...positions.upperBound
            }
        }
        return nil
    }

    /// Takes conflicts that a run without some commits has met; each commit is reported once.
    func note(_ met: [Run.Conflict]) {
        for conflict in met where reported.insert(conflict.record.seq).inserted { conflicts.append(conflict) }
    }

    func takeConflicts() -> [Run.Conflict] {
        defer { conflicts = [] }
        return conflicts
    }
}

extension Run {
    /// A run over whole states, also around damage, which begins with one of them.
    convenience init(_ states: RunStates, _ range: PositionRange, from state: PositionState) throws(JournalError) {
        var options = Options(walking: states)
        options.base = (state, isDiverged: states.isDiverged(at: state.position))
        try self.init(states.journal.recovering(), range, options: options)
    }

    /// A run that is gone over back and forth; it stands at a state, and nothing is read before it moves.
    convenience init(_ states: RunStates, standingAt state: PositionState) throws(JournalError) {
        var options = Options(walking: states)
        options.standsAtEnd = true
        try self.init(states.journal.recovering(), states.bounds(), options: options)
        stand(at: state)
    }
}

extension Run.Options {
    fileprivate init(walking states: RunStates) {
        self.init(reading: .everything, everyCommit: true, recover: true)
        self.states = states
        if states.isSkipping { choice = Run.Choice(without: states.skipped) }
    }
}
