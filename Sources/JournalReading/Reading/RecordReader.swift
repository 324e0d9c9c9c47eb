internal import JSONCore
public import JournalFormat
import Platform

/// Reads a journal's lines forwards, and checks of each that it begins as it must, that commits count up by one, that a gap
/// begins where they end, and that it ends with `}` and holds one record; of those that it gives out, the sum.
///
/// What is written in another order or with spaces is as good.
public struct RecordReader: ~Copyable {
    private typealias RawLine = LineBuffer.RawLine

    private let journal: JournalName
    private let source: ByteSource
    private let limit: Int
    private let recovers: Bool
    private let checksSums: Bool

    private var buffer: LineBuffer
    private let tape = LineTape()
    /// The lines before the next one, nil where they were not counted.
    private var linesBefore: Int?
    private var order: RecordOrder
    /// The number of the line before the first; negative where it is not known.
    private let firstNumber: Int
    private let silentUpTo: Int
    /// The line that was out of order last: reading may go on at it.
    private var resumable: RawLine?
    private var ahead: ReadAhead?
    private var readsAhead = false

    /// What was jumped over, where the reader recovers: the first ``damageLimit`` of it.
    public private(set) var damages: [JournalError] = []
    /// How often something was jumped over.
    public private(set) var damageCount = 0
    /// The last whole commit before what was jumped over last.
    public private(set) var lastBeforeDamage = CommitNumber(0)
    /// Whether nothing after what was jumped over last could be read, up to the end.
    public private(set) var endsInDamage = false
    /// The unfinished last line, once the end was reached.
    public private(set) var tornTail: TornTail?

    /// No more damages are kept than this.
    public static let damageLimit = 100
    /// About how many bytes a thread that reads ahead takes at a time, unless it is said: some of these are in memory at once.
    package static let partLength = 1 << 17
    /// Reading fewer bytes than this reports no progress.
    private static let silentLength = 1 << 19

    init(
        path: String, source: ByteSource, from start: Int, to limit: Int, linesBefore: Int?, last: Int, recovers: Bool,
        checksSums: Bool = true
    ) {
        journal = JournalName(path)
        self.source = source
        self.limit = limit
        self.recovers = recovers
        self.checksSums = checksSums
        self.linesBefore = linesBefore
        order = RecordOrder(after: last)
        firstNumber = last
        silentUpTo = start + RecordReader.silentLength
        buffer = LineBuffer(source, from: start, to: limit)
    }

    /// The last commit that was read, also one that a filter left out; negative before the first line of a reader that began
    /// in the middle.
    public var lastCommit: CommitNumber { CommitNumber(order.last) }

    /// Whether the last line that was read ends the run.
    public var isEnded: Bool { order.lastKind == .end }

    /// Where the next line begins.
    public var offset: ByteOffset { ByteOffset(buffer.offset) }

    /// Whether the next line has been read already, as far as to its end.
    package var hasWholeLine: Bool { buffer.hasWholeLine }

    /// The next line, nil at the end.
    ///
    /// - Throws: ``JournalError`` with the damage; with `recover` only where the file cannot be read.
    public mutating func next() throws(JournalError) -> RecordLine? {
        try next { _ in .wanted }
    }

    /// The next line that a filter accepts; the others are checked as far as they were examined.
    @inline(__always)
    mutating func next(_ verdict: (borrowing RecordLine) -> RecordFilter.Verdict) throws(JournalError) -> RecordLine? {
        while true {
            var isCounted = false
            do throws(JournalError) {
                let found = readsAhead ? nextAhead() : nil
                if let found, !found.isUnsure { return found.line }
                guard let line = if let found { found.line } else { try step() } else { return nil }
                isCounted = true
                switch verdict(line) {
                case .wanted:
                    // Of one that was found ahead it was checked there.
                    if checksSums, found == nil { try line.checkContent() }
                    return line
                case .passedOver: try line.checkEnd()
                case .cleared: break
                }
            } catch {
                if isCounted, recovers, order.lastKind == .journal, case .damage = error.fact {
                    // Nothing of the run is in its first line.
                    note(error, after: CommitNumber(max(0, order.last)))
                    continue
                }
                if let line = try recover(from: error, inLast: isCounted) { return line }
                if buffer.isEmpty { return nil }
            }
        }
    }

