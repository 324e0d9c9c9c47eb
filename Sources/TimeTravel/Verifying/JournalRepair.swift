import JSONCore
public import JournalFormat

/// Makes a whole journal of what is whole of another one.
///
/// Lines that fit are copied byte for byte, and a torn tail is left out. A line whose sum is wrong, or that does not fit the
/// replay, is not what was written: one that changes no state is left out alone; otherwise the state is unknown up to the
/// next keyframe or gap, and the commits until there become a `gap`. Where neither follows, the journal ends before the
/// damage. Whatever ``Verification`` holds against a line either is mended in it (a time, a cause, totals) or keeps it out,
/// so that the result verifies; what is checked there must be checked here.
///
/// A store that was opened directly behind the last kept commit, and whose record is damaged, is missing from the state at
/// that commit; it is there again in the gap's.
///
/// - Complexity: one pass; memory is that of the state and the longest line.
public struct JournalRepair: ~Copyable {
    /// What a repair kept.
    public struct Summary: Sendable, Equatable {
        /// How many commits are in the repaired journal.
        public internal(set) var commits = 0
        /// How many commits became part of a gap.
        public internal(set) var lost = 0
        /// How many lines were written anew, because what they say of the others no longer holds.
        public internal(set) var rewritten = 0
        /// How many lines that change no state were left out.
        public internal(set) var leftOut = 0
        /// The last commit, kept or in a gap.
        public internal(set) var lastCommit = CommitNumber.zero
        /// Whether the journal ends before damage that no keyframe follows.
        public internal(set) var isCut = false
        /// Whether an incomplete last line was left out.
        public internal(set) var wasTorn = false

        /// Whether the repaired journal is a copy.
        public var isUnchanged: Bool { lost == 0 && rewritten == 0 && leftOut == 0 && !isCut && !wasTorn }
    }

    private let path: String
    private var reader: RecordReader
    private var state: PositionState
    private var output: RepairedLines
    /// Whether ``state`` is the one at the last kept commit: not after a patch that applied halfway.
    private var isStateSound = true
    /// Whether ``state`` was taken from a keyframe that the kept lines do not lead to: the next commit becomes a gap, which
    /// brings the readers of the result to it.
    private var isBridging = false

    /// Begins a repair.
    ///
    /// - Parameter journal: one that is read from its front.
    public init(_ journal: Journal) {
        path = journal.path
        reader = journal.records(recover: true, checksSums: false)
        state = PositionState(start: journal.start)
        output = RepairedLines(start: journal.start)
    }

    /// What was kept so far.
    public var summary: Summary { output.summary }

    /// How far the input was read.
    public var offset: ByteOffset { reader.offset }

    /// How many bytes of the result wait to be taken.
    public var pendingCount: Int { output.lines.bytes.count }

