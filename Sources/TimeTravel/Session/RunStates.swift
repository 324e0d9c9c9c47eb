import JSONCore
import JournalFormat
package import JournalReading

/// States of a run here and there, from which the ones after them are replayed.
///
/// - Complexity: memory is that of some megabytes of text, though states that follow each other mostly share what they hold.
struct KeptStates {
    private var states: [(state: PositionState, size: Int)] = []
    private var spacing: Int
    /// How many there are at the most, and how many bytes of text they have together.
    private static let (countLimit, sizeLimit) = (64, 16 << 20)

    /// - Parameter spacing: how many positions lie between two states at first.
    init(spacing: Int = 256) { self.spacing = spacing }

    /// The last one up to a position.
    func last(upTo position: CommitNumber) -> PositionState? { states.last { $0.state.position <= position }?.state }

    /// Takes a state of a replay, and keeps it where it lies far enough after the last one.
    ///
    /// - Parameter base: where the run begins.
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

/// The states of a journal, for a caller that asks for many.
///
/// A seek in a journal without keyframes replays it from the front each time. Here a replay keeps states on its way, from which
/// the next one begins. All of them lie on the way that a seek takes, from the same keyframe, gap or front, so both find the same.
///
/// - Complexity: the first state after a keyframe, a gap or the front costs a seek; any other, some hundred commits.
package final class RunStates {
    let journal: Journal
    private let spacing: Int
    private let distance: Int
    /// The record at which seeks of the kept states begin, and its position.
    private var base: (record: ByteOffset, position: CommitNumber)?
    private var kept = KeptStates()

    /// - Parameters:
    ///   - spacing: how many positions lie between two kept states at first.
    ///   - distance: how many bytes a seek reads that is made without them.
    package init(_ journal: Journal, spacing: Int = 256, distance: Int = 128 << 10) {
        self.journal = journal
        self.spacing = spacing
        self.distance = distance
    }

    /// The first and the last position.
    func bounds() throws(JournalError) -> PositionRange {
        if let bounds = PositionRange(journal.start, try journal.lastCommit) { return bounds }
        throw JournalError(path: journal.path, .empty)
    }

    /// The state at a position, also around damage.
    func state(
        at position: CommitNumber, pruning paths: PathSet = .everything
    ) throws(JournalError) -> PositionState {
        if let known = replayed(to: position, pruning: paths) { return known }
        return try journal.recovering().state(at: position, pruning: paths)
    }

    /// What `Journal.lastState(upTo:)` gives.
    func lastState(upTo position: CommitNumber) throws(JournalError) -> PositionState {
        if let state = replayed(to: position) { return state }
        return try journal.lastState(upTo: position)
    }

    /// The state at a position; nil where it has to be sought: where that is quick, or the way there is damaged.
    func replayed(to position: CommitNumber, pruning paths: PathSet = .everything) -> PositionState? {
        try? replay(to: position, paths)
    }

    /// The last kept state before a position, where no keyframe or gap lies in between.
    func kept(before position: CommitNumber, pruning paths: PathSet) -> PositionState? {
        guard let base, (try? journal.base(for: position.previous)) == base.record else { return nil }
        return kept.last(upTo: position.previous)?.pruned(to: paths)
    }

    private func replay(to position: CommitNumber, _ paths: PathSet) throws(JournalError) -> PositionState? {
        let record = try journal.base(for: position)
        guard try journal.offset(firstAtLeast: position.next).rawValue - record.rawValue > distance else { return nil }
        let base = try begin(at: record)
        let known = kept.last(upTo: position)
        let first = if let known { known } else { try journal.soundState(at: base, pruning: .everything) }
        var state = first.pruned(to: paths)
        var filter = RecordFilter(touching: paths, reportsStores: true)
        var reader = try journal.records(after: first.position, through: position)
        // Where states are kept every line is read: none lies after damage that a pass backward meets.
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
}
