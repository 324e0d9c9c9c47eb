import JSONCore
import JournalFormat
import JournalReading

/// What leads a run back over the positions that it has gone over, and the states from which others are reached.
struct WayBack {
    struct ReversiblePosition {
        let position: CommitNumber
        /// The line of its commit, where lines are kept and it has one: it has none after a gap, or after damage.
        let record: OwnedRecord?
        fileprivate(set) var lost: ClosedRange<CommitNumber>?
        fileprivate(set) var undos: [PositionUndo]
    }

    /// How much of the journal's text the positions that are gone back over at once may have.
    private static let byteLimit = 16 << 20
    /// How many whole states may be held for what opens, closes or sets stores.
    private static let stateLimit = 64
    var paths: PathSet
    /// The positions from a known state up to where the run stands, ascending.
    var places: [ReversiblePosition] = []
    /// The states that are known on the way, in ascending order of their positions.
    var bases: [PositionState] = []
    private var pending: [PositionUndo] = []
    private(set) var damages: [JournalError] = []
    var lostEnd: ClosedRange<CommitNumber>?
    private var (bytes, heldStates) = (0, 0)

    init(reading paths: PathSet) { self.paths = paths }

    mutating func shorten(at state: PositionState) {
        guard pending.isEmpty, bytes > WayBack.byteLimit || heldStates > WayBack.stateLimit else { return }
        bases.append(state)
        places = []
        (bytes, heldStates) = (0, 0)
    }

    mutating func note(_ undo: PositionUndo?) {
        guard let undo else { return }
        pending.append(undo)
        if undo.holdsStates { heldStates += 1 }
    }

    mutating func attach(_ line: RecordLine, _ record: OwnedRecord?, lost: ClosedRange<CommitNumber>?) {
        // Of a position that damage took, not all records are known.
        if let lost { drop(from: lost.lowerBound) }
        bytes += line.bytes.count
        // A keyframe at which reading goes on may be of the position that the lines before it have led to.
        let begins = line.beginsPosition && !(line.resumed && places.last?.position == line.seq)
        if begins || places.isEmpty && !pending.isEmpty {
            attach(at: line.seq, line.kind == .commit ? record : nil, lost: lost)
        } else if !places.isEmpty {
            places[places.count - 1].undos += pending
            pending = []
        }
    }

    mutating func attach(
        at position: CommitNumber, _ record: OwnedRecord? = nil, lost: ClosedRange<CommitNumber>? = nil
    ) {
        places.append(ReversiblePosition(position: position, record: record, lost: lost, undos: pending))
        pending = []
    }

    /// Makes no positions of what lies at or after one; what leads back over it stays.
    private mutating func drop(from position: CommitNumber) {
        while let last = places.last, last.position >= position {
            pending = last.undos + pending
            places.removeLast()
        }
    }

    /// What leads back from the end of a run over what belongs to no position that has a state; it is noted no longer.
    mutating func takeRest(lost: ClosedRange<CommitNumber>?) -> [PositionUndo] {
        if let lost { drop(from: lost.lowerBound) }
        return pending.reversed()
    }

    mutating func take(_ part: WayBack, _ damages: [JournalError]) {
        places = part.places
        bases += part.bases
        self.damages.insert(contentsOf: damages.filter { !self.damages.contains($0) }, at: 0)
    }
}

extension RecordLine {
    /// Whether what is at and after the line belongs to another position than what is before it.
    var beginsPosition: Bool { kind == .commit || kind == .gap || resumed }
}

extension Run {
    /// Nil at the beginning of the range.
    ///
    /// Each part of the journal between two keyframes is replayed forward once, and what leads back over each record is
    /// kept; so the states are those of a walk forward whatever a patch says of what was there before, and lines are
    /// checked. Without keyframes, the states half way, three quarters of the way and so on are kept instead.
    ///
    /// - Complexity: a walk over a whole range costs twice that of one forward over our own journals, O(*n* log *n*)
    ///   without keyframes; memory is that of a part's changes and of some states.
    func here() throws(JournalError) -> WayBack.ReversiblePosition? {
        if back == nil { back = WayBack(reading: options.reading) }
        if let place = back?.places.last { return place }
        try load(through: positionState.position)
        return back?.places.last
    }