    /// Hands over the lines made so far, and forgets them.
    public mutating func withPendingLines<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        try body(output.lines.bytes)
        output.lines.removeAll()
    }

    /// Brings one line over, and whatever it takes to get there.
    ///
    /// - Returns: whether there was one; after the last the result is complete.
    /// - Throws: `JournalError` where the input cannot be read.
    public mutating func next() throws(JournalError) -> Bool {
        let damages = reader.damageCount
        var line = try reader.next()
        if line == nil, reader.damageCount == damages {
            output.finish(torn: reader.tornTail != nil)
            return false
        }
        while let found = line {
            guard let fault = refusal(of: found) else { return true }
            line = try reader.recover(from: fault, after: output.summary.lastCommit)
        }
        output.summary.isCut = true
        output.finish(torn: false)
        return false
    }

    /// Takes a line over, or says why the state behind it is not known.
    private mutating func refusal(of line: RecordLine) -> JournalError? {
        let error: JournalError
        if case .wrong = LineSum.check(line.bytes) {
            error = damage(line, .record(RecordFault(member: "sum", expected: "the sum of the line's bytes")))
        } else {
            do throws(JournalError) {
                try take(line)
                return nil
            } catch let fault {
                error = fault
                if !line.kind.isPassive { isStateSound = false }
            }
        }
        if line.kind == .journal {
            output.takeDamagedHeader(line)
            return nil
        }
        if line.kind.isPassive, !line.resumed {
            output.leaveOut()
            return nil
        }
        return error
    }

    private func damage(_ line: RecordLine, _ reason: JournalDamage.Reason) -> JournalError {
        JournalError(path: path, .damage(JournalDamage(line: line.number, offset: line.offset, reason: reason)))
    }

    // MARK: One line that is what was written

    private mutating func take(_ line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .journal:
            let header = try line.decode { (o) throws(RecordFault) in try JournalHeader(o) }
            output.take(line, time: header.time)
        case .store: try takeStore(line)
        case .commit: try takeCommit(line)
        case .close: try takeClose(line)
        case .gap: try takeGap(line)
        case .keyframe: try takeKeyframe(line)
        case .derived:
            let name = try line.decode { (o) throws(RecordFault) in try DerivedRecord(o) }.name
            output.take(line) { $0.declare(name) }
        case .outcome:
            _ = try line.decode { (o) throws(RecordFault) in try OutcomeRecord(o) }
            output.take(line)
        case .mark:
            let mark = try line.decode { (o) throws(RecordFault) in try MarkRecord(o) }
            output.take(line, time: mark.time) { $0.marks += 1 }
        case .abort:
            let abort = try line.decode { (o) throws(RecordFault) in try AbortRecord(o) }
            output.take(line, time: abort.time) { $0.aborts += 1 }
        case .end: output.hold(try line.decode { (o) throws(RecordFault) in try EndRecord(o) }, line)
        case .other: output.take(line)
        }
    }

    private mutating func takeStore(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode { (o) throws(RecordFault) in try StoreRecord(o) }
        guard !state.isOpen(record.store) else {
            throw damage(line, .record(RecordFault(member: "store", expected: "a store that is not open")))
        }
        try state.apply(line)
        if isBridging { output.leaveOut() } else { output.take(line, time: record.time) { $0.open(record.store) } }
    }

    private mutating func takeClose(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode { (o) throws(RecordFault) in try CloseRecord(o) }
        // Its store was lost, or is closed already: there is nothing that it could end.
        guard state.isOpen(record.store) else { return output.leaveOut() }
        try state.apply(line)
        if isBridging { output.leaveOut() } else { output.take(line, time: record.time) { $0.close(record.store) } }
    }

    private mutating func takeCommit(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode { (o) throws(RecordFault) in try CommitRecord(o) }
        state.advance(to: line.seq)
        try checkOlds(of: record, line)
        try state.apply(line)
        guard !isBridging else {
            output.gap(through: line.seq, time: record.time, states: state.stores)
            isBridging = false
            return
        }
        var edits: [RepairedLines.Edit] = []
        if let cause = record.cause, cause >= line.seq { edits.append(RepairedLines.Edit(member: "cause", value: nil)) }
        output.take(line, time: record.time, edits: edits) { $0.count(record.store) }
    }

    /// Checks that what a patch says was there is what the replay has there.
    private func checkOlds(of record: CommitRecord, _ line: RecordLine) throws(JournalError) {
        guard var value = state.stores[record.store] else {
            throw damage(line, .storeNotOpen(commit: line.seq, store: record.store))
        }
        for operation in record.patch.operations {
            switch operation {
            case .replace(let path, _, let old?), .remove(let path, let old?):
                guard path.value(in: value) == old else {
                    throw damage(line, .record(RecordFault(member: "old", expected: "what the replay has there")))
                }
            default: break
            }
            guard record.patch.operations.count > 1 else { return }
            do throws(PatchError) { try JSONPatch([operation]).apply(to: &value, order: .ascending) } catch {
                throw damage(line, .patch(commit: line.seq, store: record.store, error))
            }
        }
    }

    // MARK: Lines that say the whole state

    private mutating func takeGap(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode { (o) throws(RecordFault) in try GapRecord(o) }
        guard line.seq > summary.lastCommit else {
            throw damage(line, .wrongNumber(kind: .gap, found: line.seq, expected: summary.lastCommit.next))
        }
        try state.apply(line)
        if record.first == summary.lastCommit.next {
            output.take(line, time: record.time) { counted in
                counted.gaps += 1
                counted.reopen(record.states.keys)
            }
        } else {
            output.gap(
                through: line.seq, time: record.time, states: record.states,
                newlyLost: record.first.rawValue - summary.lastCommit.next.rawValue)
        }
        isStateSound = true
        isBridging = false
    }

    private mutating func takeKeyframe(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode { (o) throws(RecordFault) in try KeyframeRecord(o) }
        let isReached = line.seq == summary.lastCommit
        let fits = isStateSound && !isBridging && state.openStores == record.states
        try state.reset(to: line)
        isStateSound = true
        isBridging = isReached && !fits
        if isBridging { return output.leaveOut() }
        if !isReached { output.gap(through: line.seq, time: nil, states: record.states) }
        output.take(line, totals: record.totals)
    }
}

extension RecordKind {
    /// Whether the state is the same with or without such a record.
    fileprivate var isPassive: Bool {
        switch self {
        case .derived, .outcome, .abort, .mark, .keyframe, .end: true
        // A kind that is not known may be a damaged name of any other.
        case .journal, .store, .commit, .gap, .close, .other: false
        }
    }
}
