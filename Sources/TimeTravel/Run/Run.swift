public import JSONCore
public import JournalFormat
public import JournalReading
public import QueryLanguage

/// A run along a range: the state at each position, one after another, and the questions that are asked of them.
///
/// Every answer about more than one position is found with it, so all of them agree on what `$old`, `$seq` and `$name` are, and
/// on which positions have no answer. The state is pruned to what the questions read. A commit that touches nothing of that is
/// passed over by the reader without being built, unless a question asks for `$old` or for the commit.
///
/// A position is complete when the next commit begins: until then a store that opens, or a gap, may still change its state. So
/// the run is always one line ahead, and says of each record whether the state after it is the one at its position.
///
/// A foreign journal's `copy` or `test` may need values that no question reads. The run then continues with whole states, from
/// the position before.
///
/// - Complexity: the bytes of the range are scanned once; memory is that of the pruned state and the longest line.
public final class Run {
    /// The state after the record reported last; at first the one at the beginning of the range.
    @safe @exclusivity(unchecked) package internal(set) var positionState: PositionState
    /// The line of the record reported last, where records are kept.
    @safe @exclusivity(unchecked) public internal(set) var record: OwnedRecord?
    /// The records of the wanted kinds that follow the one reported last, up to the next that changes the state.
    @safe @exclusivity(unchecked) public internal(set) var companions: [OwnedRecord] = []
    /// The stores that open before the first commit, where records are kept.
    public let openings: [OwnedRecord]
    /// What was there before the record reported last, where it is wanted; nil until the record is applied that says so.
    var before: StateBefore? = .values([])

    let journal: Journal
    let range: PositionRange
    private let isEndKnown: Bool
    let options: Options
    @safe @exclusivity(unchecked) var reader: RecordReader
    @safe @exclusivity(unchecked) var filter: RecordFilter
    var wantsCommit: Bool
    private var hasReadAhead = false
    /// Read but not applied; its bytes hold until the reader's next call.
    @safe @exclusivity(unchecked) var ahead: RecordLine?
    /// The commit with which a store that was closed goes away.
    @safe @exclusivity(unchecked) var closing: CommitNumber?
    @safe @exclusivity(unchecked) var chosen: ChosenCommits?
    /// The next commit that does not, before which whole states are needed; nil where they are held, or none follows.
    var listed: CommitNumber?
    /// Whether the state has changed since the step reported last by more than the step to come.
    var hasMovedOn = false
    /// The last position with a state before a patch that does not fit, until the run is after that.
    var lastWhole: CommitNumber?
    var earlierDamages: [JournalError] = []
    /// What leads back, where the run goes back or notes the way; the reader does not stand where the run does then.
    @safe @exclusivity(unchecked) var back: WayBack?
    /// What was reported last, as the last record that there is so far.
    @safe @exclusivity(unchecked) private var early: Step?
    var places: PlaceChanges?
    /// What the record reported last changed, where a memo wants them; nil where it may have changed something else.
    @safe @exclusivity(unchecked) var changed: [ChangedPlace]?

    // MARK: Questions

    let questions: Questions
    /// Which question's paths a record touches; nil where one question, or none, is asked.
    @safe @exclusivity(unchecked) var interests: Interest?
    /// Which of the questions the record reported last may have touched; all where that is not looked up.
    @safe @exclusivity(unchecked) var touched = Interest.Members.all
    private(set) var touchesAll = true
    private var isComplete = true
    private(set) var commit: OwnedRecord?
    private(set) var jump: CommitNumber?
    /// The state at the position before; null at the start, and where no question asks for it.
    public var old: JSONValue { asksOld ? oldState.value : .null }
    let asksOld: Bool
    @safe @exclusivity(unchecked) var oldState: OldState
    /// What a query can ask about the beginning of the range: nothing at the start of a journal, else about its commit.
    let startContext: QueryContext

