import JSONCore
public import JournalFormat
public import JournalReading

/// Writes the journal of some of a run's commits: numbered anew, with the causes that are left, and with `old` as it is now.
///
/// Stores and declarations of derived values stay; outcomes, marks and aborted commits describe the run as it was, and
/// are left out.
///
/// - Complexity: one pass; memory is that of the state.
public struct MinimalJournal {
    private let journal: Journal
    private let from: CommitNumber
    private let kept: [CommitNumber]
    private var numbers = NumberMap()
    private var lines = CopiedLines()
    private var state: PositionState
    private var last: CommitNumber

    /// The journal of commits that apply one after another, ascending, from a position on.
    public init(_ journal: Journal, keeping kept: [CommitNumber], from: CommitNumber) {
        self.journal = journal
        self.kept = kept
        self.from = from
        last = from
        state = PositionState(start: from)
    }

    /// Writes the journal.
    public mutating func write(to sink: LineSink) throws {
        let header = try journal.header()
        lines.note(header.time)
        var next = kept[...]
        if from > journal.start { try writeOpening() }
        var reader = try journal.records(after: from)
        while let line = try reader.next() {
            if line.kind == .commit {
                guard next.first == line.seq else { continue }
                next.removeFirst()
            }
            try take(line)
            try sink.offer(&lines)
        }
        lines.end(at: last, time: lines.lastTime(or: header.time))
        try sink.finish(&lines)
    }

    private mutating func writeOpening() throws {
        guard let range = PositionRange(from, from) else { return }
        var slice = JournalSlice(journal, range)
        var bytes: [UInt8] = []
        _ = try slice.write(to: LineSink { bytes += $0 })
        for text in bytes.split(separator: UInt8(ascii: "\n")) {
            let record = OwnedRecord(text: Array(text), path: journal.path)
            try record.withLine { if $0.kind != .end { try take($0) } }
        }
    }

    private mutating func take(_ line: RecordLine) throws(JournalError) {
        var edits: MemberEdits = []
        switch line.kind {
        case .journal, .derived: break
        case .store:
            let record = try line.decode(order: .ascending, StoreRecord.init)
            state.open(record.store, record.state)
            lines.note(record.time)
        case .close: lines.note(try line.decode(CloseRecord.init).time)
        case .commit: edits = try takeCommit(line)
        case .outcome, .abort, .mark, .keyframe, .gap, .end, .other: return
        }
        lines.count(try CountedRecord(line))
        let seq = line.kind == .journal ? from : last
        if line.seq != seq { edits.append(("seq", .number(JSONNumber(seq.rawValue)))) }
        try lines.write(line, edits)
    }

    private mutating func takeCommit(_ line: RecordLine) throws(JournalError) -> MemberEdits {
        let record = try line.decode(order: .ascending, CommitRecord.init)
        last = last.next
        numbers.add(line.seq.rawValue, last.rawValue)
        let members = try line.token()
        var edits = ["cause", "undoes"].compactMap { numbers.edit($0, of: members) }
        var log = ApplyLog(contradictions: [])
        // It is known to apply.
        _ = try? state.apply(line, &log)
        if let others = log.contradictions, !others.isEmpty {
            var patch = record.patch
            for other in others {
                patch.operations[other.index] =
                    switch patch.operations[other.index] {
                    case .replace(let path, let value, _): .replace(path, value, old: other.found)
                    case let operation: .remove(operation.path, old: other.found)
                    }
            }
            edits.append(("patch", patch.json))
        }
        lines.note(record.time)
        return edits
    }
}
