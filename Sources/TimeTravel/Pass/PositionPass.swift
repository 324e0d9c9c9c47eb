public import JSONCore
public import JournalFormat

/// The states of a range, one after another, pruned to what a question reads.
///
/// A commit that touches nothing of it is passed over by the reader without being built; the state then is what it was. A
/// position is complete when the next commit begins: until then a store that opens, or a gap, may still change it. So this
/// pass is always one line ahead, and tells of every record whether the state after it is the one at its position.
///
/// A foreign journal's `copy` or `test` may need values that nobody asked for. The pass goes on with whole states then, from
/// the position before.
///
/// - Complexity: the bytes of the range are scanned once; memory is that of the pruned state and the longest line.
public struct PositionPass: ~Copyable {
    /// The state after the record reported last; at first the one at the beginning of the range.
    public private(set) var state: PositionState
    /// The line of the record reported last, where records are kept.
    public private(set) var record: OwnedRecord?
    /// The records of the wanted kinds that follow the one reported last, up to the next that changes the state.
    public private(set) var companions: [OwnedRecord] = []

    /// Whether ``PositionPass/replacedPlaces`` of the records to come are wanted.
    package var wantsReplacedPlaces = false
    /// The pointers of the values that the record reported last replaced, where they are wanted; nil where it may have changed
    /// something else.
    package private(set) var replacedPlaces: [[UInt8]]?
    /// What was there before the record reported last, where it is wanted.
    package private(set) var before = StateBefore.values([])
    /// Which of the interests the record reported last may have touched.
    public private(set) var touched: [Bool]

    private let journal: Journal
    private let range: PositionRange
    /// Whether the range ends where the journal says, not where reading does.
    private let isEndKnown: Bool
    private let options: Options
    private var interests: RecordInterests?
    private var places: PlaceChanges?
    private var filter: RecordFilter
    /// Whether the next commit is reported, whatever it touches.
    private var wantsCommit: Bool
    /// Whether other threads were asked to look for what the filter wants.
    private var hasReadAhead = false
    private var reader: RecordReader
    /// Read but not applied; its bytes hold until the reader's next call.
    private var ahead: RecordLine?
    /// The commit with which a store that was closed goes away.
    private var closing: CommitNumber?
    /// The last position with a state before a patch that does not fit, until the pass is behind that.
    private var lastWhole: CommitNumber?
    /// The damage that was jumped over before the pass went on with whole states.
    private var earlierDamages: [JournalError] = []
    /// What was reported last, as the last record that there is so far.
    private var early: Step?
    /// The stores that open before the first commit, where records are kept.
    public private(set) var openings: [OwnedRecord] = []

    /// Starts at the beginning of a range.
    ///
    /// - Parameters:
    ///   - range: nil for a journal that is read once, from its start to wherever it ends; `set` is everything then, since
    ///     nothing can be read a second time.
    ///   - set: the paths whose values are kept; the first segment is the store's name.
    /// - Throws: `JournalError` where the state at the beginning is not known.
    /// - Complexity: that of one seek.
    public init(
        _ journal: Journal, _ range: PositionRange?, reading set: PathSet, options: Options = Options()
    ) throws(JournalError) {
        precondition(range != nil || set.isEverything, "a journal that is read once is read whole")
        let isEveryCommit = options.everyCommit || options.firstCommits
        let filter = PositionPass.filter(isEveryCommit ? .everything : set, options)
        let through = range?.upper
        let range = range ?? PositionRange(from: journal.start)
        var start = try PositionPass.start(journal, range, reading: set, options)
        var reader = try journal.records(
            after: start.state.position, through: through, recover: options.recover)
        var openings: [OwnedRecord]? = options.keepsRecords && range.lower == journal.start ? [] : nil
        var first: RecordLine?
        if start.state.position < range.lower || range.lower == journal.start {
            var walked = start.damage == nil ? filter : PositionPass.filter(.everything, options)
            first = try PositionPass.walk(to: range.lower, &start, &reader, &walked, &openings)
        }
        let state = start.state.pruned(to: set)
        self.openings = openings ?? []
        self.journal = journal
        self.range = range
        isEndKnown = through != nil
        self.options = options
        touched = options.interests.map { _ in false }
        interests = options.interests.isEmpty ? nil : RecordInterests(options.interests)
        places = options.places.map(PlaceChanges.init)
        self.filter = filter
        wantsCommit = isEveryCommit
        self.state = state
        self.reader = reader
        ahead = first
        beginReadingAhead()
        // A store that was closed directly before the range goes away with its first commit.
        closing = state.closing.contains(where: state.reads) ? range.lower.next : nil
    }