    /// Starts at the beginning of a range.
    ///
    /// - Parameters:
    ///   - range: nil for a journal that is read once, from its start to wherever it ends: it is read whole, and every commit is
    ///     reported.
    ///   - queries: the questions, in the order in which ``isTouched(_:)`` and ``memo(of:)`` count them. Where one asks for `$old`
    ///     or for the commit, every commit is reported.
    /// - Throws: `JournalError` where the state at the beginning is not known.
    /// - Complexity: that of one seek.
    public init(
        _ journal: Journal, _ range: PositionRange?, asking queries: [Query] = [], options: Options = Options()
    ) throws(JournalError) {
        let questions = Questions(queries)
        var options = options
        let isSelective = options.choice?.asksStates ?? false
        if questions.usesOld || questions.usesCommit || range == nil || isSelective { options.everyCommit = true }
        if questions.usesCommit || range == nil || isSelective { options.keepsRecords = true }
        options.reading = range == nil ? .everything : questions.paths.union(options.reading)
        let isEndKnown = range != nil
        let range = range ?? PositionRange(from: journal.start)
        let chosen = options.choice.map { ChosenCommits($0, in: range, isDiverged: options.base?.isDiverged ?? false) }
        var opened = options
        if chosen?.needsWholeStates == true { (opened.reading, opened.everyCommit) = (.everything, true) }
        let opening =
            options.standsAtEnd
            ? RunOpening(atEndOf: range, journal, opened)
            : try RunOpening(journal, range, through: isEndKnown ? range.upper : nil, opened)
        let context = try QueryContext(
            at: range.lower, in: journal, usesCommit: questions.usesCommit,
            oldReading: questions.usesOld ? options.reading : nil, from: options.states)
        self.journal = journal
        self.chosen = chosen
        listed = chosen?.needsWholeStates == false ? chosen?.next(after: range.lower) : nil
        self.range = range
        self.isEndKnown = isEndKnown
        self.options = options
        self.questions = questions
        startContext = context
        oldState = OldState(context.old)
        asksOld = questions.usesOld || options.choice?.usesOld == true
        openings = opening.openings
        wantsCommit = options.wantsFirstCommit
        positionState = opening.state
        filter = opening.filter
        ahead = opening.next
        reader = opening.reader
        if options.notesWayBack || options.standsAtEnd { back = WayBack(reading: options.reading) }
        begin(after: range.lower)
    }

    private func begin(after lower: CommitNumber) {
        interests = questions.count > 1 ? Interest(questions.list.map(\.footprint.paths)) : nil
        touched = .all
        places = options.places.map(PlaceChanges.init)
        wantsCommit = options.wantsFirstCommit
        // A store that was closed directly before the range goes away with its first commit.
        closing = positionState.closing.contains(where: positionState.reads) ? lower.next : nil
        if chosen == nil { beginReadingAhead() }
    }

    /// Lets other threads look for what the filter wants, once it is the one that most of the range is read with.
    func beginReadingAhead() {
        guard !hasReadAhead, back == nil, options.everyCommit || !wantsCommit else { return }
        hasReadAhead = true
        reader.readAhead(for: filter, threads: options.threads, partLength: options.partLength)
    }

    // MARK: Where it is

    /// The state after the step reported last; at first the one at the beginning of the range.
    public var state: JSONValue { .object(stores) }
    /// The stores that are open in it, by name.
    public var stores: JSONObject { positionState.stores }
    /// The last commit that was read, also of those passed over.
    public var lastCommit: CommitNumber { reader.lastCommit }
    /// The damage that was jumped over.
    public var damages: [JournalError] {
        if let back, !options.notesWayBack { return back.damages }
        return (earlierDamages + reader.damages).map(journal.numbered)
    }
    /// The positions at the end of the range that have no state, since nothing after damage could be read; known at the
    /// end of the run.
    public var lostEnd: ClosedRange<CommitNumber>? {
        if let back, !options.notesWayBack { return back.lostEnd }
        guard !reader.damages.isEmpty else { return nil }
        let last = max(lastWithState, range.lower)
        if isEndKnown, last < range.upper { return last.next...range.upper }
        // How many there were is not known then: one at least.
        return reader.endsInDamage ? last.next...last.next : nil
    }
    var lastWithState: CommitNumber { lastWhole ?? (reader.endsInDamage ? reader.lastBeforeDamage : reader.lastCommit) }
    var placeChanges: [PlaceChanges.PlaceChange] { places?.changes(to: state) ?? [] }
    /// The incomplete last record, known once the run is at its end.
    public var tornTail: TornTail? { reader.tornTail }
    /// Whether the last line that was read ends the run.
    public var isEnded: Bool { reader.isEnded }
    /// Whether the record reported last may not be its position's last only because nothing follows it so far.
    public var isEarly: Bool { early != nil }
    var keepsRecords: Bool { options.keepsRecords }