    /// Returns the position that it went back over; nil at the beginning of the range.
    @discardableResult
    func previous() throws(JournalError) -> WayBack.ReversiblePosition? {
        guard var place = try here() else { return nil }
        back?.places.removeLast()
        for undo in place.undos.reversed() { positionState.undo(undo) }
        let position = positionState.position
        if back?.places.isEmpty ?? true { try load(through: position) }
        // A state that a keyframe says, or a gap, may be none that the lines before it lead to.
        if positionState.position < position {
            place.lost = positionState.position.next...(place.lost?.upperBound ?? position)
        }
        return place
    }

    func stand(at state: PositionState) {
        positionState = state
        back = WayBack(reading: options.reading)
    }

    private static let stepLimit = 4096
    private static let gapDistance = 64 << 10

    /// Reads the part that ends at a position; where nothing of it could be read, the one before.
    private func load(through end: CommitNumber) throws(JournalError) {
        var upper = end
        while back?.places.isEmpty ?? true, upper > range.lower {
            do throws(JournalError) { try replay(through: upper) } catch {
                guard error.needsWholeState, back?.paths.isEverything == false else { throw journal.numbered(error) }
                // Patches that read what the question does not: the whole state is replayed from here on.
                back = WayBack(reading: .everything)
                try replay(through: upper)
            }
            upper = positionState.position
        }
        let last = back?.places.last?.position ?? range.lower
        if end == range.upper, last < end { back?.lostEnd = last.next...end }
    }

    private func replay(through upper: CommitNumber) throws(JournalError) {
        guard var bases = back?.bases, let paths = back?.paths else { return }
        while let last = bases.last, last.position >= upper { bases.removeLast() }
        if bases.isEmpty { bases.append(try base(before: upper, pruning: paths)) }
        while chosen == nil, let base = bases.last {
            let distance = upper.rawValue - base.position.rawValue
            guard distance > Run.stepLimit else { break }
            let middle = upper.rawValue - max(Run.stepLimit, distance / 2)
            guard let state = try state(from: base, towards: CommitNumber(middle), paths) else { break }
            bases.append(state)
        }
        back?.bases = bases
        guard let base = bases.last, let part = PositionRange(base.position, upper) else { return }
        var options = Options(
            reading: paths, everyCommit: true, keepsRecords: keepsRecords, recover: self.options.recover)
        options.choice = self.options.choice
        options.states = self.options.states
        options.base = (base, self.options.states?.isDiverged(at: base.position) ?? false)
        options.notesWayBack = true
        let run = try Run(journal, part, options: options)
        while try run.next() != nil {}
        guard var found = run.back else { return }
        positionState = run.positionState
        for undo in found.takeRest(lost: run.lostEnd) { positionState.undo(undo) }
        back?.take(found, run.damages)
        if upper == range.upper { back?.lostEnd = run.lostEnd }
        self.options.states?.note(run.takeConflicts())
    }

    /// The nearest state before a position that is known or that the journal itself holds, and not before the beginning of the range.
    private func base(before upper: CommitNumber, pruning paths: PathSet) throws(JournalError) -> PositionState {
        if let known = try options.states?.kept(before: upper, pruning: paths), known.position > range.lower {
            return known
        }
        let kept = try journal.lastKeptState(
            after: range.lower, before: upper, pruning: paths, recover: options.recover)
        guard let kept else { return try journal.state(at: range.lower, pruning: paths) }
        // Gaps can stand close together, each with a state: a search for each of them would be expensive.
        let first = try? journal.firstGap(closeTo: kept.record, within: Run.gapDistance)
        guard let first, first > range.lower, first < kept.state.position,
            let state = try? journal.soundState(at: first, pruning: paths)
        else { return kept.state }
        return state
    }

    /// The state at a position, or at the nearest after it that has one; nil where the journal is damaged before.
    private func state(
        from base: PositionState, towards target: CommitNumber, _ paths: PathSet
    ) throws(JournalError) -> PositionState? {
        var state = base
        var filter = RecordFilter(touching: paths, reportsStores: true)
        var reader = try journal.records(after: base.position, through: target)
        reader.readAhead(for: filter, threads: options.threads)
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
}
