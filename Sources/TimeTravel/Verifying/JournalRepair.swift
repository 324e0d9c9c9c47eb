import JSONCore
public import JournalFormat
public import JournalReading

/// Makes a whole journal of what is whole of another one.
///
/// Lines that fit are copied byte for byte, and a torn tail is left out. A line whose sum is wrong, or that does not fit the
/// replay, is not what was written: one that changes no state, or repeats what was kept, is left out alone. Any other one may
/// have changed the state: whole lines that still follow the last commit are kept, and the commits from the next one on
/// become a `gap`, up to a keyframe or gap that says the state. Where neither follows, the journal ends before the damage.
/// Whatever ``Verification`` holds against a line either is mended in it (a time, a cause, totals) or keeps it out, so that the
/// result verifies; what is checked there must be checked here.
///
/// A store that was opened directly after the last kept commit, and whose record is damaged, is missing from the state
/// at that commit; it is there again in the gap's.
///
/// - Complexity: one pass; memory is that of the state and the longest line.
public struct JournalRepair: ~Copyable {
    /// A line of the input that is not in the repaired journal.
    public struct LeftOut: Sendable, Equatable {
        /// Which line.
        public let line: LineNumber?
        /// What kind of record it is, if it is one.
        public let kind: RecordKind?

        /// A line, by its number and kind.
        public init(line: LineNumber?, kind: RecordKind?) {
            self.line = line
            self.kind = kind
        }
    }

    /// What a repair kept.
    public struct Summary: Sendable, Equatable {
        /// How many commits are in the repaired journal.
        public internal(set) var commits = 0
        /// How many commits became part of a gap.
        public internal(set) var lost = 0
        /// How many lines were written anew, because what they say of the others no longer holds.
        public internal(set) var rewritten = 0
        /// How many lines were left out, the commits of gaps not counted.
        public internal(set) var leftOut = 0
        /// The first ``leftOutLimit`` of them.
        public internal(set) var leftOutLines: [LeftOut] = []
        /// The last commit, kept or in a gap.
        public internal(set) var lastCommit = CommitNumber.zero
        /// Whether the journal ends before damage that no keyframe follows.
        public internal(set) var isCut = false
        /// How many commits come after that damage.
        public internal(set) var cutCommits = 0
        /// Whether an incomplete last line was left out.
        public internal(set) var wasTorn = false

        /// Whether the repaired journal is a copy.
        public var isUnchanged: Bool { lost == 0 && rewritten == 0 && leftOut == 0 && !isCut && !wasTorn }
    }

    static let leftOutLimit = 100

    private enum Knowledge {
        case whole
        /// A line is damaged that may have changed it; commits may still follow or not.
        case doubtful
        case lost
    }

    private let path: String
    private let start: CommitNumber
    private var reader: RecordReader
    private var state: PositionState
    private var output: RepairedLines
    /// Which texts of members `at` are places in source code.
    private var places = RecentTexts<Bool>(capacity: 256)
    private var knowledge = Knowledge.whole
    /// Whether ``state`` is the one at the last kept commit: not after a patch that applied halfway.
    private var isStateSound = true
    /// Whether ``state`` is a keyframe's that the kept lines do not lead to: then the next commit becomes a gap.
    private var isBridging = false

    /// Begins a repair.
    ///
    /// - Parameter journal: one that is read from its front.
    public init(_ journal: Journal) {
        path = journal.path
        reader = journal.records(recover: true, checksSums: false)
        start = RunStart.find(in: journal)
        state = PositionState(start: start)
        output = RepairedLines(start: start)
    }

    /// What was kept so far.
    public var summary: Summary { output.summary }

    /// How many bytes of the result wait to be taken.
    public var pendingCount: Int { output.lines.bytes.count }

