import JSONCore
import JournalFormat
public import JournalReading

/// A part of a journal as a journal of its own: a segment that replays alone.
///
/// It begins with what there was at its first position; the lines after that keep their numbers, times and causes, and
/// are copied byte for byte, but for the totals of keyframes, which count one file only. What a line claims has to be
/// what the lines before it made, and their sums have to be right, so that the part replays as the whole does.
///
/// - Complexity: a seek to the first position, then a replay of the part; memory is that of one state.
public struct JournalSlice {
    private let journal: Journal
    private let range: PositionRange
    private var lines = CopiedLines()
    private var endTime: Timestamp?
    private var state: PositionState

    /// The part between two positions of a journal.
    public init(_ journal: Journal, _ range: PositionRange) {
        self.journal = journal
        self.range = range
        state = PositionState(start: range.lower)
    }

    /// Writes the segment.
    ///
    /// - Returns: how many commits it has.
    /// - Throws: `JournalError` where a position is inside a gap or a line of the part is damaged; what the sink throws.
    public mutating func write(to sink: LineSink) throws -> Int {
        let header = try journal.header()
        lines.note(header.time)
        if range.lower > journal.start { try writeOpening(to: sink) }
        var reader = try journal.records(after: range.lower, through: range.upper)
        while let line = try reader.next() {
            try take(line)
            try sink.offer(&lines)
        }
        if range.upper > range.lower, reader.lastCommit < range.upper { _ = try journal.record(of: range.upper) }
        lines.end(at: range.upper, time: endTime ?? lines.lastTime(or: header.time))
        try sink.finish(&lines)
        return lines.commits
    }

    // MARK: The opening

    private mutating func writeOpening(to sink: LineSink) throws {
        let opening = try SliceOpening(journal, at: range.lower)
        state = opening.state
        let lower = JSONValue.number(JSONNumber(range.lower.rawValue))
        try journal.headerRecord.withLine { (line) throws(JournalError) in
            try lines.write(line, [("seq", lower), ("after", lower)])
        }
        for store in opening.stores {
            write(store.name, store.record, store.state, at: opening.time)
            lines.count(CountedRecord(.store, seq: range.lower, name: store.name))
            try sink.offer(&lines)
        }
        lines.note(opening.time)
        for record in opening.derived {
            var record = record
            record.set("seq", range.lower.rawValue)
            lines.write(record)
            lines.count(CountedRecord(.derived, seq: range.lower, name: record["name"]?.string ?? ""))
            try sink.offer(&lines)
        }
        for close in opening.closes { try close.withLine { (line) throws(JournalError) in try copy(line) } }
    }

    private mutating func write(_ name: String, _ record: JSONObject?, _ state: JSONValue, at time: Timestamp) {
        var object = record ?? SliceOpening.unknown
        object["store"] = .string(name)
        object.set("seq", range.lower.rawValue)
        object["time"] = .string(time.text)
        object["state"] = state
        lines.write(object)
    }

    // MARK: Lines of the part

    private mutating func take(_ line: RecordLine) throws(JournalError) {
        try state.apply(line)
        try copy(line)
    }

    private mutating func copy(_ line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .commit: lines.note(commit: line.time)
        case .store: lines.note(try line.decode(StoreRecord.init).time)
        case .close: lines.note(try line.decode(CloseRecord.init).time)
        case .gap: lines.note(try line.decode(GapRecord.init).time)
        case .mark: lines.note(try line.decode(MarkRecord.init).time)
        case .abort: lines.note(try line.decode(AbortRecord.init).time)
        case .keyframe: return try takeKeyframe(line)
        case .end:
            // It is written anew after the last line.
            endTime = try line.decode(EndRecord.init).time
            return
        case .journal, .derived, .outcome, .other: break
        }
        _ = try line.token()
        lines.count(try CountedRecord(line))
        lines.copy(line)
    }

    private mutating func takeKeyframe(_ line: RecordLine) throws(JournalError) {
        _ = try line.object()
        let totals = (try? line.totals()).flatMap(\.self)
        let isWrong = totals.map { lines.totals.difference(from: $0) != nil } ?? false
        try lines.write(line, isWrong ? [("totals", lines.totals.json)] : [])
    }
}

extension SliceOpening {
    fileprivate static let unknown: JSONObject = [
        "seq": .null, "kind": .string("store"), "store": .null, "type": .string("unknown"), "time": .null,
        "at": .object([
            "file": .string("unknown"), "line": .number(JSONNumber(0)), "column": .number(JSONNumber(0)),
            "function": .string("unknown"),
        ]),
    ]
}