    /// Lets other threads look for what the filter wants, once it is the one that most of the range is read with.
    private mutating func beginReadingAhead() {
        guard !hasReadAhead, options.everyCommit || !wantsCommit else { return }
        hasReadAhead = true
        reader.readAhead(for: filter, threads: options.threads, partLength: options.partLength)
    }

    /// Where reading begins, and what a seek says of the damage in its way if it cannot begin where the range does.
    private typealias Start = (state: PositionState, damage: JournalError?)

    /// The state at the beginning of a range; the one before the first record where that is the journal's start, or damage
    /// hides it.
    private static func start(
        _ journal: Journal, _ range: PositionRange, reading set: PathSet, _ options: Options
    ) throws(JournalError) -> Start {
        var damage: JournalError?
        if range.lower > journal.start {
            do throws(JournalError) { return (try journal.soundState(at: range.lower, pruning: set), nil) } catch {
                guard options.recover, error.isDamage else { throw error }
                damage = error
            }
        }
        // Around damage each record is applied, so what its patch needs has to be there.
        var state = PositionState(start: journal.start, pruning: damage == nil ? set : .everything)
        state.seesEveryRecord = true
        return (state, damage)
    }

    private static func filter(_ paths: PathSet, _ options: Options) -> RecordFilter {
        RecordFilter(
            touching: paths, kinds: RecordKinds.states.union(options.companions).union([.keyframe, .end]),
            tellsStores: true)
    }

    /// Applies what stands up to the beginning of the range, from the journal's start; the first line behind that is returned.
    ///
    /// - Throws: the damage that a seek met where the state there is lost.
    private static func walk(
        to lower: CommitNumber, _ start: inout Start, _ reader: inout RecordReader, _ filter: inout RecordFilter,
        _ openings: inout [OwnedRecord]?
    ) throws(JournalError) -> RecordLine? {
        var next = try reader.next(matching: &filter)
        while let line = next, line.seq <= lower || line.isCompared,
            !line.resumed || start.damage != nil
        {
            do throws(JournalError) {
                try start.state.apply(line)
                if line.kind == .store { openings?.append(line.owned()) }
                next = try reader.next(matching: &filter)
            } catch {
                guard !error.needsWholeState else { throw error }
                next = try reader.recover(from: error, at: line)
            }
        }
        if let damage = start.damage, start.state.position != lower { throw damage }
        return next
    }

    /// The last commit that was read, also of those passed over.
    public var lastCommit: CommitNumber { reader.lastCommit }
    /// Up to which byte of the journal the pass has come.
    public var offset: ByteOffset { reader.offset }
    /// The damage that was jumped over.
    public var damages: [JournalError] { earlierDamages + reader.damages }
    /// At the end of the pass: the positions at the end of the range that have no state, since nothing behind damage could be
    /// read; nil where there are none.
    public var lostEnd: ClosedRange<CommitNumber>? {
        guard !reader.damages.isEmpty else { return nil }
        let last = max(lastWithState, range.lower)
        if isEndKnown, last < range.upper { return last.next...range.upper }
        // How many there were is not known then: one at least.
        return reader.endsInDamage ? last.next...last.next : nil
    }
    /// The last commit that was read, or the last before damage behind which nothing could be.
    private var lastWithState: CommitNumber {
        lastWhole ?? (reader.endsInDamage ? reader.lastBeforeDamage : reader.lastCommit)
    }
    /// What the record reported last changed at the places that are followed.
    package var placeChanges: [PlaceChanges.Change] { places?.changes(to: state.value) ?? [] }
    /// The incomplete last record, known once the pass is at its end.
    public var tornTail: TornTail? { reader.tornTail }
    /// Whether the last line that was read ends the run.
    public var isEnded: Bool { reader.isEnded }
    /// Whether the record reported last may not be its position's last only because nothing is there behind it so far.
    public var isEarly: Bool { early != nil }