    @inline(__always)
    private mutating func step() throws(JournalError) -> RecordLine? {
        guard let line = try nextRaw() else { return nil }
        tape.forget()
        if let head = LineHead(line.bytes), line.bytes[line.bytes.count &- 1] == UInt8(ascii: "}"),
            line.hasNewline, order.admits(head.seq, head.kind, at: line.offset),
            // Two records with bytes of zero between them begin and end as one does.
            !recovers || line.bytes.firstIndex(of: 0) == nil
        {
            return try accept(line, head.seq, head.kind, members: head.end)
        }
        return try otherwise(line)
    }

    @inline(__always)
    private func make(_ line: RawLine, _ seq: Int, _ kind: RecordKind, members: Int, resumed: Bool = false)
        -> RecordLine
    {
        RecordLine(
            seq: CommitNumber(seq), kind: kind, offset: ByteOffset(line.offset),
            number: linesBefore.map { LineNumber($0) }, bytes: line.bytes, hasNewline: line.hasNewline,
            resumed: resumed, membersStart: members, journal: journal, tape: tape)
    }

    /// Goes on after a line whose number follows.
    @inline(__always)
    private mutating func accept(_ raw: RawLine, _ seq: Int, _ kind: RecordKind, members: Int) throws(JournalError)
        -> RecordLine
    {
        let line = make(raw, seq, kind, members: members)
        if kind == .gap, order.last >= 0 { try checkStart(of: line, raw) }
        // Records of an unknown kind are not decoded, so the sum is checked: the kind's name may be what is damaged.
        if kind == .other, checksSums { try line.checkSum() }
        let start = order.last
        order.advance(to: seq, kind)
        if kind == .journal, start >= 0 {
            // The run begins where the journal does, whatever its first line says.
            order.advance(to: start, kind)
            if recovers, seq != start || (try? line.statedStart()) != CommitNumber(start) {
                note(line.wrongStart, after: CommitNumber(start))
            }
        }
        return line
    }

    /// Checks that a gap begins with the commit after the last one.
    private mutating func checkStart(of gap: RecordLine, _ raw: RawLine) throws(JournalError) {
        let first = try gap.firstLost()
        guard first.rawValue != order.last &+ 1 else { return }
        // It holds every open store all the same.
        resumable = raw
        throw gap.damage(.gapStart(found: first, expected: CommitNumber(order.last &+ 1)))
    }

    // MARK: Lines that other threads find

    private(set) var place: ReaderPlace {
        get { ReaderPlace(offset: buffer.offset, order: order, linesBefore: linesBefore) }
        set {
            buffer.move(to: newValue.offset)
            (order, linesBefore) = (newValue.order, newValue.linesBefore)
        }
    }

    /// Lets several threads look for what a filter wants, from here to the end, where the way is long.
    ///
    /// ``next(matching:)`` gives the same lines as without, as long as it is called with that filter.
    ///
    /// - Parameter partLength: about how many bytes each of them takes at a time.
    package mutating func readAhead(
        for filter: RecordFilter = RecordFilter(kinds: .all), threads: Int,
        partLength: Int = RecordReader.partLength
    ) {
        guard order.last >= 0 else { return }
        ahead = ReadAhead(
            journal.path, source, from: place, to: limit, filter, checksSums: checksSums, threads: threads,
            length: partLength)
        readsAhead = ahead != nil
    }

    /// Reads on without other threads, since another filter is used from here on.
    package mutating func stopReadingAhead() {
        readsAhead = false
        ahead = nil
    }

    /// The next line that was found; nil where the reader has to read itself from here on.
    @inline(never)
    private mutating func nextAhead() -> (line: RecordLine, isUnsure: Bool)? {
        var place = place
        let found = ahead?.next(from: &place, of: journal, tape)
        self.place = place
        reportProgress()
        if found == nil { stopReadingAhead() }
        return found
    }

