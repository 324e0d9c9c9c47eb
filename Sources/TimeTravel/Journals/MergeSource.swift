import JSONCore
import JournalFormat
import JournalReading

/// One run that is merged with others, line by line with its state, each file read once; where segments overlap, what
/// the later one repeats is left out, if it is the same.
final class MergeSource {
    struct MergedLine {
        let record: OwnedRecord
        /// The line's time, or that of the last line that has one.
        let time: Timestamp
        /// Whether the line says an earlier time, which is damage that would spoil the order of all.
        var isTimeMoved = false
    }

    private var segments: ArraySlice<Journal>
    let path: String
    private var current: Journal
    private var reader: RecordReader
    private var state: PositionState
    private var doneUntil: CommitNumber?
    private var overlap = SegmentOverlap()
    private var previousPath = ""
    private(set) var next: MergedLine?
    private var waiting: [MergedLine] = []
    private var time: Timestamp
    var numbers = NumberMap()
    var storeNames = NameTable<String>()
    var derivedNames = NameTable<String>()
    private(set) var isEnded = false
    private(set) var torn: [(path: String, tail: TornTail)] = []

    init(_ segments: [Journal]) throws(JournalError) {
        current = segments[0]
        path = current.path
        time = try current.header().time
        self.segments = segments.dropFirst()
        reader = current.records()
        state = PositionState(start: current.start)
    }

    /// The open stores, those left out that end with the next commit.
    var openStores: JSONObject { state.openStores }
    var isWaiting: Bool { waiting.isEmpty && current.isWaiting && !reader.hasWholeLine }

    func advance() throws {
        if let line = next {
            let isShared = segments.first.map { line.record.seq >= $0.start } ?? false
            try line.record.withLine { (line) throws(JournalError) in
                _ = try state.apply(line)
                if isShared { try overlap.note(line) }
            }
            isEnded = line.record.kind == .end
        }
        next = nil
        if !waiting.isEmpty {
            next = waiting.removeFirst()
            return
        }
        while next == nil {
            guard let line = try reader.next() else {
                guard try openNextSegment() else { return }
                continue
            }
            if try !isRepeated(line) { next = try taken(line) }
        }
    }

    private func taken(_ line: RecordLine) throws(JournalError) -> MergedLine {
        // Of another form number and kind may stand twice.
        if !line.isAsWritten { _ = try line.object() }
        let moment = line.time ?? time
        defer { time = max(time, moment) }
        return MergedLine(record: line.owned(), time: max(time, moment), isTimeMoved: moment < time)
    }

    // MARK: Segments

    private func isRepeated(_ line: RecordLine) throws -> Bool {
        guard let doneUntil else { return false }
        guard line.seq <= doneUntil else {
            // A gap from commits that are there to others that are not.
            if line.kind == .gap, try line.decode(GapRecord.init).first <= doneUntil { throw differs(line) }
            return false
        }
        switch line.kind {
        case .journal, .keyframe: return true
        case .end: return isEnded || line.seq < doneUntil
        case .store where line.seq == current.start && line.seq == doneUntil: return try isOpenAlready(line)
        case .close where line.seq == current.start && line.seq == doneUntil:
            return !state.isOpen(try line.storeName())
        case .derived where line.seq == current.start && line.seq == doneUntil:
            return derivedNames[try line.object()["name"]?.string ?? ""] != nil
        case .store, .close, .derived: if line.seq == current.start { return true }
        case .commit, .gap, .mark, .outcome, .abort, .other: break
        }
        if try overlap.holds(line) { return true }
        // After the last commit the earlier segment may have been cut.
        if line.seq < doneUntil || line.kind == .commit || line.kind == .gap { throw differs(line) }
        return false
    }

    private func isOpenAlready(_ line: RecordLine) throws -> Bool {
        let record = try line.decode(StoreRecord.init)
        guard let known = state.stores[record.store] else { return false }
        if known != record.state { throw differs(line) }
        return true
    }

    private func differs(_ line: RecordLine) -> MergeError {
        .differentSegments(previousPath, current.path, id: (try? current.header().id) ?? "", commit: line.seq)
    }

    private func openNextSegment() throws(JournalError) -> Bool {
        if let tail = reader.tornTail { torn.append((current.path, tail)) }
        guard let segment = segments.popFirst() else { return false }
        previousPath = current.path
        current = segment
        reader = segment.records()
        let last = state.position
        doneUntil = max(last, segment.start)
        // Commits between the segments are in neither.
        if segment.start > last { try bridge(from: last) }
        return true
    }

    private func bridge(from last: CommitNumber) throws(JournalError) {
        let moment = max(time, try current.header().time)
        time = moment
        var opening = PositionState(start: current.start)
        while let line = try reader.next() {
            guard line.seq == current.start, [.journal, .store, .derived, .close].contains(line.kind) else {
                waiting.append(try taken(line))
                break
            }
            try opening.apply(line)
            if line.kind == .derived, derivedNames[try line.object()["name"]?.string ?? ""] == nil {
                waiting.append(try taken(line))
            }
            if line.kind == .close { waiting.append(try taken(line)) }
        }
        var builder = LineBuilder()
        builder.beginGap(
            first: last.next, lost: current.start.rawValue - last.rawValue, time: moment, reason: "no segment")
        for (store, state) in opening.stores { builder.append(state, of: store) }
        builder.endGap()
        next = MergedLine(record: OwnedRecord(text: Array(builder.bytes.dropLast()), path: current.path), time: moment)
    }
}

/// What a run's next segments may hold too, as digests that prove it the same before it is left out: 16 bytes for each
/// commit in which segments overlap, and for each mark, outcome and abort among them.
struct SegmentOverlap {
    private var numbers: [Int] = []
    private var digests: [Int] = []
    private var gaps: [ClosedRange<Int>] = []
    private var others = Set<Int>()

    mutating func note(_ line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .commit:
            numbers.append(line.seq.rawValue)
            digests.append(try SegmentOverlap.digest(line))
        case .gap: gaps.append(try SegmentOverlap.numbers(ofGap: line))
        case .journal, .keyframe, .end: break
        case .store, .derived, .close, .outcome, .abort, .mark, .other: others.insert(try SegmentOverlap.digest(line))
        }
    }

    func holds(_ line: RecordLine) throws(JournalError) -> Bool {
        switch line.kind {
        case .commit: return try digest(of: line.seq.rawValue) == SegmentOverlap.digest(line)
        case .gap:
            let lost = try SegmentOverlap.numbers(ofGap: line)
            return gaps.contains { $0.contains(lost.lowerBound) && $0.contains(lost.upperBound) }
        default: return others.contains(try SegmentOverlap.digest(line))
        }
    }

    private func digest(of number: Int) -> Int? {
        let place = numbers.prefixCount { $0 < number }
        return place < numbers.count && numbers[place] == number ? digests[place] : nil
    }

    /// Equal for equal records, however they are written.
    private static func digest(_ line: RecordLine) throws(JournalError) -> Int {
        var record = try line.object()
        record["sum"] = nil
        var writer = JSONWriter(style: .canonical)
        writer.write(.object(record))
        var hasher = Hasher()
        writer.bytes.withBytes { $0.hash(into: &hasher) }
        return hasher.finalize()
    }

    private static func numbers(ofGap line: RecordLine) throws(JournalError) -> ClosedRange<Int> {
        let gap = try line.decode(GapRecord.init)
        return gap.first.rawValue...gap.seq.rawValue
    }
}
