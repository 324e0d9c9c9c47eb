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
    /// The state after the record reported last, with the stores that are open in it; at first the one at the beginning of the
    /// range.
    @exclusivity(unchecked) package internal(set) var positionState: PositionState
    /// The line of the record reported last, where records are kept.
    @exclusivity(unchecked) public private(set) var record: OwnedRecord?
    /// The records of the wanted kinds that follow the one reported last, up to the next that changes the state.
    @exclusivity(unchecked) public private(set) var companions: [OwnedRecord] = []
    /// The stores that open before the first commit, where records are kept.
    public let openings: [OwnedRecord]
    /// What was there before the record reported last, where it is wanted.
    package private(set) var before = StateBefore.values([])

    let journal: Journal
    let range: PositionRange
    /// Whether the range ends where the journal says, not where reading does.
    private let isEndKnown: Bool
    let options: Options
    @exclusivity(unchecked) private var reader: RecordReader
    @exclusivity(unchecked) var filter: RecordFilter
    /// Whether the next commit is reported, whatever it touches.
    private(set) var wantsCommit: Bool
    /// Whether other threads were asked to look for what the filter wants.
    private var hasReadAhead = false
    /// Read but not applied; its bytes hold until the reader's next call.
    @exclusivity(unchecked) private var ahead: RecordLine?
    /// The commit with which a store that was closed goes away.
    @exclusivity(unchecked) var closing: CommitNumber?
    /// The commits that stay; nil where all do.
    @exclusivity(unchecked) var chosen: ChosenCommits?
    /// The next commit that does not, before which whole states are needed; nil where they are held, or none follows.
    var listed: CommitNumber?
    /// Whether the state has changed since the step reported last by more than the step to come.
    var hasMovedOn = false
    /// The last position with a state before a patch that does not fit, until the run is after that.
    private var lastWhole: CommitNumber?
    /// The damage that was jumped over before the run went on with whole states.
    var earlierDamages: [JournalError] = []
    /// What leads back, where the run goes back or notes the way; the reader does not stand where the run does then.
    @exclusivity(unchecked) var back: WayBack?
    /// What was reported last, as the last record that there is so far.
    @exclusivity(unchecked) private var early: Step?
    private var places: PlaceChanges?
    /// What the record reported last changed, where a memo wants them; nil where it may have changed something else.
    @exclusivity(unchecked) private var changed: [ChangedPlace]?

    // MARK: Questions

    let questions: Questions
    /// Which question's paths a record touches; nil where one question, or none, is asked.
    @exclusivity(unchecked) private var interests: Interest?
    /// Which of the questions the record reported last may have touched; all where that is not looked up.
    @exclusivity(unchecked) private(set) var touched = Interest.Members.all
    /// Whether the last step may have changed the answer of every question.
    private(set) var touchesAll = true
    /// Whether the state of the run is the one at its position.
    private var isComplete = true
    /// The commit of the position.
    private(set) var commit: OwnedRecord?
    /// The last position whose commit was lost.
    private(set) var jump: CommitNumber?
    /// The state at the position before; null at the start, and where no question asks for it.
    public var old: JSONValue { asksOld ? oldState.value : .null }
    private let asksOld: Bool
    @exclusivity(unchecked) var oldState: OldState
    /// What a query can ask about the beginning of the range: nothing at the start of a journal, else about its commit.
    public let startContext: QueryContext

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

    /// Prepares for the records after a position, at which the state and the reader are.
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
    public var state: JSONValue { positionState.value }
    /// The stores that are open in it, by name.
    public var stores: JSONObject { positionState.stores }
    /// The last commit that was read, also of those passed over.
    public var lastCommit: CommitNumber { reader.lastCommit }
    /// Up to which byte of the journal the run has come.
    public var offset: ByteOffset { reader.offset }
    /// The damage that was jumped over.
    public var damages: [JournalError] {
        if let back, !options.notesWayBack { return back.damages }
        return (earlierDamages + reader.damages).map(journal.numbered)
    }
    /// At the end of the run: the positions at the end of the range that have no state, since nothing after damage could be
    /// read; nil where there are none.
    public var lostEnd: ClosedRange<CommitNumber>? {
        if let back, !options.notesWayBack { return back.lostEnd }
        guard !reader.damages.isEmpty else { return nil }
        let last = max(lastWithState, range.lower)
        if isEndKnown, last < range.upper { return last.next...range.upper }
        // How many there were is not known then: one at least.
        return reader.endsInDamage ? last.next...last.next : nil
    }
    /// The last commit that was read, or the last before damage after which nothing could be.
    var lastWithState: CommitNumber {
        lastWhole ?? (reader.endsInDamage ? reader.lastBeforeDamage : reader.lastCommit)
    }
    /// What the record reported last changed at the places that are followed.
    package var placeChanges: [PlaceChanges.Change] { places?.changes(to: state) ?? [] }
    /// The incomplete last record, known once the run is at its end.
    public var tornTail: TornTail? { reader.tornTail }
    /// Whether the last line that was read ends the run.
    public var isEnded: Bool { reader.isEnded }
    /// Whether the record reported last may not be its position's last only because nothing follows it so far.
    public var isEarly: Bool { early != nil }
    /// Whether the run keeps the line of each step.
    var keepsRecords: Bool { options.keepsRecords }

    // MARK: Moving on

    /// Applies the next record that changes what is read and reports it; nil at the end of the range.
    ///
    /// - Throws: `JournalError` at damage.
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

    /// Notes a step that is reported.
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

    /// Whether a commit is in the file and was passed over before a line: not if it is one of those that a gap lost, or lies
    /// in damage that was jumped over.
    func wasPassedOver(_ commit: CommitNumber, before line: RecordLine) throws(JournalError) -> Bool {
        // Any other line of the commit's own number stands after it.
        guard line.kind == .gap || line.resumed else { return true }
        return try commit <= lastPosition(before: line)
    }

    /// The next line that is wanted; a keyframe and the end are compared with the state, and go no further.
    private func nextLine() throws(JournalError) -> RecordLine? {
        if let line = ahead.take() { return line }
        while let line = try reader.next(matching: &filter) {
            if let line = try compared(line) { return line }
        }
        return nil
    }

    /// A line, unless it is one that is only compared with the state.
    private func compared(_ line: RecordLine) throws(JournalError) -> RecordLine? {
        guard line.isCompared else { return line }
        if chosen?.isDiverged == true { return options.companions.contains(line.kind) ? line : nil }
        // All lines before it are applied: it has to claim the state that they made.
        do throws(JournalError) { try positionState.apply(line) } catch {
            return try reader.recover(from: error, at: line)
        }
        return options.companions.contains(line.kind) ? line : nil
    }

    /// Applies a line; nil where it does not change the state that is read.
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

    /// Reads on after a step's record, whose line is gone then, to know whether its position is complete.
    ///
    /// - Parameter isPatient: whether lines are waited for; else the step is early where none is there yet that decides.
    private func completed(_ step: Step, isPatient: Bool = true) throws(JournalError) -> Step {
        guard try readOn(at: step.seq, isPatient: isPatient) else {
            early = step
            return step
        }
        let isComplete = ahead.map { $0.seq > step.seq } ?? true
        return Step(kind: step.kind, seq: step.seq, offset: step.offset, isComplete: isComplete, before: step.before)
    }

    /// Decides whether the commit after a line is reported, whatever it touches.
    private func expectCommit(after line: RecordLine) {
        guard options.firstCommits, !options.everyCommit else { return }
        let isExpected = line.kind == .gap || line.resumed || wantsCommit && line.kind != .commit
        if isExpected == wantsCommit { return }
        wantsCommit = isExpected
        filter = options.filter(isExpected ? .everything : positionState.paths)
        if isExpected { reader.stopReadingAhead() } else { beginReadingAhead() }
    }

    /// Goes on after a record that cannot be applied: with whole states where it needs them, else at the next keyframe, if
    /// the run may; a patch that does not fit is damage like any other.
    private func goOn(
        after error: JournalError, at line: RecordLine, lastPosition: CommitNumber
    ) throws(JournalError) {
        guard error.needsWholeState, !positionState.paths.isEverything else {
            ahead = try reader.recover(from: error, at: line)
            lastWhole = lastPosition
            return
        }
        if options.notesWayBack { throw error }
        guard let rest = PositionRange(max(lastPosition, range.lower), range.upper) else { throw error }
        let damages = damages
        try open(rest, reading: .everything)
        earlierDamages = damages
    }

    /// Reads on from where the run has gone back to, or stands.
    private func readFromHere() throws(JournalError) {
        let (state, isDiverged) = (positionState, options.states?.isDiverged(at: positionState.position) ?? false)
        guard let rest = PositionRange(state.position, range.upper) else { return }
        back = nil
        chosen = options.choice.map { ChosenCommits($0, in: rest, isDiverged: isDiverged) }
        listed = chosen?.needsWholeStates == false ? chosen?.next(after: rest.lower) : nil
        (early, record, commit, jump, isComplete) = (nil, nil, nil, nil, true)
        try open(rest, reading: options.reading, from: (state, isDiverged))
    }

    /// Goes on from a position that has the state that the journal says, or another one.
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

    /// Finds out what a line changes, before it is applied.
    private func notePlaces(_ line: RecordLine) {
        changed = nil
        let isWanted = questions.wantsPlaces || options.memos.contains(where: \.wantsPlaces)
        guard options.before || isWanted else { return }
        let replaced = closing == nil ? line.changedPlaces(in: nil) : nil
        if isWanted, closing == nil { changed = replaced ?? line.changedPlaces(in: state) }
        guard options.before else { return }
        let pointers = replaced?.compactMap { try? JSONPointer(parsing: String(decoding: $0.pointer, as: UTF8.self)) }
        if let pointers, pointers.count == replaced?.count {
            before = .values(pointers.map { ($0, $0.value(in: state)) })
        } else {
            before = .state(state)
        }
    }

    /// Finds out which questions a line touches; a store that went away with it touches all.
    private func noteTouched(by line: RecordLine) {
        touched = closing == nil ? interests?.touched(by: line) ?? .all : .all
    }

    /// The last position before a line's that has a state.
    private func lastPosition(before line: RecordLine) throws(JournalError) -> CommitNumber {
        if line.resumed { return min(lastWhole ?? reader.lastBeforeDamage, line.seq.previous) }
        guard line.kind == .gap else { return line.seq.previous }
        let gap = try line.decode { (object) throws(RecordFault) in try GapRecord(object) }
        // A foreign gap may claim to begin anywhere.
        return min(max(gap.first.previous, positionState.position), line.seq.previous)
    }

    /// Brings the state over a line; nil where that is of a commit that does not stay.
    private func change(_ line: RecordLine) throws(JournalError) -> Bool? {
        if line.resumed { filter.forgetStores() }
        if line.resumed || line.kind == .gap { chosen?.openAll() }
        if line.resumed && line.kind == .keyframe {
            if options.notesWayBack { back?.note(.state(positionState)) }
            oldState.stopFollowing()
            try positionState.reset(to: line)
            return true
        }
        switch line.kind {
        case .commit where chosen != nil: return try applyChosen(line)
        case .store: return try applyStore(line)
        default: return try bring(over: line)
        }
    }

    /// Applies a line to the state; what leads back is noted where that is wanted.
    func bring(over line: RecordLine) throws(JournalError) -> Bool {
        guard options.notesWayBack || asksOld else { return try positionState.apply(line) != .none }
        var log = ApplyLog(keepsUndo: options.notesWayBack)
        let effect: PositionState.Effect
        do throws(JournalError) { effect = try positionState.apply(line, &log) } catch {
            oldState.stopFollowing()
            throw error
        }
        oldState.follow(line)
        if options.notesWayBack { back?.note(log.undo) }
        return effect != .none
    }

    private func close(_ line: RecordLine) throws(JournalError) {
        if try applyStore(line) != nil { back?.attach(line, nil, lost: nil) }
        if positionState.reads(try line.storeName()) { closing = line.seq.next }
    }

    /// Reads on to the next record that can change the state; what comes in between is kept where it is wanted.
    ///
    /// - Returns: false where lines are not waited for, and none is there yet.
    private func readOn(at seq: CommitNumber, isPatient: Bool) throws(JournalError) -> Bool {
        while true {
            var next: RecordLine?
            if isPatient || ahead != nil {
                next = try nextLine()
            } else {
                if !reader.hasWholeLine, journal.isWaiting { return false }
                // Each line is looked at by itself: the reader would wait for the next one that is wanted.
                guard let line = try reader.next() else { return true }
                next = filter.mayMatter(line) ? try compared(line) : nil
                if next == nil { continue }
            }
            guard let line = next else { return true }
            if line.seq == seq, line.kind == .close || isUnread(line) {
                // It leaves the position as it is: the record before it may be the last that changes it.
                do throws(JournalError) {
                    if line.kind == .close {
                        try close(line)
                    } else if try applyStore(line) != nil {
                        back?.attach(line, nil, lost: nil)
                    }
                } catch {
                    ahead = try reader.recover(from: error, at: line)
                    lastWhole = seq
                    return true
                }
            } else if RecordKinds.states.contains(line.kind) || line.resumed {
                ahead = line
                return true
            } else if line.seq == seq {
                companions.append(line.owned())
            }
        }
    }

    /// Whether a line opens a store of which nothing is read.
    private func isUnread(_ line: RecordLine) -> Bool {
        guard line.kind == .store, !line.resumed, let name = try? line.storeName() else { return false }
        return !positionState.reads(name)
    }

    /// Reports the commit that took away a closed store, and touched nothing else that is read.
    private func endStores(with commit: CommitNumber) throws(JournalError) -> Step {
        closing = nil
        record = nil
        changed = nil
        if options.before { before = .state(state) }
        touched = .all
        places?.note(before: nil, positionState)
        if options.notesWayBack { back?.note(.state(positionState)) }
        oldState.stopFollowing()
        positionState.advance(to: commit)
        back?.attach(at: commit)
        return try completed(
            Step(kind: .commit, seq: commit, offset: nil, isComplete: false, before: commit.previous))
    }
}

extension RecordLine {
    /// Whether it only claims what the lines before it have led to.
    var isCompared: Bool { kind == .keyframe && !resumed || kind == .end }
}
