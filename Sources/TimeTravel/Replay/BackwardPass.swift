package import JSONCore
package import JournalFormat
package import JournalReading
import Platform

/// The states of a range, one before another, pruned to what a question reads.
///
/// Each part of the journal between two keyframes is replayed forward once, and what leads back over each record is kept; so
/// the states are those of a forward pass whatever a patch says of what was there before, and lines are checked as they are
/// forward. Where there are no keyframes, the states half way, three quarters of the way and so on are kept instead.
///
/// - Complexity: twice that of a forward pass over our own journals, O(*n* log *n*) over one without keyframes; memory is that
///   of a part's changes and of some states.
package struct BackwardPass: ~Copyable {
    /// What a pass keeps besides the state.
    package struct Options {
        /// Whether the commits' lines are kept.
        package var keepsRecords = false
        /// Whether reading continues after damage.
        package var recover = false
        /// Where states are taken from that may be known already.
        var states: RunStates?

        package init() {}
    }

    /// A position of the range.
    package struct Step {
        /// The position.
        package let position: CommitNumber
        /// The line of its commit, where lines are kept and it has one: it has none after a gap, or after damage.
        package let record: OwnedRecord?
        fileprivate var undos: [PositionUndo] = []
    }

    private let journal: Journal
    private let lower: CommitNumber
    private let end: CommitNumber
    private let options: Options
    private var held: PathSet
    /// The states that parts begin with, in ascending order of their positions.
    private var bases: [PositionState] = []
    /// The positions between the last base and the current one, ascending.
    private var steps: [Step] = []
    /// The state at the current position.
    package private(set) var state: PositionState
    /// The damage that was jumped over, in the order of the file.
    package private(set) var damages: [JournalError] = []

    /// The positions at the end of the range that have no state, since nothing after damage could be read; nil where
    /// there are none.
    package private(set) var lostEnd: ClosedRange<CommitNumber>?

    /// Stands at the end of a range.
    ///
    /// - Throws: `JournalError` where the journal is damaged there, or the range has no such end.
    package init(
        _ journal: Journal, _ range: PositionRange, reading paths: PathSet, options: Options = Options()
    ) throws(JournalError) {
        self.journal = journal
        self.options = options
        lower = range.lower
        end = range.upper
        held = paths
        state = PositionState(start: range.lower, pruning: paths)
        try load(through: range.upper)
        let last = step?.position ?? range.lower
        if last < range.upper { lostEnd = last.next...range.upper }
    }

    /// The current position; nil at the beginning of the range.
    package var step: Step? { steps.last }

    /// Goes to the position before; false at the beginning of the range.
    ///
    /// - Throws: `JournalError` at damage.
    package mutating func stepBack() throws(JournalError) -> Bool {
        guard let step = steps.popLast() else { return false }
        for undo in step.undos.reversed() { state.undo(undo) }
        if steps.isEmpty { try load(through: state.position) }
        return true
    }

    // MARK: Parts

    /// How many positions are gone back over at once.
    private static let stepLimit = 4096
    /// How much of the journal's text the positions that are gone back over at once may have.
    private static let byteLimit = 16 << 20
    /// How much text before a gap is searched for earlier ones.
    private static let gapDistance = 64 << 10
    /// How many whole states may be held for what opens, closes or sets stores.
    private static let stateLimit = 64

    /// Reads the part that ends at a position; where nothing of it could be read, the one before.
    private mutating func load(through upper: CommitNumber) throws(JournalError) {
        var upper = upper
        while steps.isEmpty, upper > lower {
            do throws(JournalError) { try replay(through: upper) } catch {
                guard error.needsWholeState, !held.isEverything else { throw journal.numbered(error) }
                // Patches that read what the question does not: the whole state is replayed from here on.
                held = .everything
                bases = []
                try replay(through: upper)
            }
            upper = state.position
        }
    }

    private mutating func replay(through upper: CommitNumber) throws(JournalError) {
        while let last = bases.last, last.position >= upper { bases.removeLast() }
        if bases.isEmpty { bases.append(try base(before: upper)) }
        while let base = bases.last {
            let distance = upper.rawValue - base.position.rawValue
            guard distance > BackwardPass.stepLimit else { break }
            let middle = upper.rawValue - max(BackwardPass.stepLimit, distance / 2)
            guard let state = try state(from: base, towards: CommitNumber(middle)) else { break }
            bases.append(state)
        }
        try readSteps(through: upper)
    }

    /// The nearest state before a position that the journal itself holds, and not before the beginning of the range.
    private func base(before upper: CommitNumber) throws(JournalError) -> PositionState {
        if let known = options.states?.kept(before: upper, pruning: held), known.position > lower { return known }
        let kept = try journal.lastKeptState(after: lower, before: upper, pruning: held, recover: options.recover)
        if let kept {
            // Gaps can stand close together, each with a state: a search for each of them would be expensive.
            let first = try? journal.firstGap(closeTo: kept.record, within: BackwardPass.gapDistance)
            if let first, first > lower, first < kept.state.position,
                let state = try? journal.soundState(at: first, pruning: held)
            {
                return state
            }
            return kept.state
        }
        return try journal.state(at: lower, pruning: held)
    }

    /// The state at a position, or at the nearest after it that has one; nil where the journal is damaged before.
    private func state(
        from base: PositionState, towards target: CommitNumber
    ) throws(JournalError) -> PositionState? {
        var state = base
        var filter = RecordFilter(touching: held, reportsStores: true)
        var reader = try journal.records(after: base.position, through: target)
        reader.readAhead(for: filter, threads: ProcessorCount.available)
        do throws(JournalError) {
            while let line = try reader.next(matching: &filter) {
                if line.seq > base.position { try state.apply(line) }
            }
        } catch {
            guard case .damage = error.fact, !error.needsWholeState else { throw error }
            return nil
        }
        state.advance(to: reader.lastCommit)
        return state.position > base.position ? state : nil
    }

    /// Replays from the last base on, and keeps what leads back.
    private mutating func readSteps(through upper: CommitNumber) throws(JournalError) {
        guard let base = bases.last else { return }
        state = base
        steps = []
        var (bytes, heldStates) = (0, 0)
        var reader = try journal.records(after: state.position, through: upper, recover: options.recover)
        var ahead: RecordLine?
        while true {
            var next = ahead.take()
            if next == nil { next = try reader.next() }
            guard let line = next else { break }
            guard line.seq > base.position || line.resumed else { continue }
            if line.beginsPosition, bytes > BackwardPass.byteLimit || heldStates > BackwardPass.stateLimit {
                bases.append(state)
                steps = []
                (bytes, heldStates) = (0, 0)
            }
            do throws(JournalError) {
                let undo = try take(line)
                bytes += line.bytes.count
                if undo?.holdsStates == true { heldStates += 1 }
            } catch {
                if error.needsWholeState { throw error }
                ahead = try reader.recover(from: error, at: line)
                if ahead == nil { break }
            }
        }
        note(reader.damages)
        if upper == end { lostEnd = reader.lostEnd }
    }

    /// Applies a line; nil where it changes nothing.
    private mutating func take(_ line: RecordLine) throws(JournalError) -> PositionUndo? {
        let undo = try line.resumed ? resume(at: line) : apply(line)
        // A keyframe at which reading goes on may be of the position that the lines before it have led to.
        let isRepeated = line.resumed && steps.last?.position == line.seq
        if line.beginsPosition && !isRepeated || steps.isEmpty && undo != nil {
            let isKept = options.keepsRecords && line.kind == .commit
            steps.append(Step(position: line.seq, record: isKept ? line.owned() : nil))
        }
        if let undo { steps[steps.count - 1].undos.append(undo) }
        return undo
    }

    private mutating func apply(_ line: RecordLine) throws(JournalError) -> PositionUndo? {
        var log = ApplyLog(keepsUndo: true)
        try state.apply(line, &log)
        return log.undo
    }

    private mutating func resume(at line: RecordLine) throws(JournalError) -> PositionUndo {
        let before = PositionUndo.state(state)
        try state.reset(to: line)
        return before
    }

    private mutating func note(_ found: [JournalError]) {
        damages.insert(contentsOf: found.filter { !damages.contains($0) }, at: 0)
    }
}

extension RecordLine {
    /// Whether what is at and after the line belongs to another position than what is before it.
    fileprivate var beginsPosition: Bool { kind == .commit || kind == .gap || resumed }
}