    /// Passes the lines made so far to a closure, and forgets them.
    public mutating func withPendingLines<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        try body(output.lines.bytes)
        output.lines.removeAll()
    }

    /// Examines one line, and brings over whatever follows from it.
    ///
    /// - Returns: whether there was one; after the last the result is complete.
    /// - Throws: `JournalError` where the input cannot be read.
    public mutating func next() throws(JournalError) -> Bool {
        do throws(JournalError) {
            guard let line = try reader.nextOfAnyNumber() else {
                output.summary.isCut = knowledge == .lost || knowledge == .doubtful && !output.isEnded
                output.finish(torn: reader.tornTail != nil)
                return false
            }
            examine(line)
        } catch {
            guard case .damage(let damage) = error.fact else { throw error }
            output.leaveOut(LeftOut(line: damage.line, kind: nil))
            // Zeros and blank lines between whole records took no record away.
            if damage.reason != .zeros, damage.reason != .blank { doubt() }
        }
        return true
    }

    private mutating func markStateSound() {
        isStateSound = true
        knowledge = .whole
        output.summary.cutCommits = 0
    }

    private mutating func doubt() { if knowledge == .whole { knowledge = .doubtful } }

    // MARK: What is to be thought of a line

    private mutating func examine(_ line: RecordLine) {
        if line.bytes.last == UInt8(ascii: "\r"), line.kind != .journal || line.offset == .zero {
            // The line as it was before git or an editor wrote it, with its sum.
            output.summary.rewritten += 1
            let text = Array(line.bytes.extracting(..<(line.bytes.count - 1)))
            return OwnedRecord(text: text, path: path).withLine { examine($0) }
        }
        let sum = LineSum.check(line.bytes)
        if case .wrong = sum { return refuse(line) }
        if sum == .none, let tail = LineTail(line.bytes), tail.isDamagedSum { return examine(line, endingIn: tail) }
        if sum == .none, let rest = LineTail.rest(beforeMisformedSum: line.bytes) {
            // Nothing can be held against such a sum, so the line is one without.
            output.summary.rewritten += 1
            return OwnedRecord(text: Array(rest) + [UInt8(ascii: "}")], path: path).withLine { examine($0) }
        }
        let last = output.summary.lastCommit
        switch line.kind {
        case .journal: if line.offset != .zero { return leaveOutRepeated(line) }
        case .gap: if line.seq <= last { return leaveOutRepeated(line) }
        case .keyframe:
            if line.seq < last { return leaveOutRepeated(line) }
            // Commits that are missing without a trace are believed by a sum only.
            if line.seq > last, knowledge == .whole, sum != .right { return refuse(line) }
        case .commit:
            if line.seq <= last { return leaveOutRepeated(line) }
            // Those before it are lost, or the state is not known from which it leads on.
            if knowledge != .whole || line.seq != last.next { return lose() }
        case .store, .derived, .outcome, .abort, .mark, .close, .end, .other:
            if line.seq < last { return leaveOutRepeated(line) }
            if knowledge == .lost || line.seq > last { return refuse(line) }
        }
        do throws(JournalError) { try take(line) } catch {
            if line.kind == .commit {
                // Its patch may have applied in part.
                isStateSound = false
                lose()
            } else {
                refuse(line)
            }
        }
    }

    /// Examines a line whose sum is damaged: where the line can still be held against it, it is what was written.
    private mutating func examine(_ line: RecordLine, endingIn tail: LineTail) {
        guard let text = tail.mended, line.kind != .journal || line.offset == .zero else { return refuse(line) }
        output.summary.rewritten += 1
        OwnedRecord(text: text, path: path).withLine { examine($0) }
    }

    private mutating func lose() {
        knowledge = .lost
        output.summary.cutCommits += 1
    }

    private mutating func refuse(_ line: RecordLine) {
        if line.kind == .journal, line.offset == .zero { return output.takeDamagedHeader(line) }
        if !line.kind.isPassive || line.seq != output.summary.lastCommit { doubt() }
        leaveOut(line)
    }

    /// Leaves out a line whose number was passed: a line that stands twice, if it can be trusted, and else a damaged one.
    private mutating func leaveOutRepeated(_ line: RecordLine) {
        let isSure = LineSum.check(line.bytes) == .right || line.kind == .commit && output.isLastCommit(line)
        if !isSure { doubt() }
        leaveOut(line)
    }

    private mutating func leaveOut(_ line: RecordLine) { output.leaveOut(LeftOut(line: line.number, kind: line.kind)) }

    // MARK: One line that is what was written

    private mutating func take(_ line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .journal:
            let header = try line.decode(JournalHeader.init)
            if header.version < 1 || line.seq != start || header.after ?? .zero != start {
                return output.takeDamagedHeader(line)
            }
            output.take(line, time: header.time)
        case .store: try takeStore(line)
        case .commit: try takeCommit(line)
        case .close: try takeClose(line)
        case .gap: try takeGap(line)
        case .keyframe: try takeKeyframe(line)
        case .derived:
            _ = try line.decode(DerivedRecord.init)
            output.take(line)
        case .outcome:
            let outcome = try line.decode(OutcomeRecord.init)
            // Of a commit that is not made yet, or with outcomes that are none.
            guard outcome.commit <= line.seq, outcome.unknownOutcomes.isEmpty else { return leaveOut(line) }
            output.take(line)
        case .mark:
            let mark = try line.decode(MarkRecord.init)
            output.take(line, time: mark.time, edits: mark.unknownLevel == nil ? [] : [("level", nil)])
            if let clock = mark.clock { output.setBack(to: clock) }
        case .abort:
            let abort = try line.decode(AbortRecord.init)
            guard output.isOpen(abort.store) else { return leaveOut(line) }
            output.take(line, time: abort.time)
        case .end: output.hold(try line.decode(EndRecord.init), line)
        case .other:
            _ = try line.token()
            output.take(line)
        }
    }

    private mutating func takeStore(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode(StoreRecord.init)
        // A repeated line changes nothing.
        if state.isOpen(record.store), state.stores[record.store] == record.state { return leaveOut(line) }
        try state.apply(line)
        take(line, record.time)
    }

    private mutating func takeClose(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode(CloseRecord.init)
        // Its store was lost, or is closed already: there is nothing that it could end.
        guard state.isOpen(record.store) else { return leaveOut(line) }
        try state.apply(line)
        take(line, record.time)
    }

    private mutating func take(_ line: RecordLine, _ time: Timestamp) {
        if isBridging { leaveOut(line) } else { output.take(line, time: time) }
    }

    private mutating func takeCommit(_ line: RecordLine) throws(JournalError) {
        let commit = try CheckedCommit(line, &places)
        try state.apply(line)
        guard !isBridging else {
            output.gap(through: line.seq, time: commit.time, states: state.stores)
            isBridging = false
            return
        }
        var edits: MemberEdits = []
        if let cause = commit.cause, cause >= line.seq { edits.append(("cause", nil)) }
        if let undoes = commit.undoes, undoes >= line.seq { edits.append(("undoes", nil)) }
        if commit.negativeVersion != nil { edits.append(("version", 0)) }
        output.take(line, time: commit.time, edits: edits)
    }

    // MARK: Lines that say the whole state

    private mutating func takeGap(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode(GapRecord.init)
        try state.apply(line)
        if record.first == summary.lastCommit.next {
            output.take(line, time: record.time)
        } else {
            output.gap(
                through: line.seq, time: record.time, states: record.states,
                newlyLost: record.first.rawValue - summary.lastCommit.next.rawValue)
        }
        isBridging = false
        markStateSound()
    }

    private mutating func takeKeyframe(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode(KeyframeRecord.init)
        let isReached = line.seq == summary.lastCommit
        let fits = isStateSound && !isBridging && state.openStores == record.states
        try state.reset(to: line)
        markStateSound()
        isBridging = isReached && !fits
        if isBridging { return leaveOut(line) }
        if !isReached { output.gap(through: line.seq, time: nil, states: record.states) }
        output.take(line, claiming: record.totals)
    }
}

extension RecordKind {
    fileprivate var isPassive: Bool {
        switch self {
        case .derived, .outcome, .abort, .mark, .keyframe, .end: true
        // A kind that is not known may be a damaged name of any other.
        case .journal, .store, .commit, .gap, .close, .other: false
        }
    }
}
