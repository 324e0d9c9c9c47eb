import Diagnostics
import JSONCore
import JournalFormat
public import JournalReading
import Platform

/// Checks a whole journal against the format and against its own replay.
///
/// Each line's sum, number and time; each record's members; each patch, and every `old` in it, against the replayed state;
/// each keyframe and all totals against what came before. After damage, or a patch that does not apply, the state is not
/// known until the next keyframe or gap; lines are checked there all the same. From a keyframe with totals on, what it says counts,
/// whatever was wrong before it: so a fault is reported once, and a file can be verified from there.
///
/// What changes in the format must change here: the format is drawn in `JournalFormat/Line/LineBuilder`.
///
/// A long file is verified in parts, on several threads (``VerificationParts``), as long as nothing is wrong with it.
///
/// - Complexity: one pass; memory is that of the state, once for each thread, and the longest line.
public struct Verification: ~Copyable {
    private let each: (VerificationProblem) -> Void
    private let start: CommitNumber
    private(set) var summary = Summary()
    private var state: PositionState
    /// Whether the replay has the state: not after damage, until a keyframe or a gap says it.
    private var isStateKnown = true
    private var counted = Totals()
    /// Whether every record so far was seen; after damage, counts mean nothing.
    private var isCountComplete = true
    private(set) var lastTime: Timestamp?
    private(set) var firstTime: Timestamp?
    private var last: CommitNumber
    private var lastKind = RecordKind.journal
    private var store: (bytes: [UInt8], text: String)?
    /// Which texts of members `at` are places in source code.
    private var places = RecentTexts<Bool>(capacity: 256)

    /// Verifies a journal.
    ///
    /// - Parameter each: called with every problem, those of the lines in their order; damage that had to be jumped over comes last.
    /// - Throws: `JournalError` where the file cannot be read at all.
    public static func run(
        _ journal: Journal, each: @escaping (VerificationProblem) -> Void
    ) throws(JournalError) -> Summary {
        if let summary = VerificationParts(journal)?.summary() { return summary }
        var verification = Verification(journal, each)
        var reader = journal.records(recover: true, checksSums: false)
        reader.readAhead(threads: ProcessorCount.available)
        while let line = try reader.next() { verification.check(line) }
        for damage in reader.damages { verification.report(damage) }
        if let torn = reader.tornTail { verification.report(torn) }
        return verification.summary
    }

    init(_ journal: Journal, _ each: @escaping (VerificationProblem) -> Void = { _ in }) {
        self.each = each
        start = journal.start
        state = PositionState(start: journal.start)
        last = journal.start
    }

    /// Goes on after a keyframe that was verified, with what it says; false where it does not say everything.
    mutating func begin(after keyframe: RecordLine) throws(JournalError) -> Bool {
        guard keyframe.kind == .keyframe, let totals = try keyframe.totals() else { return false }
        try state.reset(to: keyframe)
        counted = totals
        last = keyframe.seq
        return true
    }

    // MARK: One line

    mutating func check(_ line: RecordLine) {
        summary.records += 1
        if lastKind == .end { report(.end, line, "a record stands after the end of the run") }
        lastKind = line.kind
        if line.resumed {
            isStateKnown = false
            isCountComplete = false
        }
        checkSum(line)
        do throws(JournalError) {
            let repeated = (try? line.token())?.repeatedName
            try checkRecord(line, hasRepeatedName: repeated != nil)
            if let name = repeated?.string { note(repeated: name, in: line) }
        } catch {
            report(error, of: line)
        }
        last = line.seq
    }

    private mutating func note(repeated name: String, in line: RecordLine) {
        summary.linesWithRepeatedNames += 1
        guard summary.firstRepeatedName == nil else { return }
        summary.firstRepeatedName = RepeatedName(name: name, line: line.number, byte: line.offset)
    }

    private mutating func checkSum(_ line: RecordLine) {
        var bytes = line.bytes
        if bytes.last == UInt8(ascii: "\r") {
            bytes = bytes.extracting(..<(bytes.count - 1))
            // It is so of all of them, which is one thing to know.
            if summary.linesWithReturns == 0 { report(.damage, line, "the lines end in CR LF, from this one on") }
            summary.linesWithReturns += 1
        }
        switch LineSum.check(bytes) {
        case .none: checkMissingSum(line, bytes)
        case .right: summary.sums += 1
        case .wrong(let written, let computed):
            summary.sums += 1
            let (found, expected) = (String(written, radix: 16), String(computed, radix: 16))
            report(.sum, line, "the line's sum is \(found), should be \(expected)")
        }
    }