    /// Applies the next record that changes what is read and reports it; nil at the end of the range.
    ///
    /// - Throws: `JournalError` at damage.
    public mutating func next() throws(JournalError) -> Step? {
        companions.removeAll()
        if let step = early.take() { return try settled(step) }
        while let line = try nextLine() {
            if let closing, line.seq > closing || (line.seq == closing && line.kind != .commit) {
                if try wasPassedOver(closing, before: line) {
                    ahead = line
                    return try settleClose(at: closing)
                }
                self.closing = nil
            }
            guard let step = try apply(line) else { continue }
            return step
        }
        if let closing, closing <= lastWithState { return try settleClose(at: closing) }
        return nil
    }

    /// Whether a commit is in the file and was passed over before a line: not if it is one of those that a gap lost, or lies
    /// in damage that was jumped over.
    private func wasPassedOver(_ commit: CommitNumber, before line: RecordLine) throws(JournalError) -> Bool {
        // Any other line of the commit's own number stands behind it.
        guard line.kind == .gap || line.resumed else { return true }
        return try commit <= lastPosition(before: line)
    }

    /// The next line that is wanted; a keyframe and the end are compared with the state, and go no further.
    private mutating func nextLine() throws(JournalError) -> RecordLine? {
        if let line = ahead.take() { return line }
        while let line = try reader.next(matching: &filter) {
            guard line.isCompared else { return line }
            // All lines before it are applied: it has to claim the state that they made.
            do throws(JournalError) { try state.apply(line) } catch { return try reader.recover(from: error, at: line) }
            if options.companions.contains(line.kind) { return line }
        }
        return nil
    }

    /// Applies a line; nil where it does not change the state that is read.
    private mutating func apply(_ line: RecordLine) throws(JournalError) -> Step? {
        guard RecordKinds.states.contains(line.kind) || line.resumed else { return nil }
        if line.kind == .close {
            do throws(JournalError) { try close(line) } catch {
                try goOn(after: error, at: line, lastPosition: line.lastPositionWithout)
            }
            return nil
        }
        let before = try lastPosition(before: line)
        noteInterests(line)
        notePlaces(line)
        let changed: Bool
        places?.look(before: line, state)
        do throws(JournalError) {
            changed = try change(line)
        } catch {
            places?.fail()
            try goOn(after: error, at: line, lastPosition: before)
            return nil
        }
        lastWhole = nil
        if let closing, line.seq >= closing { self.closing = nil }
        let isWanted = changed || wantsCommit
        expectCommit(behind: line)
        guard isWanted else { return nil }
        record = options.keepsRecords ? line.owned() : nil
        let step = Step(kind: line.kind, seq: line.seq, offset: line.offset, isComplete: false, before: before)
        guard options.tellsEarly, !reader.hasWholeLine, journal.isWaiting else { return try settled(step) }
        early = step
        return step
    }

    /// Reads on behind a step's record, whose line is gone then, to know whether its position is complete.
    private mutating func settled(_ step: Step) throws(JournalError) -> Step {
        try readAhead(step.seq)
        let isComplete = ahead.map { $0.seq > step.seq } ?? true
        return Step(kind: step.kind, seq: step.seq, offset: step.offset, isComplete: isComplete, before: step.before)
    }

    /// Decides whether the commit behind a line is reported, whatever it touches.
    private mutating func expectCommit(behind line: RecordLine) {
        guard options.firstCommits, !options.everyCommit else { return }
        let isExpected = line.kind == .gap || line.resumed || wantsCommit && line.kind != .commit
        if isExpected == wantsCommit { return }
        wantsCommit = isExpected
        filter = PositionPass.filter(isExpected ? .everything : state.paths, options)
        if isExpected { reader.stopReadingAhead() } else { beginReadingAhead() }
    }