    // MARK: Lines that are not written as our writer does

    /// Looks at a line that the quick check does not take: another form of writing; an unfinished end or damage, for which
    /// it is parsed.
    private mutating func otherwise(_ line: RawLine) throws(JournalError) -> RecordLine? {
        switch LineForm(line.bytes, tape) {
        case .record(let seq, let kind, let members):
            guard order.admits(seq, kind, at: line.offset) else { throw outOfOrder(line, seq, kind) }
            return try accept(line, seq, kind, members: members)
        case .damaged(let reason, let byte):
            if recovers, let parts = parts(of: line, reason) {
                stopReadingAhead()
                note(damage(line, parts.fault, at: byte), after: CommitNumber(max(order.last, 0)))
                if let (seq, kind, members) = parts.record, let front = parts.front,
                    order.admits(seq, kind, at: line.offset)
                {
                    return try accept(front, seq, kind, members: members)
                }
                return try step()
            }
            return try torn(line, reason, at: byte)
        }
    }

    /// What stands before bytes of zero in a line; the next line begins after them.
    private mutating func parts(of line: RawLine, _ reason: JournalDamage.Reason) -> LineParts? {
        guard let parts = line.parts(reason, tape) else { return nil }
        if let next = parts.next {
            buffer.move(to: line.offset + next)
            linesBefore = linesBefore.map { $0 - 1 }
        }
        return parts
    }

    /// Takes note of a last line that is not whole; what is other damage is thrown.
    private mutating func torn(
        _ line: RawLine, _ reason: JournalDamage.Reason, at byte: Int
    ) throws(JournalError) -> RecordLine? {
        guard !line.hasNewline, reason.isTear else { throw damage(line, reason, at: byte) }
        tornTail = TornTail(
            line: linesBefore.map { LineNumber($0) }, offset: ByteOffset(line.offset), length: line.bytes.count,
            lastCommit: CommitNumber(max(order.last, 0)))
        return nil
    }

    private mutating func outOfOrder(_ line: RawLine, _ seq: Int, _ kind: RecordKind) -> JournalError {
        resumable = line
        return damage(line, order.fault(of: seq, kind), at: 0)
    }

    private func damage(_ line: RawLine, _ reason: JournalDamage.Reason, at byte: Int) -> JournalError {
        let offset = ByteOffset(line.offset + byte)
        let number = linesBefore.map { LineNumber($0) } ?? (try? source.lineNumber(at: ByteOffset(line.offset)))
        return JournalError(path: journal.path, .damage(JournalDamage(line: number, offset: offset, reason: reason)))
    }

    // MARK: Recovery

    /// Goes on at the next keyframe or gap, which holds every open store: at once, where it was one that was out of order.
    ///
    /// For a caller that has read a line and found what it holds to be damaged, such as a patch that does not apply.
    ///
    /// - Returns: that line, with ``RecordLine/resumed`` set, or nil where there is none up to the end.
    /// - Throws: the error itself where this reader does not recover, or it is none of damage.
    public mutating func recover(from error: JournalError) throws(JournalError) -> RecordLine? {
        try recover(from: error, inLast: true)
    }

    /// Goes on after a line that does not fit the lines before it: a keyframe at that line itself, since it has the whole state.
    ///
    /// At the end of the run nothing comes after it, and no commit is lost.
    ///
    /// - Returns: the line at which reading goes on, as ``recover(from:)``.
    package mutating func recover(from error: JournalError, at line: RecordLine) throws(JournalError) -> RecordLine? {
        if recovers, line.kind == .end, case .damage = error.fact {
            stopReadingAhead()
            note(error, after: line.seq)
            return nil
        }
        guard recovers, line.kind == .keyframe, !line.resumed else { return try recover(from: error) }
        stopReadingAhead()
        buffer.move(to: line.offset.rawValue)
        linesBefore = line.number.map { $0.rawValue - 1 }
        return try recover(from: error, inLast: true)
    }