    /// A line may lack a sum; one that ends in what is a sum but for its name or its letters was damaged.
    private mutating func checkMissingSum(_ line: RecordLine, _ bytes: ByteView) {
        guard let tail = LineTail(bytes), tail.isDamagedSum else {
            if LineTail.rest(beforeMisformedSum: bytes) != nil {
                report(.sum, line, "the line's sum is not written as ',\"sum\":\"1a2b3c4d\"'")
            }
            return
        }
        let fault = tail.name == "sum" ? "is not eight digits of lower-case hexadecimal" : "is called '\(tail.name)'"
        report(.sum, line, "the line's sum \(fault)")
    }

    private static func difference(_ other: ApplyLog.Contradiction) -> String {
        let has = other.found.map { short($0) } ?? "nothing"
        return "'old' of '\(other.path.text)' is \(short(other.old)), the replay has \(has)"
    }

    private mutating func checkRecord(_ line: RecordLine, hasRepeatedName: Bool) throws(JournalError) {
        count(line)
        switch line.kind {
        case .journal: try checkHeader(line)
        case .store: try checkStore(line)
        case .commit: try checkCommit(line)
        case .close: try checkClose(line)
        case .gap: try checkGap(line)
        case .keyframe: try checkKeyframe(line, mayMatch: isStateKnown && !line.resumed && !hasRepeatedName)
        case .derived: _ = try line.decode(DerivedRecord.init)
        case .outcome: try checkOutcome(line)
        case .mark: try checkMark(line)
        case .abort: try checkAbort(line)
        case .end:
            let end = try line.decode(EndRecord.init)
            checkTime(end.time, line)
            checkTotals(end.totals, line)
            summary.isEnded = true
            // Where something was jumped over nothing can be counted, but a keyframe said which stores are open.
            if isStateKnown, !isCountComplete { try state.apply(line) }
        case .other: _ = try line.token()
        }
    }

    private mutating func count(_ line: RecordLine) {
        if line.kind == .commit, let store = CommitText(line)?.store.plainString {
            counted.count(CountedRecord(.commit, seq: line.seq, name: name(store)))
        } else if let record = try? CountedRecord(line) {
            counted.count(record)
        }
    }

    /// The text of a store's name, made once for many commits in a row.
    private mutating func name(_ bytes: ByteView) -> String {
        if let store, store.bytes.withBytes({ $0.hasSameBytes(as: bytes) }) { return store.text }
        let text = String(decoding: bytes, as: UTF8.self)
        store = (Array(bytes), text)
        return text
    }

    private mutating func checkTime(_ time: Timestamp, _ line: RecordLine) {
        if let lastTime, time < lastTime {
            report(.time, line, "the time is \(time.text), before \(lastTime.text) of an earlier record")
        }
        lastTime = time
        if firstTime == nil { firstTime = time }
    }

    // MARK: Records that change no state

    private mutating func checkHeader(_ line: RecordLine) throws(JournalError) {
        let header = try line.decode(JournalHeader.init)
        checkTime(header.time, line)
        let stated = header.after ?? .zero
        if line.seq != stated { report(.record, line, "'seq' is \(line.seq), should be \(stated), as 'after' says") }
        if header.version < 1 { report(.record, line, "'version' is \(header.version), should be 1") }
    }

    private mutating func checkOutcome(_ line: RecordLine) throws(JournalError) {
        let outcome = try line.decode(OutcomeRecord.init)
        if outcome.commit > line.seq {
            report(.outcome, line, "the outcome is of commit \(outcome.commit), which is not made yet")
        }
        for entry in outcome.derived { checkVersions(entry, line) }
        for name in outcome.unknownOutcomes {
            report(.outcome, line, "there is no outcome \(Verification.short(.string(name)))")
        }
    }

    /// A value can have seen only what was committed by then; a segment has not all of it.
    private mutating func checkVersions(_ entry: OutcomeRecord.Entry, _ line: RecordLine) {
        guard isCountComplete else { return }
        for seen in entry.versions {
            let (store, version) = (seen.store, seen.version)
            let commits = counted.commits(of: store)
            if commits == 0, !counted.isOpen(store) {
                report(
                    .outcome, line, "'\(entry.name)' is said to have seen the store '\(store)', which never was open")
            } else if start == .zero, version > commits {
                report(
                    .outcome, line,
                    "'\(entry.name)' is said to have seen version \(version) of '\(store)', which has \(commits)")
            }
        }
    }

    private mutating func checkMark(_ line: RecordLine) throws(JournalError) {
        let mark = try line.decode(MarkRecord.init)
        checkTime(mark.time, line)
        if let clock = mark.clock { lastTime = clock }
        guard let level = mark.unknownLevel else { return }
        report(.record, line, "there is no level \(Verification.short(.string(level)))")
    }

    private mutating func checkAbort(_ line: RecordLine) throws(JournalError) {
        let abort = try line.decode(AbortRecord.init)
        checkTime(abort.time, line)
        if isStateKnown, !state.isOpen(abort.store) {
            report(.store, line, "a commit of the store '\(abort.store)' was aborted, which is not open")
        }
    }