    /// Goes on behind a record that cannot be applied: with whole states where it needs them, else at the next keyframe, if
    /// the pass may; a patch that does not fit is damage like any other.
    private mutating func goOn(
        after error: JournalError, at line: RecordLine, lastPosition: CommitNumber
    ) throws(JournalError) {
        guard error.needsWholeState, !state.paths.isEverything else {
            ahead = try reader.recover(from: error, at: line)
            lastWhole = lastPosition
            return
        }
        guard let rest = PositionRange(max(lastPosition, range.lower), range.upper) else { throw error }
        let damages = damages
        let pass = try PositionPass(journal, rest, reading: .everything, options: options)
        self = pass
        earlierDamages = damages
    }

    /// Finds out what a line replaces, before it is applied.
    private mutating func notePlaces(_ line: RecordLine) {
        replacedPlaces = nil
        guard wantsReplacedPlaces || options.before else { return }
        replacedPlaces = closing == nil ? line.replacedPlaces : nil
        guard options.before else { return }
        let pointers = replacedPlaces?.compactMap { try? JSONPointer(parsing: String(decoding: $0, as: UTF8.self)) }
        if let pointers, pointers.count == replacedPlaces?.count {
            before = .values(pointers.map { ($0, $0.value(in: state.value)) })
        } else {
            before = .state(state.value)
        }
    }

    /// Finds out which interests a line touches; a store that went away with it touches all.
    private mutating func noteInterests(_ line: RecordLine) {
        guard interests != nil else { return }
        for index in touched.indices { touched[index] = closing != nil }
        if closing == nil { interests?.flag(line, in: &touched) }
    }

    /// The last position before a line's that has a state.
    private func lastPosition(before line: RecordLine) throws(JournalError) -> CommitNumber {
        if line.resumed { return min(lastWhole ?? reader.lastBeforeDamage, line.seq.previous) }
        guard line.kind == .gap else { return line.seq.previous }
        let gap = try line.decode { (object) throws(RecordFault) in try GapRecord(object) }
        // A foreign gap may claim to begin anywhere.
        return min(max(gap.first.previous, state.position), line.seq.previous)
    }

    private mutating func change(_ line: RecordLine) throws(JournalError) -> Bool {
        if line.resumed { filter.forgetStores() }
        if line.resumed && line.kind == .keyframe {
            try state.reset(to: line)
            return true
        }
        return try state.apply(line) != .none
    }

    private mutating func close(_ line: RecordLine) throws(JournalError) {
        try state.apply(line)
        if state.reads(try line.storeName()) { closing = line.seq.next }
    }

    /// Reads on to the next record that can change the state; what comes in between is kept where it is wanted.
    private mutating func readAhead(_ seq: CommitNumber) throws(JournalError) {
        while let line = try nextLine() {
            if line.seq == seq, line.kind == .close || isUnread(line) {
                // It leaves the position as it is: the record before it may be the last that changes it.
                do throws(JournalError) {
                    if line.kind == .close { try close(line) } else { try state.apply(line) }
                } catch {
                    ahead = try reader.recover(from: error, at: line)
                    lastWhole = seq
                    return
                }
            } else if RecordKinds.states.contains(line.kind) || line.resumed {
                ahead = line
                return
            } else if line.seq == seq {
                companions.append(line.owned())
            }
        }
    }

    /// Whether a line opens a store of which nothing is read.
    private func isUnread(_ line: RecordLine) -> Bool {
        guard line.kind == .store, !line.resumed, let name = try? line.storeName() else { return false }
        return !state.reads(name)
    }

    /// The commit that took away a closed store, and touched nothing else that is read.
    private mutating func settleClose(at commit: CommitNumber) throws(JournalError) -> Step {
        closing = nil
        record = nil
        replacedPlaces = nil
        if options.before { before = .state(state.value) }
        for index in touched.indices { touched[index] = true }
        places?.look(before: nil, state)
        state.advance(to: commit)
        return try settled(
            Step(kind: .commit, seq: commit, offset: nil, isComplete: false, before: commit.previous))
    }
}

extension RecordLine {
    /// Whether it only claims what the lines before it have led to.
    fileprivate var isCompared: Bool { kind == .keyframe && !resumed || kind == .end }
}