    // MARK: Moving on

    /// Applies the next record that changes what is read and reports it; nil at the end of the range.
    public func next() throws(JournalError) -> Step? {
        if back != nil, !options.notesWayBack { try readFromHere() }
        while true {
            let isNew = asksOld && isComplete
            if isNew { oldState.begin(positionState, mayFollow: chosen == nil && back == nil) }
            let wasInside = !isComplete && !isEarly
            guard var step = try nextNumberedStep() else {
                // At the end it is still what was there before the step reported last.
                if isNew {
                    if !hasMovedOn, commit != nil || jump != nil { oldState.stay() } else { oldState.advance() }
                    questions.note(oldIsKnown: false)
                }
                return nil
            }
            if isNew {
                oldState.advance()
                questions.note(oldIsKnown: true)
            }
            if options.choice?.keeps != nil, step.kind == .commit, let commit = record {
                while !step.isComplete, let other = try nextNumberedStep() { step.isComplete = other.isComplete }
                record = commit
                guard try keepsPosition(commit) else {
                    isComplete = true
                    continue
                }
            }
            note(step, wasInside: wasInside)
            return step
        }
    }

    private func note(_ step: Step, wasInside: Bool) {
        isComplete = step.isComplete
        touchesAll = wasInside || step.isJump || hasMovedOn
        if hasMovedOn { changed = nil }
        hasMovedOn = false
        if step.isJump { jump = step.seq }
        if record?.kind == .commit { commit = record }
        questions.note(changed: changed)
        for memo in options.memos { memo.note(changed: changed) }
    }

    /// The next step; a reader that began in the middle has not counted the lines before its own.
    private func nextNumberedStep() throws(JournalError) -> Step? {
        do throws(JournalError) { return try nextStep() } catch { throw journal.numbered(error) }
    }

    private func nextStep() throws(JournalError) -> Step? {
        companions.removeAll()
        // What follows now is waited for: the position was reported as far as it is known.
        if let step = early.take() {
            if changed != nil { changed = [] }
            return try completed(step)
        }
        rejoin()
        while let line = try nextLine() {
            if try opensWhole(before: line) { continue }
            if let closing, line.seq > closing || (line.seq == closing && line.kind != .commit) {
                if try wasPassedOver(closing, before: line) {
                    ahead = line
                    return try endStores(with: closing)
                }
                self.closing = nil
            }
            guard let step = try apply(line) else { continue }
            return step
        }
        if try opensWhole(before: nil) { return try nextStep() }
        if let closing, closing <= lastWithState { return try endStores(with: closing) }
        return nil
    }

    /// Whether a commit is in the file and was passed over before a line, not one that a gap lost or that damage hides.
    func wasPassedOver(_ commit: CommitNumber, before line: RecordLine) throws(JournalError) -> Bool {
        // Any other line of the commit's own number stands after it.
        guard line.kind == .gap || line.resumed else { return true }
        return try commit <= lastPosition(before: line)
    }

    /// The next line that is wanted; a keyframe and the end are compared with the state, and go no further.
    func nextLine() throws(JournalError) -> RecordLine? {
        if let line = ahead.take() { return line }
        while let line = try reader.next(matching: &filter) { if let line = try compared(line) { return line } }
        return nil
    }

