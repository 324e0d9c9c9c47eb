import Diagnostics
import JSONCore
public import JournalFormat

/// Holds a whole journal against the format and against its own replay.
///
/// Each line's sum, number and time; each record's members; each patch, and every `old` in it, against the replayed state;
/// each keyframe and all totals against what came before. Behind damage, or a patch that does not apply, the state is not
/// known until the next keyframe or gap; lines are checked there all the same.
///
/// What changes in the format must change here: the format is drawn in `JournalFormat/Lines/LineBuilder`.
///
/// - Complexity: one pass; memory is that of the state and the longest line.
public struct Verification: ~Copyable {
    /// What a verification looked at.
    public struct Summary: Sendable, Equatable {
        /// How many commits are in the file.
        public var commits = 0
        /// How many records.
        public var records = 0
        /// How many lines have a sum.
        public var sums = 0
        /// How many gaps there are, which are no problem.
        public var gaps = 0
        /// Whether the run ended cleanly, which is not needed.
        public var isEnded = false
        /// How many problems were told.
        public var problems = 0
    }

    private let each: (VerificationProblem) -> Void
    private var summary = Summary()
    private var state: PositionState
    /// Whether the replay has the state: not behind damage, until a keyframe or a gap says it.
    private var isStateKnown = true
    private var counted = CountedTotals()
    private var lastTime: Timestamp?

    /// Verifies a journal.
    ///
    /// - Parameters:
    ///   - each: is told every problem, those of the lines in their order; damage that had to be jumped over comes last.
    /// - Throws: `JournalError` where the file cannot be read at all.
    public static func run(
        _ journal: Journal, progress: ((_ commits: Int, _ bytes: Int) -> Void)? = nil,
        each: @escaping (VerificationProblem) -> Void
    ) throws(JournalError) -> Summary {
        var verification = Verification(journal, each)
        var reader = journal.records(recover: true, checksSums: false)
        while let line = try reader.next() {
            verification.check(line)
            if verification.summary.records % 4096 == 0 {
                progress?(verification.summary.commits, reader.offset.rawValue)
            }
        }
        for damage in reader.damages { verification.report(damage) }
        if let torn = reader.tornTail { verification.report(torn) }
        return verification.summary
    }

    private init(_ journal: Journal, _ each: @escaping (VerificationProblem) -> Void) {
        self.each = each
        state = PositionState(start: journal.start)
    }

    // MARK: One line

    private mutating func check(_ line: RecordLine) {
        summary.records += 1
        if summary.isEnded { report(.end, line, "a record stands behind the end of the run") }
        if line.resumed {
            isStateKnown = false
            counted.isComplete = false
        }
        checkSum(line)
        do throws(JournalError) {
            try checkRecord(line)
        } catch {
            report(error, of: line)
        }
    }

    private mutating func checkSum(_ line: RecordLine) {
        switch LineSum.check(line.bytes) {
        case .none: break
        case .right: summary.sums += 1
        case .wrong(let written, let computed):
            summary.sums += 1
            let (is_, should) = (String(written, radix: 16), String(computed, radix: 16))
            report(.sum, line, "the line's sum is \(is_), should be \(should)")
        }
    }

