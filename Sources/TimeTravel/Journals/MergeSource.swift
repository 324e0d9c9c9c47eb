import JSONCore
import JournalFormat

/// One run that is merged with others: its journal, or its segments one after another, read line by line with the state that
/// belongs to each.
struct MergeSource: ~Copyable {
    /// The next line, read but not taken over.
    struct Line {
        let record: OwnedRecord
        /// Its time, or that of the last line that has one.
        let time: Timestamp
        /// Where a commit that needs not be parsed has what may change in it.
        var commit: CommitPlaces?
        /// The record where it had to be parsed, its time moved where it fell.
        var parsed: JSONObject?
        /// Whether the members are not those of the line any more.
        var isChanged = false

        /// The record's members.
        func object() throws(JournalError) -> JSONObject {
            if let parsed { return parsed }
            return try record.object()
        }
    }

    /// The segments that are not read yet, in order.
    private var segments: [Journal]
    private var reader: RecordReader
    private var state: PositionState
    /// The commits that were read with an earlier segment, up to this one.
    private var doneUntil: CommitNumber?
    /// Whether the segment begins before the one ahead of it ended.
    private var overlaps = false
    private(set) var next: Line?
    private var time: Timestamp
    /// Which number each commit has in the merged journal.
    var numbers = NumberMap()
    /// The names that its stores and derived values have in the merged journal.
    var storeNames = JSONObject()
    var derivedNames = JSONObject()
    /// Whether the last segment ended cleanly.
    private(set) var isEnded = false
    /// What the files end in that is not whole.
    private(set) var torn: [(path: String, tail: TornTail)] = []
    private var path: String

    /// A run of one journal or several segments, the first one first; it stands before its first line.
    init(_ segments: [Journal]) throws(JournalError) {
        let first = segments[0]
        time = try first.header().time
        self.segments = Array(segments.dropFirst())
        path = first.path
        reader = first.records()
        state = PositionState(start: first.start)
    }

    /// The open stores, those left out that end with the next commit.
    var openStores: JSONObject {
        var open = state.stores
        for name in state.closing { open.removeValue(forKey: name) }
        return open
    }

    /// Applies the next line to the state, and reads the one after it.
    mutating func advance() throws(JournalError) {
        if let line = next {
            try line.record.withLine { (line) throws(JournalError) in _ = try state.apply(line) }
            if line.record.kind == .end { isEnded = true }
        }
        next = nil
        while next == nil {
            guard let line = try reader.next() else {
                guard try openNextSegment() else { return }
                continue
            }
            if try isRepeated(line) { continue }
            try line.checkSum()
            if let compact = compactLine(line) { next = compact } else { next = try parsedLine(line) }
        }
    }

    /// A line as it stands, unless it is not written as our writer does, or its time falls.
    private mutating func compactLine(_ line: RecordLine) -> Line? {
        guard let compact = CompactLine(line) else { return nil }
        if let text = compact["time"] {
            guard let text = text.plainString, let moment = Timestamp(bytes: text), moment >= time else { return nil }
            time = moment
        }
        return Line(record: line.owned(), time: time, commit: line.kind == .commit ? CommitPlaces(compact) : nil)
    }

    private mutating func parsedLine(_ line: RecordLine) throws(JournalError) -> Line {
        var object = try line.object()
        var falls = false
        if let text = object["time"]?.string, let moment = Timestamp(text) {
            // A time that falls back is damage that would spoil the order of all.
            falls = moment < time
            if falls { object["time"] = .string(time.text) }
            time = max(time, moment)
        }
        return Line(record: line.owned(), time: time, parsed: object, isChanged: falls)
    }

    /// Whether an earlier segment had the line, or what it tells, already.
    private func isRepeated(_ line: RecordLine) throws(JournalError) -> Bool {
        guard let doneUntil, line.seq <= doneUntil else { return false }
        if line.seq < doneUntil { return true }
        switch line.kind {
        case .journal, .keyframe, .commit, .gap: return true
        case .store: return state.stores[try line.storeName()] != nil
        case .close: return openStores[try line.storeName()] == nil
        case .derived: return derivedNames[try line.object()["name"]?.string ?? ""] != nil
        case .mark, .outcome, .abort, .end, .other: return overlaps
        }
    }

    private mutating func openNextSegment() throws(JournalError) -> Bool {
        if let tail = reader.tornTail { torn.append((path, tail)) }
        guard !segments.isEmpty else { return false }
        let segment = segments.removeFirst()
        path = segment.path
        isEnded = false
        reader = segment.records()
        let last = state.position
        doneUntil = max(last, segment.start)
        overlaps = segment.start < last
        guard segment.start > last else { return true }
        // Commits between the segments are in neither.
        next = try bridge(from: last, to: segment)
        return true
    }

    /// A gap for the commits between two segments.
    private func bridge(from last: CommitNumber, to segment: Journal) throws(JournalError) -> Line {
        let states = try segment.state(at: segment.start)
        let moment = max(time, try segment.header().time)
        var builder = LineBuilder()
        builder.beginGap(
            first: last.next, lost: segment.start.rawValue - last.rawValue, time: moment, reason: "no segment")
        for (store, state) in states.stores where !states.closing.contains(where: { UTF8Order.equal($0, store) }) {
            builder.append(state, of: store)
        }
        builder.endGap()
        let bytes = Array(builder.bytes.dropLast())
        let record = OwnedRecord(text: bytes, path: segment.path)
        return Line(record: record, time: moment)
    }
}