    func compared(_ line: RecordLine) throws(JournalError) -> RecordLine? {
        guard line.isCompared else { return line }
        if chosen?.isDiverged == true { return options.companions.contains(line.kind) ? line : nil }
        // All lines before it are applied: it has to claim the state that they made.
        do throws(JournalError) { try positionState.apply(line) } catch {
            return try reader.recover(from: error, at: line)
        }
        return options.companions.contains(line.kind) ? line : nil
    }

    private func apply(_ line: RecordLine) throws(JournalError) -> Step? {
        guard RecordKinds.states.contains(line.kind) || line.resumed else {
            // What stands at the position of a commit that does not stay is kept for the next one.
            if chosen != nil, options.companions.contains(line.kind) { companions.append(line.owned()) }
            return nil
        }
        if line.kind == .close {
            do throws(JournalError) { try close(line) } catch {
                try goOn(after: error, at: line, lastPosition: line.lastPositionWithout)
            }
            return nil
        }
        if line.kind == .commit, try !stays(line) { return nil }
        let before: CommitNumber
        do throws(JournalError) { before = try lastPosition(before: line) } catch {
            // A gap that says no first commit.
            try goOn(after: error, at: line, lastPosition: positionState.position)
            return nil
        }
        noteTouched(by: line)
        notePlaces(line)
        if line.beginsPosition { back?.shorten(at: positionState) }
        let changed: Bool
        places?.note(before: line, positionState)
        do throws(JournalError) {
            guard let found = try change(line) else {
                places?.fail()
                return nil
            }
            changed = found
        } catch {
            places?.fail()
            try goOn(after: error, at: line, lastPosition: before)
            return nil
        }
        lastWhole = nil
        if let closing, line.seq >= closing { self.closing = nil }
        let isWanted = changed || wantsCommit
        expectCommit(after: line)
        guard isWanted else { return nil }
        record = options.keepsRecords ? line.owned() : nil
        let step = Step(kind: line.kind, seq: line.seq, offset: line.offset, isComplete: false, before: before)
        back?.attach(line, record, lost: step.lost)
        return try completed(step, isPatient: !options.reportsEarly)
    }

    /// Reads on to know whether the step's position is complete, so its line is gone; early where none is waited for.
    func completed(_ step: Step, isPatient: Bool = true) throws(JournalError) -> Step {
        guard try readOn(at: step.seq, isPatient: isPatient) else {
            early = step
            return step
        }
        let isComplete = ahead.map { $0.seq > step.seq } ?? true
        return Step(kind: step.kind, seq: step.seq, offset: step.offset, isComplete: isComplete, before: step.before)
    }

    private func readFromHere() throws(JournalError) {
        let (state, isDiverged) = (positionState, options.states?.isDiverged(at: positionState.position) ?? false)
        guard let rest = PositionRange(state.position, range.upper) else { return }
        back = nil
        chosen = options.choice.map { ChosenCommits($0, in: rest, isDiverged: isDiverged) }
        listed = chosen?.needsWholeStates == false ? chosen?.next(after: rest.lower) : nil
        (early, record, commit, jump, isComplete) = (nil, nil, nil, nil, true)
        try open(rest, reading: options.reading, from: (state, isDiverged))
    }

    func open(
        _ rest: PositionRange, reading paths: PathSet, from base: (PositionState, isDiverged: Bool)? = nil
    ) throws(JournalError) {
        var whole = options
        whole.reading = paths
        whole.base = base
        if chosen != nil { whole.everyCommit = true }
        let opening = try RunOpening(journal, rest, through: rest.upper, whole)
        lastWhole = nil
        oldState.stopFollowing()
        positionState = opening.state
        filter = opening.filter
        ahead = opening.next
        reader = opening.reader
        hasReadAhead = false
        hasMovedOn = true
        begin(after: rest.lower)
    }
}

extension RecordLine {
    /// Whether it only claims what the lines before it have led to.
    var isCompared: Bool { kind == .keyframe && !resumed || kind == .end }
}