    private mutating func checkRecord(_ line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .journal: try checkTime(line.decode { (o) throws(RecordFault) in try JournalHeader(o) }.time, line)
        case .store: try checkStore(line)
        case .commit: try checkCommit(line)
        case .close: try checkClose(line)
        case .gap: try checkGap(line)
        case .keyframe: try checkKeyframe(line)
        case .derived: counted.declare(try line.decode { (o) throws(RecordFault) in try DerivedRecord(o) }.name)
        case .outcome: _ = try line.decode { (o) throws(RecordFault) in try OutcomeRecord(o) }
        case .mark:
            counted.marks += 1
            try checkTime(line.decode { (o) throws(RecordFault) in try MarkRecord(o) }.time, line)
        case .abort:
            counted.aborts += 1
            try checkTime(line.decode { (o) throws(RecordFault) in try AbortRecord(o) }.time, line)
        case .end:
            let end = try line.decode { (o) throws(RecordFault) in try EndRecord(o) }
            checkTime(end.time, line)
            checkTotals(end.totals, line)
            summary.isEnded = true
        case .other: break
        }
    }

    private mutating func checkTime(_ time: Timestamp, _ line: RecordLine) {
        if let lastTime, time < lastTime {
            report(.time, line, "the time is \(time.text), before \(lastTime.text) of an earlier record")
        }
        lastTime = max(time, lastTime ?? time)
    }

    // MARK: Records that change the state

    private mutating func checkStore(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode { (o) throws(RecordFault) in try StoreRecord(o) }
        checkTime(record.time, line)
        if isStateKnown, state.isOpen(record.store) {
            report(.store, line, "the store '\(record.store)' is opened while it is open")
        }
        counted.open(record.store)
        try state.apply(line)
    }

    private mutating func checkClose(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode { (o) throws(RecordFault) in try CloseRecord(o) }
        checkTime(record.time, line)
        if isStateKnown, !state.isOpen(record.store) {
            report(.store, line, "the store '\(record.store)' is closed while it is not open")
        }
        counted.close(record.store)
        try state.apply(line)
    }

    private mutating func checkCommit(_ line: RecordLine) throws(JournalError) {
        summary.commits += 1
        let record = try line.decode { (o) throws(RecordFault) in try CommitRecord(o) }
        checkTime(record.time, line)
        counted.count(record.store)
        if let cause = record.cause, cause >= line.seq {
            report(.cause, line, "the cause is commit \(cause.rawValue), which is not earlier")
        }
        guard isStateKnown else { return }
        // A store that was closed goes away with this commit, so it is not there for the patch.
        state.advance(to: line.seq)
        guard let before = state.stores[record.store] else {
            isStateKnown = false
            report(.store, line, "a commit of the store '\(record.store)', which is not open")
            return
        }
        checkOlds(of: record.patch, against: before, line)
        do throws(JournalError) {
            try state.apply(line)
        } catch {
            isStateKnown = false
            throw error
        }
    }

    private mutating func checkOlds(of patch: JSONPatch, against before: JSONValue, _ line: RecordLine) {
        var value = before
        for operation in patch.operations {
            switch operation {
            case .replace(let path, _, let old?), .remove(let path, let old?):
                let found = path.value(in: value)
                if found != old {
                    let has = found.map { Verification.short($0) } ?? "nothing"
                    report(.old, line, "'old' of '\(path.text)' is \(Verification.short(old)), the replay has \(has)")
                }
            default: break
            }
            guard patch.operations.count > 1 else { return }
            guard (try? JSONPatch([operation]).apply(to: &value, order: .ascending)) != nil else { return }
        }
    }

    private mutating func checkGap(_ line: RecordLine) throws(JournalError) {
        summary.gaps += 1
        let record = try line.decode { (o) throws(RecordFault) in try GapRecord(o) }
        checkTime(record.time, line)
        counted.gaps += 1
        counted.reopen(record.states.keys)
        try state.apply(line)
        isStateKnown = true
    }

    private mutating func checkKeyframe(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode { (o) throws(RecordFault) in try KeyframeRecord(o) }
        checkTotals(record.totals, line)
        if isStateKnown {
            let replayed = state.openStores
            if replayed != record.states {
                let patch = JSONPatch.difference(from: .object(replayed), to: .object(record.states))
                let path = patch.operations.first?.path.text ?? ""
                report(.keyframe, line, "the keyframe differs from the replay, first at '\(path)'")
            }
        }
        try state.reset(to: line)
        isStateKnown = true
    }

    private mutating func checkTotals(_ totals: Totals?, _ line: RecordLine) {
        if let totals, let difference = counted.difference(from: totals) { report(.totals, line, difference) }
    }

    // MARK: Reporting

    private mutating func report(_ code: VerificationProblem.Code, _ line: RecordLine, _ message: String) {
        summary.problems += 1
        each(VerificationProblem(code, line: line.number, byte: line.offset, message: message))
    }

    private mutating func report(_ error: JournalError, of line: RecordLine) {
        let code: VerificationProblem.Code
        switch error.damage?.reason {
        case .patch: code = .patch
        case .storeNotOpen: code = .store
        case .record: code = .record
        default: code = .damage
        }
        report(code, line, error.diagnostic.message)
    }

    private mutating func report(_ error: JournalError) {
        summary.problems += 1
        each(
            VerificationProblem(
                .damage, line: error.damage?.line, byte: error.damage?.offset ?? ByteOffset(0),
                message: error.diagnostic.message))
    }

    private mutating func report(_ torn: TornTail) {
        summary.problems += 1
        each(
            VerificationProblem(
                .torn, line: torn.line, byte: torn.offset,
                message: "the last record is incomplete: it has \(torn.length) bytes and no end"))
    }

    /// How much of a value a message shows.
    private static let shownLength = 60

    private static func short(_ value: JSONValue) -> String {
        let text = value.text()
        return text.count <= shownLength ? text : text.prefix(shownLength) + "…"
    }
}

extension JournalError {
    /// The damage, if that is what it is.
    fileprivate var damage: JournalDamage? {
        if case .damage(let damage) = fact { damage } else { nil }
    }
}