    // MARK: Records that change the state

    private mutating func checkStore(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode(order: .ascending, StoreRecord.init)
        checkTime(record.time, line)
        if isStateKnown, state.isOpen(record.store) {
            report(.store, line, "the store '\(record.store)' is opened while it is open")
        }
        state.advance(to: line.seq)
        state.open(record.store, record.state)
    }

    private mutating func checkClose(_ line: RecordLine) throws(JournalError) {
        let record = try line.decode(CloseRecord.init)
        checkTime(record.time, line)
        if isStateKnown, !state.isOpen(record.store) {
            report(.store, line, "the store '\(record.store)' is closed while it is not open")
        }
        state.advance(to: line.seq)
        state.close(record.store)
    }

    private mutating func checkCommit(_ line: RecordLine) throws(JournalError) {
        summary.commits += 1
        let commit = try CheckedCommit(line, &places)
        checkReference("cause", commit.cause, line)
        checkReference("undoes", commit.undoes, line)
        checkTime(commit.time, line)
        if let version = commit.negativeVersion { report(.record, line, "'version' is \(version), below 0") }
        guard isStateKnown else { return }
        var log = ApplyLog(contradictions: [])
        defer { log.contradictions?.forEach { report(.old, line, Verification.difference($0)) } }
        do throws(JournalError) { try state.apply(line, &log) } catch {
            isStateKnown = false
            throw error
        }
    }

    private mutating func checkReference(_ member: String, _ commit: CommitNumber?, _ line: RecordLine) {
        guard let commit, commit >= line.seq else { return }
        report(.cause, line, "'\(member)' is commit \(commit), which is not earlier")
    }

    private mutating func checkGap(_ line: RecordLine) throws(JournalError) {
        summary.gaps += 1
        let record = try line.decode(GapRecord.init)
        checkTime(record.time, line)
        if !line.resumed, record.first != last.next {
            report(.gap, line, "the gap begins at commit \(record.first), should begin at \(last.next)")
        }
        try state.apply(line)
        isStateKnown = true
    }

    private mutating func checkKeyframe(_ line: RecordLine, mayMatch: Bool) throws(JournalError) {
        let replayed = state.openStores
        // Mostly the states are the same, and nothing is built.
        if mayMatch, let states = try line.token()["states"], states.matches(.object(replayed)) {
            takeTotals(try line.totals(), line)
            return state.restart(with: replayed, at: line.seq)
        }
        let record = try line.decode(KeyframeRecord.init)
        takeTotals(record.totals, line)
        if isStateKnown, replayed != record.states {
            let patch = JSONPatch.difference(from: .object(replayed), to: .object(record.states))
            let path = patch.operations.first?.path.text ?? ""
            report(.keyframe, line, "the keyframe differs from the replay, first at '\(path)'")
        }
        try state.reset(to: line)
        isStateKnown = true
    }

    /// Checks what a keyframe says was counted; from there on that counts.
    private mutating func takeTotals(_ totals: Totals?, _ line: RecordLine) {
        checkTotals(totals, line)
        guard let totals else { return }
        counted = totals
        isCountComplete = true
    }

    private mutating func checkTotals(_ totals: Totals?, _ line: RecordLine) {
        guard isCountComplete, let totals, let difference = counted.difference(from: totals) else { return }
        report(.totals, line, difference)
    }

    // MARK: Reporting

    private mutating func report(_ code: VerificationProblem.Code, _ line: RecordLine, _ message: String) {
        report(VerificationProblem(code: code, line: line.number, byte: line.offset, message: message))
    }

    private mutating func report(_ problem: VerificationProblem) {
        summary.problems += 1
        each(problem)
    }

    private mutating func report(_ error: JournalError, of line: RecordLine) {
        let message = error.diagnostic.message
        switch error.damage?.reason {
        case .patch: report(.patch, line, message)
        case .storeNotOpen: report(.store, line, message)
        // A writer has to learn which member it is.
        case .record(let fault): report(.record, line, message + ": " + fault.text)
        default: report(.damage, line, message)
        }
    }

    private mutating func report(_ error: JournalError) {
        report(
            VerificationProblem(
                code: .damage, line: error.damage?.line, byte: error.damage?.offset ?? ByteOffset(0),
                message: error.diagnostic.message))
    }

    private mutating func report(_ torn: TornTail) {
        report(
            VerificationProblem(
                code: .torn, line: torn.line, byte: torn.offset,
                message: "the last record is incomplete: it has \(torn.length) bytes and no end"))
    }

    private static let shownLength = 60

    private static func short(_ value: JSONValue) -> String {
        let text = value.text()
        return text.count <= shownLength ? text : text.prefix(shownLength) + "…"
    }
}

extension JournalError {
    fileprivate var damage: JournalDamage? { if case .damage(let damage) = fact { damage } else { nil } }
}