    /// - Parameter inLast: whether it is a line whose number was counted that is damaged, so that its commit is lost too.
    private mutating func recover(from error: JournalError, inLast: Bool) throws(JournalError) -> RecordLine? {
        stopReadingAhead()
        guard recovers, case .damage = error.fact else { throw error }
        note(error, after: CommitNumber(max(0, inLast ? order.lastBefore : order.last)))
        if let line = resumable.take(), let resumed = resumed(at: line) { return resumed }
        while let line = try nextRaw() {
            if let resumed = resumed(at: line) { return resumed }
        }
        endsInDamage = true
        return nil
    }

    private mutating func note(_ damage: JournalError, after commit: CommitNumber) {
        damageCount += 1
        lastBeforeDamage = commit
        if damages.count < RecordReader.damageLimit { damages.append(damage) }
    }

    /// The commits that were lost before a line that was just read, and with it: those of a gap, or in damage that was jumped
    /// over.
    public func lost(before line: RecordLine) throws(JournalError) -> ClosedRange<CommitNumber>? {
        var first = line.resumed ? lastBeforeDamage.next : line.seq.next
        if line.kind == .gap { first = min(first, try line.firstLost()) }
        return first <= line.seq ? first...line.seq : nil
    }

    /// The commit after the last whole one, where nothing after damage could be read up to the end: one at least was lost
    /// then.
    public var lostEnd: ClosedRange<CommitNumber>? {
        endsInDamage ? lastBeforeDamage.next...lastBeforeDamage.next : nil
    }

    /// A line at which reading can go on: a whole keyframe or gap.
    private mutating func resumed(at line: RawLine) -> RecordLine? {
        tape.forget()
        // Mostly the front says that it is another kind.
        if let head = LineHead(line.bytes), head.kind != .keyframe, head.kind != .gap { return nil }
        guard case .record(let seq, let kind, let members) = LineForm(line.bytes, tape), seq >= order.last,
            kind == .keyframe || kind == .gap
        else { return nil }
        if checksSums, case .wrong = LineSum.check(line.bytes) { return nil }
        order.resume(at: seq, kind)
        return make(line, seq, kind, members: members, resumed: true)
    }

    /// The next line, whatever its number: for a repair, which trusts none before it has looked at the whole line.
    ///
    /// - Throws: ``JournalError`` with the damage if the line is not a record; the next call goes on after it.
    package mutating func nextOfAnyNumber() throws(JournalError) -> RecordLine? {
        guard let line = try nextRaw() else { return nil }
        tape.forget()
        switch LineForm(line.bytes, tape) {
        case .record(let seq, let kind, let members): return make(line, seq, kind, members: members)
        case .damaged(let reason, let byte):
            if let parts = parts(of: line, reason) {
                guard let (seq, kind, members) = parts.record, let front = parts.front else {
                    throw damage(line, parts.fault, at: byte)
                }
                return make(front, seq, kind, members: members)
            }
            return try torn(line, reason, at: byte)
        }
    }

    // MARK: The buffer

    @inline(__always)
    private mutating func nextRaw() throws(JournalError) -> RawLine? {
        var taken = buffer.take()
        if taken == nil { taken = try readOn() }
        guard let line = taken else { return nil }
        if let count = linesBefore { linesBefore = count &+ 1 }
        return line
    }

    @inline(never)
    private mutating func readOn() throws(JournalError) -> RawLine? {
        while try buffer.fill(stopsAtRest: isEnded, of: journal, after: linesBefore) {
            reportProgress()
            if let line = buffer.take() { return line }
        }
        return buffer.takeRest()
    }

    /// Reports progress once more than a few blocks were read: most readers only look something up.
    private func reportProgress() {
        guard let progress = source.progress, buffer.end >= silentUpTo else { return }
        progress(buffer.end, firstNumber < 0 ? nil : max(0, order.last - firstNumber))
    }
}
